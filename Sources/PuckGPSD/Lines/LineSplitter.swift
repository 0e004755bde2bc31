import Glibc

/// Cuts the bytes of a stream into lines, as they come in. A line over the bound is left out whole and counted, and
/// the next one is good again. Each byte is looked at once, so that half a line that hangs costs nothing.
public struct LineSplitter: Sendable {
    /// Longest line that is kept, in bytes. gpsd's longest by far is a SKY: it prints up to 184 satellites of about
    /// 140 bytes into a buffer of at most 4 × 10,240 bytes. (gpsd.c: GPS_JSON_RESPONSE_MAX × 4)
    public static let longestLine = 64 * 1_024

    /// Lines left out for their length.
    public private(set) var overlong = 0
    private let limit: Int
    /// The line that is not whole yet; empty while one over the bound is left out.
    private var pending: [UInt8] = []
    private var isSkipping = false

    /// A splitter for lines of at most `limit` bytes, the newline not counted.
    public init(limit: Int = LineSplitter.longestLine) { self.limit = limit }

    /// Begins anew with another stream; what was counted stays.
    public mutating func restart() {
        pending.removeAll(keepingCapacity: true)
        isSkipping = false
    }

    /// The lines that `bytes` complete, without their newline (`\n` or `\r\n`). Empty lines are none.
    public mutating func append(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes
        while let newline = firstNewline(in: rest) {
            if let line = complete(with: rest[..<newline]), !line.isEmpty { lines.append(line) }
            rest = rest[(newline + 1)...]
        }
        keep(rest)
        return lines
    }

    /// By memchr(3), which looks at many bytes at once.
    private func firstNewline(in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress,
                let found = memchr(start, Int32(LineSplitter.newline), buffer.count)
            else { return nil }
            return bytes.startIndex + (UnsafeRawPointer(found) - start)
        }
    }

    private mutating func complete(with end: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        defer {
            pending.removeAll(keepingCapacity: true)
            isSkipping = false
        }
        guard !isSkipping, pending.count + end.count <= limit else {
            overlong += 1
            return nil
        }
        let line = pending.isEmpty ? end : (pending + end)[...]
        return line.last == LineSplitter.carriageReturn ? line.dropLast() : line
    }

    private mutating func keep(_ start: ArraySlice<UInt8>) {
        guard !isSkipping else { return }
        guard pending.count + start.count <= limit else {
            isSkipping = true
            pending.removeAll(keepingCapacity: true)
            return
        }
        pending.append(contentsOf: start)
    }

    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
}
