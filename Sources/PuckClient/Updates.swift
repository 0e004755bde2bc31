import Synchronization

/// A reader's queue: all events in order, but only the newest frame, as in the daemon's own queue. If the reader is too
/// slow, the queue ends with `.fellBehind`. So memory is bounded, and no event is lost silently.
///
/// Only one task at a time may read it. It ends when the reading task is cancelled, or with its client.
public final class Updates: AsyncSequence, Sendable {
    /// Frames and events.
    public typealias Element = Update
    /// The sequence does not fail.
    public typealias Failure = Never

    /// The updates that a reader wants.
    struct Parts: OptionSet, Sendable {
        let rawValue: Int
        static let frames = Parts(rawValue: 1)
        static let events = Parts(rawValue: 2)
    }

    /// The maximum number of updates that wait for a reader.
    static let mostEvents = 1_024

    private struct State {
        var waiting: [Update] = []
        var reader: CheckedContinuation<Update?, Never>?
        var isEnded = false
    }
    private let parts: Parts
    private let state: Mutex<State>

    /// Creates a sequence that starts with the current state.
    init(_ parts: Parts, startingWith present: [Update], isEnded: Bool) {
        self.parts = parts
        state = Mutex(State(waiting: present.filter { parts.contains($0.part) }, isEnded: isEnded))
    }

    /// Passes an update to the reader, or queues it.
    func put(_ update: Update) {
        guard parts.contains(update.part) else { return }
        let reader = state.withLock { state -> CheckedContinuation<Update?, Never>? in
            guard !state.isEnded else { return nil }
            if let reader = state.reader.take() { return reader }
            if update.frame != nil { state.waiting.removeAll { $0.frame != nil } }
            if state.waiting.count < Self.mostEvents {
                state.waiting.append(update)
            } else {
                state.waiting.append(Update(content: .event(.fellBehind)))
                state.isEnded = true
            }
            return nil
        }
        reader?.resume(returning: update)
    }

    /// Ends the sequence after the waiting updates.
    func end() {
        let reader = state.withLock { state in
            state.isEnded = true
            return state.reader.take()
        }
        reader?.resume(returning: nil)
    }

    private func next() async -> Update? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (reader: CheckedContinuation<Update?, Never>) in
                let now = state.withLock { state -> Update?? in
                    if !state.waiting.isEmpty { return state.waiting.removeFirst() }
                    guard !state.isEnded, state.reader == nil else { return .some(nil) }
                    state.reader = reader
                    return nil
                }
                if let now { reader.resume(returning: now) }
            }
        } onCancel: {
            end()
        }
    }

    /// An iterator over the updates.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let updates: Updates

        /// Waits for the next update; returns nil at the end.
        public mutating func next() async -> Update? { await updates.next() }
        /// Waits for the next update; returns nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Update? { await updates.next() }
    }

    /// Creates an iterator.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(updates: self) }
}

extension Update {
    fileprivate var part: Updates.Parts { frame == nil ? .events : .frames }
}
