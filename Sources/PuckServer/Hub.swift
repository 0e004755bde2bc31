import PuckCore
import PuckText
import PuckWire

/// The publisher's decisions: the connected clients, their access, which frames are made when, and who gets them.
///
/// A value with mutating events that queue actions (`drainActions`). It reads no clock and uses no socket: the daemon
/// runs it on real ones, `puckd replay` and the tests in simulated time.
public struct Hub: Sendable {
    var settings: HubSettings
    let started: Moment
    var positioning: Positioning
    var source: SourceStatus
    /// The accuracy to which an admin bound everyone; nil: nobody is bound.
    var systemAccuracy: AccuracyMode?
    /// Whether the disk is known to have the same value.
    var isSystemAccuracyKept: Bool
    /// Changes of it that wait until they are saved, in the order of the requests.
    var systemSwitches: [SystemSwitch] = []
    /// When the next grant expires, by each clock; nil: none is active.
    var nextExpiry: Moment?

    /// The client that placed the location last; nil: none.
    var placer: ClientID?

    var clients: [ClientID: HubClient] = [:]
    var streams: [StreamKey: Stream] = [:]
    var views = ViewTable()
    /// Named views without watchers, and since when.
    var abandoned: [ViewKey: Instant] = [:]
    /// The user who created a named view: each user has a share of them.
    var viewMakers: [ViewKey: UInt32] = [:]
    /// Where something changed that clients without ticks are still to be shown, and when.
    var changed: [ViewHalf: Instant] = [:]
    var tickers: [TickerKey: Ticker] = [:]
    /// What those draw by who take motions.
    var motions: [StreamKey: StreamMotion] = [:]
    /// When clients are to be told that the position is older than they let it be.
    var staleLimits = StaleLimits()
    var actions: [HubAction] = []
    var tallies = Tallies()
    /// The users' accounts, and the cost of the present request so far.
    var accounts = Accounts()
    var spent = 0
    /// The frame budgets of both tiers, and the cost of the present tick's frames.
    var budgets = [FrameBudget(), FrameBudget()]
    var frameCost = 0
    /// Screen sizes, and changes of views, that arrive more often than frames.
    var resizes: [ViewKey: Pacing<Resize>] = [:]
    var news: [ViewHalf: Pacing<[ViewEvent]>] = [:]

    /// A hub without clients. `isKept`: the system's accuracy is already on the disk; otherwise it is saved first.
    public init(
        settings: HubSettings, positioning: Positioning, systemAccuracy: AccuracyMode? = nil, isKept: Bool = true,
        at moment: Moment
    ) {
        self.settings = settings
        self.positioning = positioning
        self.systemAccuracy = systemAccuracy
        isSystemAccuracyKept = isKept
        started = moment
        source = SourceStatus(state: .noDaemon, since: moment)
        if !isKept {
            keep(SystemSwitch(accuracy: systemAccuracy, client: nil, origin: nil, request: nil))
        }
    }

    /// The actions since the last call, in order.
    public mutating func drainActions() -> [HubAction] {
        defer { actions = [] }
        return actions
    }

    /// When `advance(to:)` has something to do, if nothing comes before.
    public var deadline: Instant? {
        var earliest = positioning.deadline
        func consider(_ instant: Instant?) {
            guard let instant else { return }
            earliest = earliest.map { min($0, instant) } ?? instant
        }
        for ticker in tickers.values { consider(ticker.next) }
        consider(views.deadline)
        consider(staleLimits.deadline)
        for due in changed.values { consider(due) }
        if !motions.isEmpty { for motion in motions.values { consider(motion.due) } }
        if !resizes.isEmpty || !news.isEmpty { consider(coalescedDeadline) }
        for since in abandoned.values { consider(since.advanced(by: Self.viewRetention)) }
        consider(nextExpiry?.monotonic)
        for change in systemSwitches { consider(change.due) }
        return earliest
    }

    /// Applies the changes that are due.
    public mutating func advance(to moment: Moment) {
        expireGrants(at: moment)
        answerLateSwitches(at: moment)
        advanceViews(to: moment)
        follow(positioning.advance(to: moment), at: moment)
        if !resizes.isEmpty || !news.isEmpty { showCoalesced(at: moment) }
        showChanges(at: moment)
        showStale(at: moment)
        if !motions.isEmpty { renewMotions(at: moment) }
        tick(at: moment)
    }

    // MARK: The receiver

