import Glibc
import PuckCore
import PuckSystem
import Synchronization

/// A thread that repeats a task at the times that the task returns. It is independent of the tests' threads, so a
/// receiver keeps its pace while they wait.
final class PacingThread: Sendable {
    private let runs = Flag()

    /// Starts the thread, and runs `work` at once. `work` gets the current time, and returns the time of its next run.
    init(_ work: @escaping @Sendable (UTC) -> UTC) throws {
        try runInBackground { [runs] in
            while let next = runs.whileSet({ work(Clocks.now.utc) }) {
                while case let left = next.seconds(since: Clocks.now.utc), left > 0, runs.isSet {
                    poll(nil, 0, Int32(min(left * 1e3, PacingThread.longestWait).rounded(.up)))
                }
            }
        }
    }

    /// Stops the thread. Once this has returned, the work does not run again.
    func stop() { runs.clear() }

    /// The maximum time in milliseconds until a stopped thread ends.
    private static let longestWait = 1000.0
}

private final class Flag: Sendable {
    private let value = Mutex(true)

    var isSet: Bool { value.withLock { $0 } }
    func whileSet<Result: Sendable>(_ body: () -> Result) -> Result? { value.withLock { $0 ? body() : nil } }
    func clear() { value.withLock { $0 = false } }
}
