import PuckServer
import PuckSystem

/// Saves state on a thread of its own: a slow disk stops no client. What comes of each save returns to the loop.
///
/// Saves are done one by one in the order of asking, and each brings exactly one outcome, also in that order, never
/// within the call that asked.
final class StateSaver {
    /// What came of a save.
    struct Outcome: Sendable {
        /// What was to be kept.
        let state: KeptState
        /// Why it is not on the disk; nil: it is, and a power cut leaves it there.
        let failure: SystemError?
    }

    private let store: StateStore
    private let worker: Worker
    private let inbox: Inbox<Outcome>
    /// Saves that wait, at most. Epochs are a minute apart, so that a disk has to hang for long before there are as many.
    private static let mostWaiting = 256

    /// A saver into `store`; `onOutcome` is called on the loop.
    init(
        loop: EventLoop, store: StateStore, onOutcome: @escaping (Outcome) -> Void
    ) throws(SystemError) {
        self.store = store
        inbox = try loop.inbox(of: Outcome.self, onOutcome)
        worker = try Worker(limit: Self.mostWaiting)
    }

    /// Keeps `state` over a restart. With too many saves waiting, or after `finish`, the outcome is a failure.
    func save(_ state: KeptState) {
        let (store, sender) = (store, inbox.sender)
        let isTaken = worker.submit { sender.send(Outcome(state: state, failure: store.failure(of: state))) }
        guard !isTaken else { return }
        sender.send(Outcome(state: state, failure: .tooManySaves))
    }

    /// Waits until all that was asked for is done, `seconds` at most; false if it is not. For the program's end: it
    /// blocks, and no outcome is heard any more.
    func finish(within seconds: Double) -> Bool {
        inbox.close()
        return worker.finish(within: seconds)
    }
}

extension StateStore {
    /// Saves, and returns what kept it from being saved.
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