    /// Takes a report of the receiver in use.
    public mutating func receive(_ report: Report, at moment: Moment) {
        expireGrants(at: moment)
        advanceViews(to: moment)
        // They change every second: `status` returns the newest values, and they cause no messages.
        if case .sky(let sky) = report {
            source.satellitesUsed = sky.used ?? source.satellitesUsed
            source.satellitesVisible = sky.visible ?? source.satellitesVisible
        }
        follow(positioning.receive(report, at: moment), at: moment)
    }

    /// Takes a change of the receiver's state.
    public mutating func receive(_ status: SourceStatus, at moment: Moment) {
        expireGrants(at: moment)
        source = status
        source.provider = positioning.provider
        announceSource()
    }

    /// Carries out the events of the positioning.
    mutating func follow(_ events: [Positioning.Event], at moment: Moment) {
        // If several epochs arrive at one instant, one frame with the newest is enough.
        let newest = events.lastIndex(of: .located)
        for (i, event) in events.enumerated() {
            switch event {
            case .located where i != newest: break
            case .located:
                if !staleLimits.isEmpty { staleLimits.restart(from: positioning.lastFix) }
                makeFrames(.precise, because: .fix, at: moment)
            case .turned: makeFrames(.precise, because: .heading, at: moment)
            case .aged: makeFrames(.precise, because: .change, at: moment)
            // It may be one that is set aside for now, but changes what is expected.
            case .refused: reviewMotions(at: moment)
            case .coarse(.save(let state)): actions.append(.save(.coarsener(state)))
            case .coarse(.source): announceApproximateSource()
            case .coarse(.publish), .coarse(.withdraw): makeFrames(.approximate, because: .fix, at: moment)
            }
        }
    }

    // MARK: Clients

    /// Takes a new client, and sends it `hello` and its authorization.
    public mutating func connect(_ id: ClientID, _ origin: ClientOrigin, at moment: Moment) {
        expireGrants(at: moment)
        let client = HubClient(
            origin: origin, since: moment, access: settings.policy.access(of: origin.identity),
            requests: RequestBucket(perSecond: settings.limits.requestsPerSecond, at: moment.monotonic))
        clients[id] = client
        tallies.connections += 1
        charge(Cost.connection + origin.identity.groups.count / Cost.groupsPerPoint, to: id, at: moment)
        let purposes = settings.policy.purposes.filter { $0.allows(origin.identity) }
        send(
            .hello(
                Hello(
                    server: settings.server,
                    purposes: purposes.map {
                        Hello.Purpose(key: $0.key, description: $0.description, seconds: $0.seconds)
                    },
                    roles: Role.allCases.filter(client.access.roles.contains),
                    limits: Hello.Limits(
                        line: settings.limits.lineBytes, rate: WireLimits.rate,
                        clients: settings.limits.clients))),
            to: id)
        tellAuthorization(id)
    }

    /// Takes a user's name, which may arrive long after its clients.
    public mutating func learn(_ name: String?, ofUser user: UInt32) {
        for id in clients.keys where clients[id]?.origin.identity.user == user { clients[id]?.origin.userName = name }
    }

    /// Removes a client that has disconnected.
    public mutating func disconnect(_ id: ClientID, at moment: Moment) {
        expireGrants(at: moment)
        leaveStream(id, at: moment)
        // Otherwise the end of its grant would add it to the other tier's stream permanently.
        clients[id]?.subscription = nil
        if clients[id]?.grant != nil { endGrant(of: id, .ended, at: moment) }
        giveBackLocation(of: id, because: "disconnected", at: moment)
        clients[id] = nil
        views[.own(id)] = nil
        resizes[.own(id)] = nil
        for tier in [AccuracyMode.precise, .approximate] { changed[ViewHalf(view: .own(id), tier: tier)] = nil }
    }

    /// Takes a line of a client, or the violation that ends its connection.
    public mutating func receive(_ line: LineFramer.Event, from id: ClientID, at moment: Moment) {
        guard clients[id] != nil else { return }
        expireGrants(at: moment)
        advanceViews(to: moment)
        switch line {
        case .tooLong:
            charge(Cost.decoding(settings.limits.lineBytes), to: id, at: moment)
            hangUp(
                id,
                RequestFailure(
                    code: .lineTooLong, message: "expected a request line of at most \(settings.limits.lineBytes) bytes"
                ))
        case .line(let bytes):
            charging(id, at: moment) { $0.receive(bytes, from: id, at: moment) }
        }
    }

