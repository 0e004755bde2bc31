import CInih

/// The sections and settings of a file, as libinih parses them, with their line numbers.
///
/// libinih splits the settings. This type passes it one line at a time, because libinih does not report line numbers,
/// lines longer than its buffer (it cuts them), sections without settings, invalid lines after the first one, or lines
/// that start with a blank (it appends them to the setting before).
struct IniFile {
    struct Section {
        var name: String
        var line: Int
        var settings: [Setting] = []
    }

    struct Setting {
        var key: String
        var value: String
        var line: Int
    }

    /// The settings before the first section.
    private(set) var orphans: [Setting] = []
    /// The sections in the order of the file.
    private(set) var sections: [Section] = []
    /// The errors in single lines.
    private(set) var problems: [(line: Int, problem: ConfigurationError.Problem)] = []

    private let lines: [ArraySlice<UInt8>]
    /// The index of the current line. The line number is one more.
    private var index = -1
    /// Whether libinih has not yet reported a setting for the current line.
    private var awaitsSetting = false
    /// Whether the current section's name is invalid. Its settings are skipped.
    private var isSectionBroken = false

    init(_ bytes: [UInt8]) {
        lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // libinih uses this pointer only during the call. It returns the number of the first invalid line, which is
        // already recorded in `problems`.
        _ = withUnsafeMutablePointer(to: &self) { file in
            ini_parse_stream(
                { buffer, size, data in
                    guard let buffer, let file = data?.assumingMemoryBound(to: IniFile.self) else { return nil }
                    return file.pointee.nextLine(into: buffer, size: Int(size)) ? buffer : nil
                },
                file,
                { data, _, name, value in
                    guard let file = data?.assumingMemoryBound(to: IniFile.self), let name, let value else { return 0 }
                    file.pointee.add(key: String(cString: name), value: String(cString: value))
                    return 1
                }, file)
        }
    }

    private var line: Int { index + 1 }

    /// Passes the next line to libinih in the manner of fgets(3), or an empty line instead of an invalid one. Returns
    /// false at the end.
    private mutating func nextLine(into buffer: UnsafeMutablePointer<CChar>, size: Int) -> Bool {
        if awaitsSetting { report(.notASetting(text: text(lines[index]))) }
        awaitsSetting = false
        index += 1
        guard index < lines.count else { return false }
        var bytes = lines[index]
        if bytes.last == UInt8(ascii: "\r") { bytes = bytes.dropLast() }
        // Some editors put a byte-order mark at the start of the file.
        if index == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        // Besides the line, the buffer holds a newline and a zero byte.
        let content = inspect(bytes, limit: size - 2) ? bytes : []
        for (offset, byte) in content.enumerated() { buffer[offset] = CChar(bitPattern: byte) }
        buffer[content.count] = CChar(UInt8(ascii: "\n"))
        buffer[content.count + 1] = 0
        return true
    }

    /// Examines the line. Returns false if libinih must not see it.
    private mutating func inspect(_ bytes: ArraySlice<UInt8>, limit: Int) -> Bool {
        guard let first = bytes.first(where: { !isBlank($0) }) else { return false }
        // A comment may have any length and any bytes.
        guard first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { return false }
        guard bytes.count <= limit else { return report(.lineTooLong(bytes: bytes.count, limit: limit)) }
        guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else { return report(.notText) }
        switch first {
        case _ where bytes.first.map(isBlank) == true: return report(.indented)
        case UInt8(ascii: "["): return openSection(bytes)
        default:
            awaitsSetting = true
            return true
        }
    }

    /// Reads a section's name, because libinih cuts names to 49 bytes and does not report sections without settings.
    /// Always returns false.
    private mutating func openSection(_ bytes: ArraySlice<UInt8>) -> Bool {
        isSectionBroken = true
        guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return report(.unclosedSection) }
        let rest = text(bytes[(end + 1)...])
        guard rest.isEmpty || rest.hasPrefix("#") || rest.hasPrefix(";") else {
            return report(.textAfterSection(text: rest))
        }
        isSectionBroken = false
        sections.append(Section(name: text(bytes[bytes.startIndex..<end].dropFirst()), line: line))
        return false
    }

    private mutating func add(key: String, value: String) {
        guard awaitsSetting else { return }
        awaitsSetting = false
        guard !key.isEmpty, !key.utf8.contains(where: isBlank) else {
            report(.notASetting(text: text(lines[index])))
            return
        }
        guard !isSectionBroken else { return }
        let setting = Setting(key: key, value: value, line: line)
        if sections.isEmpty {
            orphans.append(setting)
        } else {
            sections[sections.count - 1].settings.append(setting)
        }
    }

    @discardableResult
    private mutating func report(_ problem: ConfigurationError.Problem) -> Bool {
        problems.append((line, problem))
        return false
    }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == 0x0D }

/// Returns bytes as text, without blanks at both ends.
private func text(_ bytes: ArraySlice<UInt8>) -> String {
    let start = bytes.drop(while: isBlank)
    let end = start.lastIndex { !isBlank($0) } ?? start.startIndex - 1
    return String(decoding: start[start.startIndex..<(end + 1)], as: UTF8.self)
}
