import Synchronization

/// Sends updates to all readers of one client, and keeps the current state for new readers.
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

    /// Creates a sequence for a new reader, which starts with the current state.
    func open(_ parts: Updates.Parts) -> Updates {
        state.withLock { state in
            let updates = Updates(parts, startingWith: state.present.updates, isEnded: state.isEnded)
            state.readers.append(WeakUpdates(updates: updates))
            return updates
        }
    }

    /// Sends an update to all readers.
    func put(_ update: Update) {
        state.withLock { state in
            state.present.record(update)
            state.readers.removeAll { $0.updates == nil }
            for reader in state.readers { reader.updates?.put(update) }
        }
    }

    /// Ends the sequences of all readers.
    func end() {
        state.withLock { state in
            state.isEnded = true
            for reader in state.readers { reader.updates?.end() }
            state.readers = []
        }
    }
}

/// The current state: the newest update of each kind on the current connection.
struct Present {
    private var connection: Update?
    private var source: Update?
    private var authorization: Update?
    private var view: Update?
    private var frame: Update?

    /// The updates in the order in which the daemon sends them to a new subscriber.
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
