import PuckCore
import PuckWire

/// A new size of the screen, from a client.
struct Resize: Sendable {
    let command: ViewCommand
    let cause: ViewCause
    let client: ClientID
}

// Changes that arrive more often than frames are applied once a frame, so that one fast client does not cause work for
// everyone.
extension Hub {
    /// The number of positions from which an overview is large. The hub fits a large overview at most once a frame.
    private static let manyPositions = 64
    /// Changes of a view that the hub announces at once. Further changes wait for the next frame.
    private static let newsAtOnce = 20

    /// When the next coalesced change is due.
    var coalescedDeadline: Instant? {
        let instants = resizes.values.lazy.compactMap(\.deadline).min()
        guard let news = news.values.lazy.compactMap(\.deadline).min() else { return instants }
        return instants.map { min($0, news) } ?? news
    }

    /// Applies the changes that are due.
    mutating func showCoalesced(at moment: Moment) {
        for key in Array(resizes.keys) {
            if let resize = resizes[key]?.takeDue(by: moment.monotonic) { carryOut(resize, of: key, at: moment) }
            if resizes[key]?.isRested(at: moment.monotonic) == true { resizes[key] = nil }
        }
        for half in Array(news.keys) {
            if let events = news[half]?.takeDue(by: moment.monotonic) { tell(events) }
            if news[half]?.isRested(at: moment.monotonic) == true { news[half] = nil }
        }
    }

    // MARK: Sizes of the screen

    /// Whether a change of the screen's size must wait before the hub fits the overview again.
    mutating func holdsBack(_ resize: Resize, of key: ViewKey, at moment: Moment) -> Bool {
        guard case .viewport = resize.command, let view = views[key], view.fittedPositions >= Self.manyPositions else {
            return false
        }
        return !resizes[key, default: Pacing(burst: 1, at: moment.monotonic)].admit(resize, at: moment.monotonic)
    }

    /// Applies a waiting size before another command changes the view.
    mutating func catchUp(_ key: ViewKey, at moment: Moment) {
        guard let resize = resizes[key]?.takeWaiting(at: moment.monotonic) else { return }
        carryOut(resize, of: key, at: moment)
    }

    private mutating func carryOut(_ resize: Resize, of key: ViewKey, at moment: Moment) {
        charge((views[key]?.fittedPositions ?? 0) / Cost.positionsPerPoint, to: resize.client, at: moment)
        // No view refuses a size that the decoder accepts, and the request has already been answered.
        _ = change(key, resize.command, cause: resize.cause, by: resize.client, at: moment) { _ in }
    }

    // MARK: Changes of views

    /// Reports changes to the watchers of a view's tier.
    mutating func announce(_ events: [ViewEvent], at moment: Moment) {
        var rest = events
        while let first = rest.first {
            let half = Self.half(of: first)
            let batch = rest.filter { Self.half(of: $0) == half }
            rest.removeAll { Self.half(of: $0) == half }
            let isDue = news[half, default: Pacing(burst: Self.newsAtOnce, at: moment.monotonic)].admit(
                batch, at: moment.monotonic)
            if isDue { tell(batch) }
        }
    }

    /// Each event describes the whole state of its view, so a client that gets only the last one misses nothing.
    private mutating func tell(_ events: [ViewEvent]) {
        for event in events {
            for stream in streams.values where stream.key.tier == event.tier && shows(stream.key.view, event) {
                spent += stream.members.count * Cost.watcher
                for member in stream.members { send(.view(viewMessage(event, for: member.client)), to: member.client) }
            }
        }
    }

    private static func half(of event: ViewEvent) -> ViewHalf {
        let view = event.view.isEmpty ? ViewKey.own(ClientID(event.cause.client ?? 0)) : .named(event.view)
        return ViewHalf(view: view, tier: event.tier)
    }

    private func shows(_ key: ViewKey, _ event: ViewEvent) -> Bool {
        switch key {
        case .named(let name): name == event.view
        case .own(let owner): event.view.isEmpty && event.cause.client == owner.number
        case .blank: false
        }
    }
}
