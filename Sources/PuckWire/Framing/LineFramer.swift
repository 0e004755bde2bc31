/// Cuts a stream of bytes into lines. Pure: bytes in, lines out.
///
/// Each byte is looked at once, however it arrives: a line in a thousand pieces costs as much as a line in one, and half
/// a line left hanging costs nothing more than its bytes.
public struct LineFramer: Sendable {
    /// What comes out.
    public enum Event: Equatable, Sendable {
        /// A whole line, without its newline.
        case line([UInt8])
        /// More bytes than a line may have. Nothing after it can be told apart, so it is the last event.
        case tooLong
    }

    /// Longest line, in bytes without the newline.
    public let limit: Int
    private var buffer: [UInt8] = []
    private var lineStart = 0
    /// Up to here there is no newline after `lineStart`.
    private var scanned = 0
    private var overflowed = false

    /// Memory that is kept between lines, bytes.
    private static let keptCapacity = 16_384

    /// A framer for lines of at most `limit` bytes.
    public init(limit: Int = WireLimits.line) { self.limit = limit }

    /// Whether part of a line is waiting for its end.
    public var hasPartialLine: Bool { !overflowed && lineStart < buffer.count }

    /// Bytes that it keeps.
    public var heldBytes: Int { buffer.count - lineStart }

    /// Takes what was read. Call `next()` until it gives nil before the next reading: then never more than one line's
    /// limit is kept between readings.
    public mutating func append(_ bytes: some Sequence<UInt8>) {
        guard !overflowed else { return }
        if lineStart > 0 {
            // After a long line the memory for it is given back.
            if lineStart == buffer.count, buffer.capacity > Self.keptCapacity { buffer = [] }
            buffer.removeSubrange(..<min(lineStart, buffer.count))
            scanned -= lineStart
            lineStart = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next whole line, the violation, or nil where more bytes are needed.
    public mutating func next() -> Event? {
        guard !overflowed else { return nil }
        let newline = UInt8(ascii: "\n")
        // One byte past the limit has to be looked at: it may be the newline of a line that just fits.
        let end = min(buffer.count, lineStart + limit + 1)
        if let found = buffer[scanned..<end].firstIndex(of: newline) {
            let line = Array(buffer[lineStart..<found])
            lineStart = found + 1
            scanned = lineStart
            return .line(line)
        }
        scanned = end
        guard end - lineStart > limit else { return nil }
        overflowed = true
        buffer = []
        lineStart = 0
        scanned = 0
        return .tooLong
    }
}
