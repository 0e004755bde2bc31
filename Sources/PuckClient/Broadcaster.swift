import Synchronization

/// All readers of one client, and how things stand for the next one.
final class Broadcaster: Sendable {
    private struct State {
        var present = Present()
        var readers: [WeakUpdates] = []
        var isEnded = false
    }
    private struct WeakUpdates {
        weak var updates: Updates?
    }
    private let state = Mutex(State())

    /// A new reader's sequence, which starts with how things stand.
    func open(_ parts: Updates.Parts) -> Updates {
        state.withLock { state in
            let updates = Updates(parts, startingWith: state.present.updates, isEnded: state.isEnded)
            state.readers.append(WeakUpdates(updates: updates))
            return updates
        }
    }

    /// Hands an update to all of them.
    func put(_ update: Update) {
        state.withLock { state in
            state.present.record(update)
            state.readers.removeAll { $0.updates == nil }
            for reader in state.readers { reader.updates?.put(update) }
        }
    }

    /// Ends all of them.
    func end() {
        state.withLock { state in
            state.isEnded = true
            for reader in state.readers { reader.updates?.end() }
            state.readers = []
        }
    }
}

/// How things stand: the newest of each kind, on the present connection.
struct Present {
    private var connection: Update?
    private var source: Update?
    private var authorization: Update?
    private var view: Update?
    private var frame: Update?

    /// In the order in which a subscriber is told.
    var updates: [Update] { [connection, source, authorization, view, frame].compactMap { $0 } }

    mutating func record(_ update: Update) {
        switch update.content {
        case .frame: frame = update
        case .event(.connected), .event(.disconnected):
            self = Present()
            connection = update
        case .event(.source): source = update
        case .event(.authorization): authorization = update
        case .event(.view): view = update
        case .event(.notRestored), .event(.fellBehind), .unknown: break
        }
    }
}
