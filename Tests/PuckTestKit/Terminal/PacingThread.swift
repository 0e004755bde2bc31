import Glibc
import PuckCore
import PuckSystem
import Synchronization

/// A thread that does one thing at the times that the thing itself names. It runs beside the tests' own threads, so a
/// receiver keeps its pace while they wait.
final class PacingThread: Sendable {
    private let runs = Flag()

    /// Starts it. The work first runs at once; it is given the time, and returns when it wants to run again.
    init(_ work: @escaping @Sendable (UTC) -> UTC) throws {
        try runInBackground { [runs] in
            while let next = runs.whileSet({ work(Clocks.now.utc) }) {
                while case let left = next.seconds(since: Clocks.now.utc), left > 0, runs.isSet {
                    poll(nil, 0, Int32(min(left * 1e3, PacingThread.longestWait).rounded(.up)))
                }
            }
        }
    }

    /// Ends it: once this has returned, the work does not run any more.
    func stop() { runs.clear() }

    /// Milliseconds after which a stopped thread notices it.
    private static let longestWait = 1000.0
}

private final class Flag: Sendable {
    private let value = Mutex(true)

    var isSet: Bool { value.withLock { $0 } }
    func whileSet<Result: Sendable>(_ body: () -> Result) -> Result? { value.withLock { $0 ? body() : nil } }
    func clear() { value.withLock { $0 = false } }
}
