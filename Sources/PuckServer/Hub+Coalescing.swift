import PuckCore
import PuckWire

/// Another size of the screen, as a client said it.
struct Resize: Sendable {
    let command: ViewCommand
    let cause: ViewCause
    let client: ClientID
}

// What comes more often than frames do is shown once a frame: one client's haste is not everyone's work.
extension Hub {
    /// Positions of an overview from which on a fit is work, and is done once a frame at the most.
    private static let manyPositions = 64
    /// Changes of a view that are announced at once, before the next ones wait for the next frame.
    private static let newsAtOnce = 20

    /// When something of this is due.
    var coalescedDeadline: Instant? {
        let instants = resizes.values.lazy.compactMap(\.deadline).min()
        guard let news = news.values.lazy.compactMap(\.deadline).min() else { return instants }
        return instants.map { min($0, news) } ?? news
    }

    /// Does what is due.
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

    /// Whether a change of the screen's size waits until the overview may be fitted anew.
    mutating func holdsBack(_ resize: Resize, of key: ViewKey, at moment: Moment) -> Bool {
        guard case .viewport = resize.command, let view = views[key], view.fittedPositions >= Self.manyPositions else {
            return false
        }
        return !resizes[key, default: Pacing(burst: 1, at: moment.monotonic)].admit(resize, at: moment.monotonic)
    }

    /// Carries out a size that waits, before anything else is done to its view.
    mutating func catchUp(_ key: ViewKey, at moment: Moment) {
        guard let resize = resizes[key]?.takeWaiting(at: moment.monotonic) else { return }
        carryOut(resize, of: key, at: moment)
    }

    private mutating func carryOut(_ resize: Resize, of key: ViewKey, at moment: Moment) {
        charge((views[key]?.fittedPositions ?? 0) / Cost.positionsPerPoint, to: resize.client, at: moment)
        // What a decoder lets through is refused by no view; and it has been answered already.
        _ = change(key, resize.command, cause: resize.cause, by: resize.client, at: moment) { _ in }
    }

    // MARK: Changes of views

    /// Reports to the watchers of a view's tier what changed there.
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

    /// Each event says how its view is after it: who is sent only the last knows all.
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
