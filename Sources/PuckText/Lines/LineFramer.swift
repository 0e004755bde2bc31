import func Glibc.memchr

/// Cuts a stream of bytes into lines. Pure: bytes in, lines out.
///
/// It looks at each byte once, however the bytes arrive: a line in a thousand pieces costs as much as a line in one, and
/// half a line left hanging costs nothing more than its bytes.
public struct LineFramer: Sendable {
    /// The result of one step.
    public enum Event: Equatable, Sendable {
        /// A whole line, without its newline.
        case line([UInt8])
        /// A line had more bytes than allowed.
        case tooLong
    }
    /// What follows a line that is too long.
    public enum Overlong: Sendable {
        /// Nothing: the stream has no more events.
        case ends
        /// The line after it.
        case isSkipped
    }
    private enum State {
        case reading, skipping, ended
    }

    /// Longest line, in bytes without the newline.
    public let limit: Int
    private let overlong: Overlong
    private var state = State.reading
    private var buffer: [UInt8] = []
    private var lineStart = 0
    /// The buffer has no newline between `lineStart` and here.
    private var scanned = 0

    /// Memory that is kept between lines, bytes.
    private static let keptCapacity = 16_384

    /// A framer for lines of at most `limit` bytes.
    public init(limit: Int, overlong: Overlong = .ends) {
        self.limit = limit
        self.overlong = overlong
    }

    /// Whether part of a line is waiting for its end.
    public var hasPartialLine: Bool { state == .reading && lineStart < buffer.count }

    /// Bytes that it keeps.
    public var heldBytes: Int { buffer.count - lineStart }

    /// Takes what was read. Call `next()` until it returns nil before the next call: then the framer never keeps more than
    /// one line's limit between calls.
    public mutating func append(_ bytes: some Sequence<UInt8>) {
        guard state != .ended else { return }
        if lineStart > 0 {
            // After a long line the memory for it is given back.
            if lineStart == buffer.count, buffer.capacity > Self.keptCapacity { buffer = [] }
            buffer.removeSubrange(..<min(lineStart, buffer.count))
            scanned -= lineStart
            lineStart = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next whole line, the report of one that is too long, or nil if more bytes are needed.
    public mutating func next() -> Event? {
        if state == .skipping { skipToNextLine() }
        guard state == .reading else { return nil }
        // One byte past the limit has to be looked at: it may be the newline of a line that just fits.
        let end = min(buffer.count, lineStart + limit + 1)
        if let found = firstNewline(in: scanned..<end) {
            let line = Array(buffer[lineStart..<found])
            lineStart = found + 1
            scanned = lineStart
            return .line(line)
        }
        scanned = end
        guard end - lineStart > limit else { return nil }
        state = overlong == .ends ? .ended : .skipping
        if state == .ended { forget() }
        return .tooLong
    }

    /// Begins another stream.
    public mutating func restart() {
        state = .reading
        forget()
    }

    private mutating func skipToNextLine() {
        guard let found = firstNewline(in: scanned..<buffer.count) else { return forget() }
        state = .reading
        lineStart = found + 1
        scanned = lineStart
    }

    private mutating func forget() {
        buffer = []
        lineStart = 0
        scanned = 0
    }

    /// Uses memchr(3), which looks at many bytes at once.
    private func firstNewline(in range: Range<Int>) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard !range.isEmpty, let start = bytes.baseAddress,
                let found = memchr(start + range.lowerBound, Int32(UInt8(ascii: "\n")), range.count)
            else { return nil }
            return UnsafeRawPointer(found) - start
        }
    }
}
