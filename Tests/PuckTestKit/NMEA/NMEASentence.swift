/// A sentence of NMEA 0183, as a receiver sends it on its serial line.
public struct NMEASentence: Hashable, Sendable, CustomStringConvertible {
    /// The talker: `GN` for a receiver with several constellations, `GP` for GPS alone, `HE` for a gyro compass.
    public var talker: String
    /// The type of the sentence, such as `RMC`.
    public var type: String
    /// The fields between the commas. An empty field means "unknown".
    public var fields: [String]

    /// Creates a sentence from its parts.
    public init(talker: String, type: String, fields: [String]) {
        self.talker = talker
        self.type = type
        self.fields = fields
    }

    /// Parses a line, with or without its line end. Returns nil if it is not a sentence or its checksum is wrong.
    public init?(line: some StringProtocol) {
        let trimmed = String(line).split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        guard trimmed.first == "$" else { return nil }
        let parts = trimmed.dropFirst().split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count == 2, UInt8(parts[1], radix: 16) == Self.checksum(of: parts[0].utf8)
        else {
            return nil
        }
        var fields = parts[0].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let address = fields.removeFirst()
        guard address.count == 5 else { return nil }
        self.init(talker: String(address.prefix(2)), type: String(address.suffix(3)), fields: fields)
    }

    /// Returns the exclusive or of all bytes, which are those between `$` and `*`. See NMEA 0183, 5.3.1.
    public static func checksum(of bytes: some Sequence<UInt8>) -> UInt8 { bytes.reduce(0, ^) }

    /// The sentence from `$` to its checksum, without the line end.
    public var description: String {
        let body = ([talker + type] + fields).joined(separator: ",")
        return "$\(body)*\(hexadecimal(Self.checksum(of: body.utf8)))"
    }
    /// The sentence as sent on the line, with its line end.
    public var bytes: [UInt8] { Array(description.utf8) + [0x0D, 0x0A] }
}

private func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count == 1 ? "0" + digits : digits
}
