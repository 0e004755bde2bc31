import PuckText

/// gpsd's lines out of a stream of bytes: `\n` or `\r\n` ends a line, and empty lines are left out. It skips and counts a
/// line over the bound; the next one is good again.
public struct LineSplitter: Sendable {
    /// Longest line that is kept, in bytes. gpsd's longest by far is a SKY: it prints up to 184 satellites of about
    /// 140 bytes into a buffer of at most 4 × 10,240 bytes. (gpsd.c: GPS_JSON_RESPONSE_MAX × 4)
    public static let longestLine = 64 * 1_024

    /// Lines left out for their length.
    public private(set) var overlong = 0
    private var framer: LineFramer

    /// A splitter for lines of at most `limit` bytes, the newline not counted.
    public init(limit: Int = LineSplitter.longestLine) { framer = LineFramer(limit: limit, overlong: .isSkipped) }

    /// Begins another stream; the count stays.
    public mutating func restart() { framer.restart() }

    /// The lines that `bytes` complete.
    public mutating func append(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        framer.append(bytes)
        var lines: [ArraySlice<UInt8>] = []
        while let event = framer.next() {
            guard case .line(let bytes) = event else {
                overlong += 1
                continue
            }
            let line = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes[...]
            if !line.isEmpty { lines.append(line) }
        }
        return lines
    }
}
