import Synchronization

/// What waits for one reader: all in order, but of frames only the newest, as the daemon itself keeps them. A reader that
/// is too slow for the rest is told so, and has come to the end: nothing grows without bound, and nothing is lost unsaid.
///
/// It is read by one task at a time. It ends when the reading task is cancelled, and with its client.
public final class Updates: AsyncSequence, Sendable {
    /// Frames and events.
    public typealias Element = Update
    /// It does not fail.
    public typealias Failure = Never

    /// Which updates a reader wants.
    struct Parts: OptionSet, Sendable {
        let rawValue: Int
        static let frames = Parts(rawValue: 1)
        static let events = Parts(rawValue: 2)
    }

    /// The most events that wait for a reader.
    static let mostEvents = 1_024

    private struct State {
        var waiting: [Update] = []
        var reader: CheckedContinuation<Update?, Never>?
        var isEnded = false
    }
    private let parts: Parts
    private let state: Mutex<State>

    /// A sequence that starts with how things stand.
    init(_ parts: Parts, startingWith present: [Update], isEnded: Bool) {
        self.parts = parts
        state = Mutex(State(waiting: present.filter { parts.contains($0.part) }, isEnded: isEnded))
    }

    /// Hands an update to the reader, or keeps it for it.
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

    /// Nothing comes after what waits.
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

    /// Reads them one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let updates: Updates

        /// The next update, as soon as there is one; nil at the end.
        public mutating func next() async -> Update? { await updates.next() }
        /// The next update, as soon as there is one; nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Update? { await updates.next() }
    }

    /// Starts to read.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(updates: self) }
}

extension Update {
    fileprivate var part: Updates.Parts { frame == nil ? .events : .frames }
}
