import Glibc
import PuckSystem

/// Reads lines from a descriptor, with a timeout for each.
public final class LineReader {
    /// Whether the other end is closed.
    public private(set) var isAtEnd = false

    private let descriptor: FileDescriptor
    private var pending: [UInt8] = []
    /// The number of bytes in `pending` that contain no line end.
    private var searched = 0

    /// Creates a reader that reads `descriptor` to its end.
    public init(_ descriptor: consuming FileDescriptor) throws {
        try setNonBlocking(descriptor.number)
        self.descriptor = descriptor
    }

    /// Returns the next line without its line end; nil if none arrives in time or the other end is closed (`isAtEnd`).
    public func next(within seconds: Double) -> String? { next(before: Deadline(seconds: seconds)) }

    /// Returns the next line that meets `condition`. Throws an error with the last lines if none arrives in time.
    @discardableResult
    public func first(within seconds: Double, where condition: (String) throws -> Bool) throws -> String {
        let deadline = Deadline(seconds: seconds)
        var seen: [String] = []
        while let line = next(before: deadline) {
            if try condition(line) { return line }
            seen = seen.suffix(9) + [String(line.prefix(200))]
        }
        let why = isAtEnd ? "the other side ended" : "\(seconds) s passed"
        throw KitError("no such line: \(why); the last of those seen:\n" + seen.joined(separator: "\n"))
    }

    /// Returns all lines that arrive within `seconds`, or until the other end closes.
    public func all(within seconds: Double) -> [String] {
        let deadline = Deadline(seconds: seconds)
        var lines: [String] = []
        while let line = next(before: deadline) { lines.append(line) }
        return lines
    }

    /// The bytes after the last line end, once the other end is closed.
    public var remainder: String { String(decoding: pending, as: UTF8.self) }

    private func next(before deadline: Deadline) -> String? {
        while true {
            if let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                var line = pending[..<end]
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                let text = String(decoding: line, as: UTF8.self)
                pending.removeSubrange(...end)
                searched = 0
                return text
            }
            searched = pending.count
            guard !isAtEnd, fill(before: deadline) else { return nil }
        }
    }

    /// Waits for bytes and reads them. Returns false if the time is over.
    private func fill(before deadline: Deadline) -> Bool {
        var wait = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, deadline.milliseconds) > 0 else { return !deadline.hasPassed }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        switch buffer.withUnsafeMutableBytes({ PuckSystem.read(from: descriptor.number, into: $0) }) {
        case .bytes(let count): pending += buffer.prefix(count)
        case .wouldBlock: break
        case .closed, .failed: isAtEnd = true
        }
        return true
    }
}
