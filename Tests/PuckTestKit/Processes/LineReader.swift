import Glibc
import PuckSystem

/// Lines from a descriptor, each within its time.
public final class LineReader {
    /// Whether the other side has ended it.
    public private(set) var isAtEnd = false

    private let descriptor: FileDescriptor
    private var pending: [UInt8] = []
    /// How far `pending` was already searched.
    private var searched = 0

    /// Reads from `descriptor` to its end.
    public init(_ descriptor: consuming FileDescriptor) throws {
        try setNonBlocking(descriptor.number)
        self.descriptor = descriptor
    }

    /// The next line without its end; nil where none came in time, or the other side ended it (`isAtEnd`).
    public func next(within seconds: Double) -> String? { next(before: Deadline(seconds: seconds)) }

    /// The next line for which `condition` holds. Throws, telling the last lines seen, where none came in time.
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

    /// All the lines that come within so many seconds, or before the other side ends.
    public func all(within seconds: Double) -> [String] {
        let deadline = Deadline(seconds: seconds)
        var lines: [String] = []
        while let line = next(before: deadline) { lines.append(line) }
        return lines
    }

    /// What is left after the last line's end, where the other side has ended it.
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

    /// Reads what is there, waiting for it; false where the time is over.
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