    /// Takes the bytes of a line, and charges for decoding before it reads them.
    private mutating func receive(_ bytes: [UInt8], from id: ClientID, at moment: Moment) {
        spent += Cost.decoding(bytes.count)
        guard clients[id]?.requests.spend(at: moment.monotonic) == true else { return refuseAsTooMany(bytes, of: id) }
        switch RequestDecoder.decode(bytes) {
        case .failure(let failure) where failure.isViolation:
            hangUp(id, failure)
        case .failure(let failure):
            tallies.requests += 1
            if failure.code == .unknownType || failure.code == .unknownField { spent += Cost.unknownName }
            refuse(id, failure)
        case .success(let envelope):
            tallies.requests += 1
            carryOut(envelope, of: id, at: moment)
        }
    }

    /// Refuses a request of a client that has exceeded its requests of this second. Only the request's id is read.
    private mutating func refuseAsTooMany(_ bytes: [UInt8], of id: ClientID) {
        let limit = settings.limits.requestsPerSecond
        switch RequestDecoder.identify(bytes) {
        case .failure(let failure) where failure.isViolation:
            hangUp(id, failure)
        case .failure(let failure):
            tallies.requests += 1
            refuse(id, failure)
        case .success(let request):
            tallies.requests += 1
            refuse(
                id,
                RequestFailure(
                    id: request, code: .tooMany, message: "at most \(limit) requests a second; wait and ask again"))
        }
    }

    /// Sends a last error to every client.
    public mutating func shutDown() {
        for id in clients.keys.sorted() {
            let farewell = ErrorMessage(
                code: .shuttingDown, message: "puckd is shutting down; please reconnect", isFatal: true)
            actions.append(.close(id, saying: ServerMessageEncoder.line(.error(farewell))))
        }
    }

    /// Applies a changed policy and changed limits. All clients with less access get their authorization before any
    /// other message is sent. Only then is a placed location released, which makes frames, and only then do clients
    /// with another tier enter their streams.
    public mutating func reconfigure(_ settings: HubSettings, at moment: Moment) {
        expireGrants(at: moment)
        self.settings = settings
        let ids = clients.keys.sorted()
        var ended: Set<ClientID> = []
        for id in ids {
            guard let client = clients[id] else { continue }
            clients[id]?.access = settings.policy.access(of: client.origin.identity)
            guard let purpose = client.grant?.purpose,
                settings.policy.purpose(purpose)?.allows(client.origin.identity) != true
            else { continue }
            takeGrant(of: id, .ended)
            ended.insert(id)
        }
        let moves = inform(ids, because: { ended.contains($0) ? .ended : nil }, at: moment)
        for id in ids where isSubscribed(id) && clients[id]?.access.roles.contains(.observer) != true {
            endWatching(id, at: moment)
        }
        for id in ids where clients[id]?.access.roles.contains(.provider) != true {
            giveBackLocation(of: id, because: "policy", at: moment)
        }
        for move in moves {
            enterTier(move.id, isRise: move.isRise, because: ended.contains(move.id) ? .ended : nil, at: moment)
        }
    }

    /// Disconnects a client that may no longer watch. When it reconnects, it learns its new access.
    private mutating func endWatching(_ id: ClientID, at moment: Moment) {
        leaveStream(id, at: moment)
        clients[id]?.subscription = nil
        let farewell = ErrorMessage(
            code: .notPermitted, message: "your observer role was revoked", isFatal: true)
        actions.append(.close(id, saying: ServerMessageEncoder.line(.error(farewell))))
    }

    // MARK: Sending

    /// Whether a client has a stream.
    func isSubscribed(_ id: ClientID) -> Bool { clients[id]?.subscription != nil }

    mutating func send(_ message: ServerMessage, to id: ClientID) {
        actions.append(.send(id, ServerMessageEncoder.line(message)))
    }

    mutating func refuse(_ id: ClientID, _ failure: RequestFailure) {
        tallies.refusals += 1
        send(.error(ErrorMessage(failure)), to: id)
    }

    private mutating func hangUp(_ id: ClientID, _ failure: RequestFailure) {
        tallies.violations += 1
        actions.append(.close(id, saying: ServerMessageEncoder.line(.error(ErrorMessage(failure)))))
    }
}

/// The hub's counters, for `status`.
struct Tallies: Hashable, Sendable {
    var connections: UInt64 = 0
    var requests: UInt64 = 0
    var refusals: UInt64 = 0
    var violations: UInt64 = 0
    /// Frames made, and frames handed to clients.
    var framesMade: UInt64 = 0
    var framesSent: UInt64 = 0
    /// States that could not be saved.
    var failedSaves: UInt64 = 0
}
