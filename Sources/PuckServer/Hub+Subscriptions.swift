import PuckCore
import PuckWire

// Subscriptions: which client watches what.
extension Hub {
    mutating func subscribe(
        _ id: ClientID, _ options: SubscribeOptions, answering request: RequestID?, at moment: Moment
    ) -> Result<Answer?, RequestFailure> {
        if let failure = require(.observer, of: id, to: "watching") { return .failure(failure) }
        if let failure = openView(options.view, by: id) { return .failure(failure) }
        // A request for precise accuracy is only a wish here: other clients get their best accuracy, and
        // `authorization` reports it.
        if let accuracy = options.accuracy { clients[id]?.requested = accuracy == .precise ? nil : accuracy }
        leaveStream(id, at: moment)
        // A waiting frame belongs to the previous stream, and may be more precise.
        actions.append(.dropFrame(id))
        clients[id]?.frames = 0
        clients[id]?.subscription = options
        send(.ok(id: request, .none), to: id)
        clients[id]?.told = nil
        enterTier(id, at: moment)
        return .success(nil)
    }

    mutating func unsubscribe(_ id: ClientID, at moment: Moment) -> Result<Answer?, RequestFailure> {
        leaveStream(id, at: moment)
        clients[id]?.subscription = nil
        // A waiting frame belongs to a stream that the client has left.
        actions.append(.dropFrame(id))
        return .success(.some(.none))
    }

    /// The view that a client watches.
    func viewKey(of id: ClientID, named name: String?) -> ViewKey {
        if let name { return .named(name) }
        return views[.own(id)] == nil ? .blank : .own(id)
    }

    /// Adds a subscribed client to the stream of its tier, and sends it the present state. `isRise`: it was in the
    /// approximate stream before.
    mutating func enterTier(
        _ id: ClientID, isRise: Bool = false, because reason: AuthorizationReason? = nil, at moment: Moment
    ) {
        guard let options = clients[id]?.subscription else { return }
        let tier = accuracy(of: id)
        leaveStream(id, at: moment)
        if options.include.contains(.source) { send(.source(sourceMessage(for: tier)), to: id) }
        tellAuthorization(id, because: reason)
        let key = viewKey(of: id, named: options.view)
        send(.view(viewMessage((views[key] ?? ViewState(name: "")).current(tier: tier), for: id)), to: id)
        enterStream(id, isRise: isRise, at: moment)
    }

    /// Puts a subscribed client into the stream that it asks for, and sends it how that looks now.
    mutating func enterStream(_ id: ClientID, isRise: Bool = false, at moment: Moment) {
        guard let client = clients[id], let options = client.subscription else { return }
        let key = StreamKey(options, view: viewKey(of: id, named: options.view), tier: accuracy(of: id))
        // Leaving a stream searches all of them.
        spent += Cost.subscription + streams.count / Cost.streamsPerPoint
        clients[id]?.stream = key
        if case .named = key.view { abandoned[key.view] = nil }
        var recipient = Recipient(client: id, sequence: client.frames)
        var snapshot = Snapshot(moment: moment, frameInterval: key.rate.frameInterval)
        var content = content(of: key, in: &snapshot)
        if isRise { content.puck?.discontinuity = true }
        var first = content
        if case .named = key.view, key.camera, first.camera == nil {
            first.camera = views[key.view]?.restingCamera(tier: key.tier)
        }
        if !first.isEmpty, !key.isMotion {
            recipient.countFrame(as: sharedNumber(of: key))
            clients[id]?.frames = recipient.sequence
            send(first, of: key, at: snapshot.moment, to: [recipient])
        }
        if streams[key] == nil {
            var stream = Stream(key: key, jumps: jumps(of: key.tier))
            if !content.isEmpty { stream.show(content, at: moment.monotonic) }
            streams[key] = stream
            if let limit = key.staleAfter { staleLimits.add(limit, lastFix: positioning.lastFix, at: moment.monotonic) }
            if let ticker = TickerKey(key) { tickers[ticker, default: Ticker(rate: ticker.rate)].streams.append(key) }
        }
        if !first.isEmpty, key.isMotion {
            sendFirstMotion(of: key, first, discontinuity: isRise, to: &recipient, at: moment)
        }
        streams[key]?.members.append(recipient)
        wake(key, at: moment)
        announce(snapshot.events, at: moment)
    }

    /// Removes a client from its stream. A stream without clients is removed.
    mutating func leaveStream(_ id: ClientID, at moment: Moment) {
        guard let key = clients[id]?.stream else { return }
        clients[id]?.stream = nil
        if let i = streams[key]?.members.firstIndex(where: { $0.client == id }) {
            let recipient = streams[key]?.members.remove(at: i)
            clients[id]?.frames = recipient?.sequence ?? 0
        }
        if streams[key]?.members.isEmpty == true { close(key) }
        if case .named = key.view, !streams.keys.contains(where: { $0.view == key.view }) {
            abandoned[key.view] = moment.monotonic
        }
    }

    private mutating func close(_ key: StreamKey) {
        streams[key] = nil
        motions[key] = nil
        if let limit = key.staleAfter, !streams.keys.contains(where: { $0.staleAfter == limit }) {
            staleLimits.remove(limit)
        }
        guard let ticker = TickerKey(key) else { return }
        tickers[ticker]?.streams.removeAll { $0 == key }
        if tickers[ticker]?.streams.isEmpty == true { tickers[ticker] = nil }
    }

    // MARK: The source

    func sourceMessage(for tier: AccuracyMode) -> SourceMessage {
        switch tier {
        case .precise: SourceMessage(precise: source)
        case .approximate:
            SourceMessage(
                approximateFix: positioning.approximateSource.state == .fix,
                since: positioning.approximateSource.since.utc)
        }
    }

    mutating func announceSource() { announceSource(to: .precise) }
    mutating func announceApproximateSource() { announceSource(to: .approximate) }

    private mutating func announceSource(to tier: AccuracyMode) {
        let line = ServerMessageEncoder.line(.source(sourceMessage(for: tier)))
        spent += clients.count
        for id in clients.keys.sorted() {
            guard let client = clients[id], client.stream?.tier == tier,
                client.subscription?.include.contains(.source) == true
            else { continue }
            actions.append(.send(id, line))
        }
    }
}
