import PuckCore
import PuckText
import PuckWire

/// The publisher's decisions: who is connected, what each may see, which frames are made when, and who gets them.
///
/// A value with mutating events that leave behind what is to be done (`drainActions`). It reads no clock and knows no
/// socket: the daemon runs it on real ones, `puckd replay` and the tests in simulated time.
public struct Hub: Sendable {
    var settings: HubSettings
    let started: Moment
    var positioning: Positioning
    var source: SourceStatus
    /// The accuracy to which an admin bound everyone; nil: nobody is bound.
    var systemAccuracy: AccuracyMode?
    /// Whether the disk says the same for sure.
    var isSystemAccuracyKept: Bool
    /// Switches of it that wait to be on the disk, in the order of asking.
    var systemSwitches: [SystemSwitch] = []
    /// When the next grant ends, by each clock; nil: none is in force.
    var nextExpiry: Moment?

    /// Who placed the location last; nil: nobody has.
    var placer: ClientID?

    var clients: [ClientID: HubClient] = [:]
    var streams: [StreamKey: Stream] = [:]
    var views = ViewTable()
    /// Named views that nobody watches, and since when.
    var abandoned: [ViewKey: Instant] = [:]
    /// Who made a named view: each user has a share of them.
    var viewMakers: [ViewKey: UInt32] = [:]
    /// Where something changed that clients without ticks are still to be shown, and when.
    var changed: [ViewHalf: Instant] = [:]
    var tickers: [TickerKey: Ticker] = [:]
    /// When clients are to be told that the position is older than they let it be.
    var staleLimits = StaleLimits()
    var actions: [HubAction] = []
    var tallies = Tallies()
    /// What users may still cost, and what the request at hand has cost so far.
    var accounts = Accounts()
    var spent = 0
    /// What frames may still cost, precise and approximate ones, and what those of the tick at hand have.
    var budgets = [FrameBudget(), FrameBudget()]
    var frameCost = 0
    /// Sizes of screens, and changes of views, that come more often than frames do.
    var resizes: [ViewKey: Pacing<Resize>] = [:]
    var news: [ViewHalf: Pacing<[ViewEvent]>] = [:]

    /// A hub that nobody is connected to. What the disk has of the system's accuracy is `isKept`, or is to be saved first.
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

    /// What is to be done since the last call, in order.
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
        if !resizes.isEmpty || !news.isEmpty { consider(coalescedDeadline) }
        for since in abandoned.values { consider(since.advanced(by: Self.viewRetention)) }
        consider(nextExpiry?.monotonic)
        for change in systemSwitches { consider(change.due) }
        return earliest
    }

    /// Does what is due by the clock.
    public mutating func advance(to moment: Moment) {
        expireGrants(at: moment)
        answerLateSwitches(at: moment)
        advanceViews(to: moment)
        follow(positioning.advance(to: moment), at: moment)
        if !resizes.isEmpty || !news.isEmpty { showCoalesced(at: moment) }
        showChanges(at: moment)
        showStale(at: moment)
        tick(at: moment)
    }

    // MARK: The receiver

    /// Takes a report of the receiver in use.
    public mutating func receive(_ report: Report, at moment: Moment) {
        expireGrants(at: moment)
        advanceViews(to: moment)
        // They change by the second: whoever asks is told the newest, and nobody is woken by them.
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

    /// Does what positioning's events ask for.
    mutating func follow(_ events: [Positioning.Event], at moment: Moment) {
        // Of epochs that come at one instant, the frame shows the newest: one frame of it is enough.
        let newest = events.lastIndex(of: .located)
        for (i, event) in events.enumerated() {
            switch event {
            case .located where i != newest: break
            case .located:
                if !staleLimits.isEmpty { staleLimits.restart(from: positioning.lastFix) }
                makeFrames(.precise, because: .fix, at: moment)
            case .turned: makeFrames(.precise, because: .heading, at: moment)
            case .aged: makeFrames(.precise, because: .change, at: moment)
            case .refused: break
            case .coarse(.save(let state)): actions.append(.save(.coarsener(state)))
            case .coarse(.source): announceApproximateSource()
            case .coarse(.publish), .coarse(.withdraw): makeFrames(.approximate, because: .fix, at: moment)
            }
        }
    }

    // MARK: Clients

    /// Takes a new client: it is greeted and told what it may see.
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

    /// Takes a user's name, which may come long after its clients.
    public mutating func learn(_ name: String?, ofUser user: UInt32) {
        for id in clients.keys where clients[id]?.origin.identity.user == user { clients[id]?.origin.userName = name }
    }

    /// Forgets a client that is gone.
    public mutating func disconnect(_ id: ClientID, at moment: Moment) {
        expireGrants(at: moment)
        leaveStream(id, at: moment)
        // Else the end of its grant would take it into the other tier's stream, for ever.
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

    /// Takes a line's bytes. What it takes to read them is paid for first.
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

    /// Refuses a request of a client that has used up those of this second; of it only its id is looked for.
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

    /// Says good-bye to everyone.
    public mutating func shutDown() {
        for id in clients.keys.sorted() {
            let farewell = ErrorMessage(
                code: .shuttingDown, message: "puckd is shutting down; please reconnect", isFatal: true)
            actions.append(.close(id, saying: ServerMessageEncoder.line(.error(farewell))))
        }
    }

    /// Takes over a changed policy and limits. All who may have less are told before anything else is sent to anyone: only
    /// then is a location given back, which makes frames, and only then do those who moved enter their streams.
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

    /// Hangs up on a client that may not watch any more: once it has connected again it knows what it may do.
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

/// What the hub has counted, for `status`.
struct Tallies: Hashable, Sendable {
    var connections: UInt64 = 0
    var requests: UInt64 = 0
    var refusals: UInt64 = 0
    var violations: UInt64 = 0
    /// Frames made, and frames handed to clients.
    var framesMade: UInt64 = 0
    var framesSent: UInt64 = 0
    /// State that could not be kept over a restart.
    var failedSaves: UInt64 = 0
}
