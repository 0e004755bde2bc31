import PuckServer
import PuckSystem

/// Saves state on its own thread, so that a slow disk does not delay clients. The outcomes return to the event loop.
///
/// Saves run one at a time, in the order of the calls. Each has exactly one outcome. Outcomes arrive in the same order,
/// and never during the call to `save`.
final class StateSaver {
    /// The outcome of a save.
    struct Outcome: Sendable {
        /// The state to be saved.
        let state: KeptState
        /// The reason why the state was not saved; nil if it is on the disk and survives a power failure.
        let failure: SystemError?
    }

    private let store: StateStore
    private let worker: Worker
    private let inbox: Inbox<Outcome>
    /// The maximum number of waiting saves. Epochs are one minute apart, so a disk must hang for long to reach it.
    private static let mostWaiting = 256

    /// Creates a saver into `store`. `onOutcome` is called on the loop.
    init(
        loop: EventLoop, store: StateStore, onOutcome: @escaping (Outcome) -> Void
    ) throws(SystemError) {
        self.store = store
        inbox = try loop.inbox(of: Outcome.self, onOutcome)
        worker = try Worker(limit: Self.mostWaiting)
    }

    /// Saves `state`, so that it survives a restart. If too many saves are waiting, or after `finish`, the outcome is a
    /// failure.
    func save(_ state: KeptState) {
        let (store, sender) = (store, inbox.sender)
        let isTaken = worker.submit { sender.send(Outcome(state: state, failure: store.failure(of: state))) }
        guard !isTaken else { return }
        sender.send(Outcome(state: state, failure: .tooManySaves))
    }

    /// Waits up to `seconds` for all saves, and returns whether they are done. Use it when the program ends: it blocks,
    /// and no further outcomes are reported.
    func finish(within seconds: Double) -> Bool {
        inbox.close()
        return worker.finish(within: seconds)
    }
}

extension StateStore {
    /// Saves the state; returns the error, or nil on success.
    fileprivate func failure(of state: KeptState) -> SystemError? {
        do throws(SystemError) {
            switch state {
            case .coarsener(let state): try save(state)
            case .systemAccuracy(let accuracy): try save(systemAccuracy: accuracy)
            }
            return nil
        } catch {
            return error
        }
    }
}

extension SystemError {
    fileprivate static var tooManySaves: SystemError {
        SystemError("save state", code: 0, message: "the disk is too slow: too many saves wait already")
    }
}
