import PuckCore
import PuckWire

// Who may see what: requests for less, grants, and what an admin sets for everyone.
extension Hub {
    func accuracy(of id: ClientID) -> AccuracyMode {
        clients[id]?.accuracy(system: systemAccuracy) ?? .approximate
    }

    mutating func ask(
        _ id: ClientID, for mode: AccuracyMode, answering request: RequestID?, at moment: Moment
    ) -> Result<Answer?, RequestFailure> {
        guard let client = clients[id] else { return .success(nil) }
        guard mode == .approximate || client.best(system: systemAccuracy) == .precise else {
            return refusal(
                of: id, RequestFailure(code: .notPermitted, message: notPrecise(client), field: "mode"))
        }
        clients[id]?.requested = mode == .precise ? nil : .approximate
        send(.ok(id: request, .none), to: id)
        settle([id], at: moment)
        return .success(nil)
    }

    mutating func grant(
        _ id: ClientID, _ key: String, answering request: RequestID?, at moment: Moment
    ) -> Result<Answer?, RequestFailure> {
        guard let client = clients[id] else { return .success(nil) }
        guard let purpose = settings.policy.purpose(key) else {
            // The key is the client's own words, which have no place in the journal.
            return refusal(
                of: id,
                RequestFailure(
                    code: .unknownPurpose,
                    message: "unknown purpose; hello lists the purposes that you may use",
                    field: "purpose"))
        }
        guard client.best(system: systemAccuracy) != .precise else {
            return refusal(
                of: id,
                RequestFailure(code: .alreadyPrecise, message: "the policy already allows you precise accuracy"),
                about: key)
        }
        guard purpose.allows(client.origin.identity) else {
            return refusal(
                of: id,
                RequestFailure(
                    code: .notPermitted,
                    message: "the policy does not let you ask for this purpose; ask an administrator to add user:"
                        + "\(advice(for: client).user) to “allow” of [purpose \(key)] in \(settings.configurationFile)",
                    field: "purpose"),
                about: key)
        }
        guard systemAccuracy != .approximate else {
            return refusal(
                of: id, RequestFailure(code: .notPermitted, message: notPrecise(client)), about: key)
        }
        clients[id]?.grant = Grant(purpose: key, expires: moment.advanced(by: purpose.seconds))
        clients[id]?.requested = nil
        reckonExpiry()
        record(.granted, id, reason: key)
        send(.ok(id: request, .none), to: id)
        settle([id], at: moment)
        return .success(nil)
    }

    mutating func giveBack(
        _ id: ClientID, answering request: RequestID?, at moment: Moment
    ) -> Result<Answer?, RequestFailure> {
        send(.ok(id: request, .none), to: id)
        if clients[id]?.grant != nil { endGrant(of: id, .ended, at: moment) }
        return .success(nil)
    }

    /// Ends the grants that are over by either clock: the UTC clock that `expires` was told in, and the other, which nobody
    /// sets. The first thing that any event does, so that a host that slept or a process that was stopped shows nothing more.
    public mutating func expireGrants(at moment: Moment) {
        guard let nextExpiry, nextExpiry.isReached(at: moment) else { return }
        let over = clients.keys.sorted().filter { clients[$0]?.grant?.expires.isReached(at: moment) == true }
        for id in over { takeGrant(of: id, .expired) }
        settle(over, because: .expired, at: moment)
    }

    /// Ends a grant, and tells the client before anything else is sent to it.
    mutating func endGrant(of id: ClientID, _ reason: AuthorizationReason, at moment: Moment) {
        guard takeGrant(of: id, reason) else { return }
        settle([id], because: reason, at: moment)
    }

    /// Ends all grants: what an admin ends does not come back by itself.
    mutating func endAllGrants() {
        guard nextExpiry != nil else { return }
        for id in clients.keys.sorted() { takeGrant(of: id, .ended) }
    }

    /// Takes a client's grant from it; the client is yet to be settled. False if it has none.
    @discardableResult
    mutating func takeGrant(of id: ClientID, _ reason: AuthorizationReason) -> Bool {
        guard let grant = clients[id]?.grant else { return false }
        clients[id]?.grant = nil
        reckonExpiry()
        record(reason == .expired ? .expired : .ended, id, reason: grant.purpose)
        return true
    }

    /// Reckons when the first grant ends, by each clock.
    private mutating func reckonExpiry() {
        let expiries = clients.values.compactMap { $0.grant?.expires }
        nextExpiry = expiries.first.map { first in
            expiries.reduce(first) { Moment(monotonic: min($0.monotonic, $1.monotonic), utc: min($0.utc, $1.utc)) }
        }
    }

    /// Brings clients to what they may now see. All are told, and have left their streams, before any frame is made: else
    /// what one of them sets off would show others what they may not see any more.
    mutating func settle(_ ids: [ClientID], because reason: AuthorizationReason? = nil, at moment: Moment) {
        for move in inform(ids, because: { _ in reason }, at: moment) {
            enterTier(move.id, isRise: move.isRise, because: reason, at: moment)
        }
    }

    /// A client that is to enter another tier.
    struct Move {
        let id: ClientID
        let isRise: Bool
    }

    /// The first half of `settle`: tells clients what they may now see, and takes those that may see something else out of
    /// their streams. Returns who is yet to enter one.
    mutating func inform(
        _ ids: [ClientID], because reason: (ClientID) -> AuthorizationReason?, at moment: Moment
    ) -> [Move] {
        var moves: [Move] = []
        for id in ids {
            guard let client = clients[id] else { continue }
            let tier = client.accuracy(system: systemAccuracy)
            let before = client.told?.accuracy
            if before == .precise, tier == .approximate { actions.append(.dropFrame(id)) }
            tellAuthorization(id, because: reason(id))
            guard before != tier else { continue }
            record(.switched, id, reason: "\(tier.rawValue) by \(clients[id]?.told?.reason.rawValue ?? "")")
            guard client.subscription != nil else { continue }
            moves.append(Move(id: id, isRise: client.stream?.tier == .approximate && tier == .precise))
            leaveStream(id, at: moment)
        }
        return moves
    }

    /// Tells a client its authorization, where that is not what it was told last.
    mutating func tellAuthorization(_ id: ClientID, because reason: AuthorizationReason? = nil) {
        guard let client = clients[id] else { return }
        let message = authorization(of: client, because: reason)
        guard client.told != message else { return }
        clients[id]?.told = message
        send(.authorization(message), to: id)
    }

    func authorization(of client: HubClient, because reason: AuthorizationReason? = nil) -> AuthorizationMessage {
        AuthorizationMessage(
            accuracy: client.accuracy(system: systemAccuracy), allowed: client.best(system: systemAccuracy),
            reason: reason ?? client.reason(system: systemAccuracy), purpose: client.grant?.purpose,
            expires: client.grant?.expires.utc)
    }

    /// Refuses more accuracy, and puts it on record: why, and what of all that is declared it was about.
    mutating func refusal(
        of id: ClientID, _ failure: RequestFailure, about what: String? = nil
    ) -> Result<Answer?, RequestFailure> {
        record(.refused, id, reason: failure.code.rawValue + (what.map { " for \($0)" } ?? ""))
        return .failure(failure)
    }

    private func notPrecise(_ client: HubClient) -> String {
        systemAccuracy == .approximate
            ? "an administrator set approximate accuracy for everyone; puckctl accuracy precise lifts it, with the role admin"
            : "the policy allows you approximate accuracy; requestPrecise with a purpose from hello may give you more "
                + "for a limited time"
    }
}
