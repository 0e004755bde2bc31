import Synchronization

/// A sink that writes to another sink on its own thread. A write to the journal's socket, a pipe or a terminal blocks while
/// the reader is slow, and any user of the host can keep the journal busy.
public final class BackgroundSink: LogSink {
    private let sink: any LogSink
    private let worker: Worker
    /// The number of messages dropped since the last accepted one.
    private let leftOut = Mutex(0)

    /// Creates a sink that writes to `sink`. At most `limit` messages may wait; default 4,096.
    public init(_ sink: any LogSink, limit: Int = 4_096) throws(SystemError) {
        self.sink = sink
        worker = try Worker(limit: limit)
    }

    /// Queues a message. If too many are waiting, the message is dropped, and the number of dropped messages is written
    /// before the next accepted one.
    public func write(_ entry: LogEntry) {
        leftOut.withLock { count in
            let (sink, missing) = (sink, count)
            let isTaken = worker.submit {
                if missing > 0 { sink.write(Self.gap(missing)) }
                sink.write(entry)
            }
            count = isTaken ? 0 : count + 1
        }
    }

    private static func gap(_ missing: Int) -> LogEntry {
        LogEntry(
            level: .warning, text: "the log was too slow for some messages", fields: [("messages", String(missing))])
    }

    /// Waits up to `seconds` for all messages, and returns whether they are written. Later messages are dropped. It blocks,
    /// so use it only when the program ends.
    @discardableResult
    public func finish(within seconds: Double) -> Bool { worker.finish(within: seconds) }
}

extension Log {
    /// Moves writing to a background thread, from now on. Returns the sink, which the program must finish when it ends.
    public mutating func writeInBackground() throws(SystemError) -> BackgroundSink {
        let background = try BackgroundSink(sink)
        sink = background
        return background
    }
}
