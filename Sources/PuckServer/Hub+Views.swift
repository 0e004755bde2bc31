import PuckCore
import PuckWire

// Named views and connections' own: who steers them, and who is told.
extension Hub {
    /// How long a named view is kept when nobody watches it, seconds: a map that connects again finds it as it was.
    static let viewRetention = 60.0
    /// How many named views there may be.
    static let viewLimit = 256
    /// How many of these one user may make, so that nobody takes them all from the others.
    static let viewsPerUser = 32
    /// How soon a change of a view is shown to clients without ticks, seconds: at once for an eye, and once however many
    /// changes come meanwhile, so that one client's haste is not everyone's work.
    static let changeDelay = 1.0 / 60

    /// Makes a named view that is not there yet.
    mutating func openView(_ name: String?, by id: ClientID) -> RequestFailure? {
        guard let name, views[.named(name)] == nil, let user = clients[id]?.origin.identity.user else { return nil }
        guard viewMakers.values.count(where: { $0 == user }) < Self.viewsPerUser, viewMakers.count < Self.viewLimit
        else {
            return RequestFailure(
                code: .tooMany,
                message: "a user makes at most \(Self.viewsPerUser) named views; one is forgotten a "
                    + "minute after its last watcher leaves", field: "view")
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
                    code: .unknownView, message: "no view of this name; subscribing to it makes it",
                    field: "view"))
        }
        var snapshot = Snapshot(moment: moment)
        let cause = ViewCause(
            client: id.number, request: request.map(Self.text(of:)), accuracy: accuracy(of: id))
        var view = views[key] ?? ViewState(name: "")
        switch view.handle(command, cause: cause, at: moment.monotonic, pucks: pucks(in: &snapshot)) {
        case .failure(let refusal):
            return .failure(failure(of: refusal))
        case .success(let events):
            let before = views[key]
            let isNew = before == nil
            views[key] = view
            send(.ok(id: request, .none), to: id)
            if isNew, clients[id]?.stream?.view == .blank { moveToOwnView(id, at: moment) }
            announce(events + snapshot.events, at: moment)
            noteChange(of: key, in: .precise, at: moment)
            // Any frame tells when it is made: what precise clients say makes none for approximate ones by itself.
            if cause.accuracy == .approximate || before.map({ view.differs(from: $0, in: .approximate) }) == true {
                noteChange(of: key, in: .approximate, at: moment)
            }
            return .success(nil)
        }
    }

    private mutating func noteChange(of view: ViewKey, in tier: AccuracyMode, at moment: Moment) {
        let half = ViewHalf(view: view, tier: tier)
        if changed[half] == nil { changed[half] = moment.monotonic.advanced(by: Self.changeDelay) }
    }

    /// A connection's own view has come to differ from a blank one: its frames are its own from now on.
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

    /// Shows what changed in views, once its time has come.
    mutating func showChanges(at moment: Moment) {
        for (half, due) in changed where due <= moment.monotonic {
            changed[half] = nil
            makeFrames(half.tier, of: half.view, because: .change, at: moment)
        }
    }

    /// Ends of transitions and time-outs that are due, and views that nobody came back to. Before anything else is shown: a
    /// frame of one tier brings a view up to its instant for both, and the other's watchers are to be shown their end.
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

    /// Tells the watchers of a view's tier what changed there.
    mutating func announce(_ events: [ViewEvent], at moment: Moment) {
        for event in events {
            for stream in streams.values where stream.key.tier == event.tier && shows(stream.key.view, event) {
                for member in stream.members { send(.view(viewMessage(event, for: member.client)), to: member.client) }
            }
        }
    }

    private func shows(_ key: ViewKey, _ event: ViewEvent) -> Bool {
        switch key {
        case .named(let name): name == event.view
        case .own(let owner): event.view.isEmpty && event.cause.client == owner.number
        case .blank: false
        }
    }

    /// An approximate client is not told what others do, or that there are any: not by its own number either, which
    /// counts the connections of all.
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

    /// A request's id as a view keeps it, which asks nothing of it: its kind, then its text.
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
