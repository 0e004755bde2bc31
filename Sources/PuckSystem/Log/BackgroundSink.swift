import Synchronization

/// A log that is written on a thread of its own. The journal's socket, a pipe and a terminal make a writer wait while their
/// reader is slow, and any user of the host can keep the journal's busy.
public final class BackgroundSink: LogSink {
    private let sink: any LogSink
    private let worker: Worker
    /// Messages left out since the last that was taken.
    private let leftOut = Mutex(0)

    /// A log that goes to `sink`. `limit`: messages that may wait.
    public init(_ sink: any LogSink, limit: Int = 4_096) throws(SystemError) {
        self.sink = sink
        worker = try Worker(limit: limit)
    }

    /// Hands a message over, to be written in its turn. If too many wait it is left out, and the next one says how many were.
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

    /// Waits until all is written, `seconds` at most. False if it is not. Nothing is written after. For the program's end: it
    /// blocks.
    @discardableResult
    public func finish(within seconds: Double) -> Bool { worker.finish(within: seconds) }
}

extension Log {
    /// Writes what is logged from now on in the background. The program waits for the sink at its end.
    public mutating func writeInBackground() throws(SystemError) -> BackgroundSink {
        let background = try BackgroundSink(sink)
        sink = background
        return background
    }
}
