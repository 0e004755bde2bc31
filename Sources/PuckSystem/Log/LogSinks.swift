import CSystemd
import Glibc
import PuckCore

extension Log {
    /// Returns the log for a service. If standard error is connected to the journal, messages go to the journal with
    /// their fields; otherwise they are lines on standard error.
    public static func standard(level: LogLevel) -> Log {
        Log(
            level: level,
            sink: JournalSink.isStandardError ? JournalSink() : LineSink(descriptor: StandardDescriptor.error))
    }
}

/// A sink that writes lines of the form `level: text name=value …`.
public struct LineSink: LogSink {
    private let descriptor: Int32

    /// Creates a sink that writes to `descriptor`. The caller still owns the descriptor.
    public init(descriptor: Int32) { self.descriptor = descriptor }

    /// Writes one line. Errors are ignored.
    public func write(_ entry: LogEntry) {
        try? writeAll(Array("\(entry.level.rawValue): \(entry.line)\n".utf8), to: descriptor)
    }
}

/// A sink that writes to the journal with its own protocol, so that each field can be searched for, as in
/// `journalctl PUCKD_CLIENT=3`. See sd_journal_send(3).
struct JournalSink: LogSink {
    /// The prefix of field names, so that they cannot be mistaken for the journal's own.
    static let prefix = "PUCKD_"

    /// Whether standard error is connected to the journal.
    static var isStandardError: Bool {
        isJournal(StandardDescriptor.error, stream: environmentVariable("JOURNAL_STREAM"))
    }

    /// Returns whether a descriptor is the one that JOURNAL_STREAM identifies by device and inode. See systemd.exec(5).
    static func isJournal(_ descriptor: Int32, stream: String?) -> Bool {
        var status = stat()
        guard let stream, fstat(descriptor, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }

    func write(_ entry: LogEntry) {
        let assignments = JournalSink.assignments(entry).map { Array($0.utf8) }
        var storage = assignments.flatMap { $0 }
        storage.withUnsafeMutableBytes { bytes in
            var offset = 0
            let vectors = assignments.map { assignment in
                defer { offset += assignment.count }
                return iovec(iov_base: bytes.baseAddress?.advanced(by: offset), iov_len: assignment.count)
            }
            _ = sd_journal_sendv(vectors, Int32(vectors.count))
        }
    }

    static func assignments(_ entry: LogEntry) -> [String] {
        ["PRIORITY=\(entry.level.priority)", "MESSAGE=\(entry.line)"]
            + entry.fields.map { "\(prefix)\($0.name.uppercased())=\($0.value.printable)" }
    }
}
