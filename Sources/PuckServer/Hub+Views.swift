import PuckCore
import PuckWire

// Named views and connections' own: who steers them, and who gets their events.
extension Hub {
    /// How long a named view is kept without watchers, seconds, so that a map that reconnects finds it unchanged.
    static let viewRetention = 60.0
    /// The maximum number of named views, and of those that one user may create.
    static let viewShares = Shares(total: 256, perUser: 32)
    /// The delay until clients without ticks see a change of a view, seconds. It is invisible, and all changes in
    /// between share one frame, so that one fast client does not cause work for everyone.
    static let changeDelay = 1.0 / 60

    /// Creates a named view if it does not exist.
    mutating func openView(_ name: String?, by id: ClientID) -> RequestFailure? {
        guard let name, views[.named(name)] == nil, let identity = clients[id]?.origin.identity else { return nil }
        let user = identity.user
        let held = viewMakers.values.count(where: { $0 == user })
        guard Self.viewShares.admits(held: held, taken: viewMakers.count, isPrivileged: isPrivileged(identity)) else {
            return RequestFailure(
                code: .tooMany,
                message: "you already have \(held) named views; a user may have at most \(Self.viewShares.perUser), "
                    + "fewer if all users together have many; a view ends a minute after its last watcher leaves",
                field: "view")
        }
        views[.named(name)] = ViewState(name: name)
        viewMakers[.named(name)] = user
        return nil
    }

    mutating func steer(
        _ id: ClientID, view name: String?, _ command: ViewCommand, answering request: RequestID?, at moment: Moment
    ) -> Result<Answer?, RequestFailure> {
        let key = name.map { ViewKey.named($0) } ?? .own(id)
        if name != nil, let failure = require(.controller, of: id, to: "steering a shared view") {
            return .failure(failure)
        }
        if name != nil, views[key] == nil {
            return .failure(
                RequestFailure(
                    code: .unknownView, message: "no view has this name; subscribe to it to create it",
                    field: "view"))
        }
        let cause = ViewCause(
            client: id.number, request: request.map(Self.text(of:)), accuracy: accuracy(of: id))
        let resize = Resize(command: command, cause: cause, client: id)
        if holdsBack(resize, of: key, at: moment) { return .success(.some(.none)) }
        catchUp(key, at: moment)
        if let failure = roomFailure(for: command, in: key, by: id) { return .failure(failure) }
        spent += Self.cost(of: command, in: views[key])
        let refusal = change(key, command, cause: cause, by: id, at: moment) { hub in
            hub.send(.ok(id: request, .none), to: id)
        }
        return refusal.map { .failure(failure(of: $0)) } ?? .success(nil)
    }

    private static func cost(of command: ViewCommand, in view: ViewState?) -> Int {
        switch command {
        // The overview is fitted once to check the room, and then once in each tier.
        case .overview(let options): 3 * options.geometry.coordinates.count / Cost.positionsPerPoint
        case .viewport: (view?.fittedPositions ?? 0) / Cost.positionsPerPoint
        default: 0
        }
    }

    /// Carries out a command, and reports its effect. `answer` is called once the command has been accepted.
    mutating func change(
        _ key: ViewKey, _ command: ViewCommand, cause: ViewCause, by id: ClientID, at moment: Moment,
        answer: (inout Hub) -> Void
    ) -> ViewRefusal? {
        var snapshot = Snapshot(moment: moment)
        var view = views[key] ?? ViewState(name: key.name)
        switch view.handle(command, cause: cause, at: moment.monotonic, pucks: pucks(in: &snapshot)) {
        case .failure(let refusal):
            return refusal
        case .success(let events):
            let before = views[key]
            views[key] = view
            answer(&self)
            if before == nil, clients[id]?.stream?.view == .blank { moveToOwnView(id, at: moment) }
            announce(events + snapshot.events, at: moment)
            noteChange(of: key, in: .precise, at: moment)
            // The time of every frame reveals something: a precise client's commands alone cause no frames for
            // approximate clients.
            if cause.accuracy == .approximate || before.map({ view.differs(from: $0, in: .approximate) }) == true {
                noteChange(of: key, in: .approximate, at: moment)
            }
            return nil
        }
    }

    private mutating func noteChange(of view: ViewKey, in tier: AccuracyMode, at moment: Moment) {
        let half = ViewHalf(view: view, tier: tier)
        if tier == .precise, !motions.isEmpty { noteMotionChange(of: view, at: moment) }
        if changed[half] == nil { changed[half] = moment.monotonic.advanced(by: Self.changeDelay) }
    }

    /// A connection's own view no longer equals a blank one: from now on it has its own frames.
    private mutating func moveToOwnView(_ id: ClientID, at moment: Moment) {
        leaveStream(id, at: moment)
        enterStream(id, at: moment)
    }

    private func failure(of refusal: ViewRefusal) -> RequestFailure {
        switch refusal {
        case .unknownMarker:
            RequestFailure(code: .unknownMarker, message: "the view has no marker of this name", field: "marker")
        case .tooManyMarkers(let limit):
            RequestFailure(code: .tooMany, message: "a view has at most \(limit) markers", field: "marker")
        case .badValue(let field, let expected):
            RequestFailure(code: .badValue, message: "expected \(expected)", field: field)
        }
    }

    /// Shows changes of views when they are due.
    mutating func showChanges(at moment: Moment) {
        for (half, due) in changed where due <= moment.monotonic {
            changed[half] = nil
            makeFrames(half.tier, of: half.view, because: .change, at: moment)
        }
    }

    /// Applies the transitions' ends and time-outs that are due, and removes abandoned views. This comes before any
    /// frame: a frame of one tier advances the view for both, and the other tier's watchers must still see the end.
    mutating func advanceViews(to moment: Moment) {
        for key in views.due(by: moment.monotonic) {
            guard let view = views[key] else { continue }
            var snapshot = Snapshot(moment: moment)
            let pucks = pucks(in: &snapshot)
            let events = views[key]?.advance(to: moment.monotonic, pucks: pucks) ?? []
            announce(events, at: moment)
            for tier in [AccuracyMode.precise, .approximate] {
                guard let due = view.deadline(of: tier), due <= moment.monotonic else { continue }
                makeFrames(tier, of: key, because: .change, at: moment)
            }
        }
        for (key, since) in abandoned where moment.monotonic.seconds(since: since) >= Self.viewRetention {
            abandoned[key] = nil
            views[key] = nil
            viewMakers[key] = nil
        }
    }

    /// An approximate client must not learn what others do, or that there are others, not even from its own number,
    /// which counts all connections.
    func viewMessage(_ event: ViewEvent, for id: ClientID) -> ViewMessage {
        let isOwnDoing = event.cause.client == id.number
        var cause = ViewMessage.Cause()
        if isOwnDoing || event.tier == .precise {
            cause = ViewMessage.Cause(
                client: event.tier == .precise ? event.cause.client : nil,
                request: event.cause.request.map(Self.requestID(from:)))
        }
        return ViewMessage(
            view: event.view, mode: event.mode, status: event.status,
            state: event.state, reason: event.reason, cause: cause)
    }

    /// A request's id in the form that a view stores without interpreting it: its kind, then its text.
    private static func text(of id: RequestID) -> String {
        switch id {
        case .number(let text): "#\(text)"
        case .string(let text): "$\(text)"
        }
    }
    private static func requestID(from text: String) -> RequestID {
        text.hasPrefix("#") ? .number(String(text.dropFirst())) : .string(String(text.dropFirst()))
    }
}
