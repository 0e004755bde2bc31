import CSystemd
import Glibc
import PuckCore

extension Log {
    /// The log of a service: straight to the journal, with its fields, where standard error is the journal; else lines
    /// on standard error.
    public static func standard(level: LogLevel) -> Log {
        Log(
            level: level,
            sink: JournalSink.isStandardError ? JournalSink() : LineSink(descriptor: StandardDescriptor.error))
    }
}

/// Lines of text, as `level: text name=value …`.
public struct LineSink: LogSink {
    private let descriptor: Int32

    /// Lines to a descriptor that stays the caller's.
    public init(descriptor: Int32) { self.descriptor = descriptor }

    /// Writes one line.
    public func write(_ entry: LogEntry) {
        try? writeAll(Array("\(entry.level.rawValue): \(entry.line)\n".utf8), to: descriptor)
    }
}

/// The journal's own protocol: each field can be searched for (`journalctl PUCKD_CLIENT=3`). (sd_journal_send(3))
struct JournalSink: LogSink {
    /// Put before our fields' names, so that they never pass for the journal's own.
    static let prefix = "PUCKD_"

    /// Whether standard error is connected to the journal.
    static var isStandardError: Bool {
        isJournal(StandardDescriptor.error, stream: environmentVariable("JOURNAL_STREAM"))
    }

    /// Whether a descriptor is the one that JOURNAL_STREAM names, by device and inode. (systemd.exec(5))
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
