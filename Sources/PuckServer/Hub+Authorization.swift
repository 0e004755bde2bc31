import PuckCore
import PuckWire

// The accuracy of each client: requests for less, grants, and the accuracy that an admin sets for everyone.
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
            // The key is text from the client, which must not appear in the journal.
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

    /// Ends the grants that have expired by either clock: the UTC clock of `expires`, or the monotonic clock, which nobody
    /// sets. Every event does this first, so that nothing precise is sent after the host slept or the process was stopped.
    public mutating func expireGrants(at moment: Moment) {
        guard let nextExpiry, nextExpiry.isReached(at: moment) else { return }
        let over = clients.keys.sorted().filter { clients[$0]?.grant?.expires.isReached(at: moment) == true }
        for id in over { takeGrant(of: id, .expired) }
        settle(over, because: .expired, at: moment)
    }

    /// Ends a grant, and sends the client its new authorization before any other message.
    mutating func endGrant(of id: ClientID, _ reason: AuthorizationReason, at moment: Moment) {
        guard takeGrant(of: id, reason) else { return }
        settle([id], because: reason, at: moment)
    }

    /// Ends all grants. A grant that an admin ended does not return by itself.
    mutating func endAllGrants() {
        guard nextExpiry != nil else { return }
        for id in clients.keys.sorted() { takeGrant(of: id, .ended) }
    }

    /// Removes a client's grant. The caller must then `settle` the client. Returns false if it has no grant.
    @discardableResult
    mutating func takeGrant(of id: ClientID, _ reason: AuthorizationReason) -> Bool {
        guard let grant = clients[id]?.grant else { return false }
        clients[id]?.grant = nil
        reckonExpiry()
        record(reason == .expired ? .expired : .ended, id, reason: grant.purpose)
        return true
    }

    /// Computes when the first grant expires, by each clock.
    private mutating func reckonExpiry() {
        let expiries = clients.values.compactMap { $0.grant?.expires }
        nextExpiry = expiries.first.map { first in
            expiries.reduce(first) { Moment(monotonic: min($0.monotonic, $1.monotonic), utc: min($0.utc, $1.utc)) }
        }
    }

    /// Applies the accuracy that clients may now have. All of them get their new authorization and leave their streams before
    /// the hub makes a frame. Otherwise a change that one of them causes could show others what they may no longer see.
    mutating func settle(_ ids: [ClientID], because reason: AuthorizationReason? = nil, at moment: Moment) {
        for move in inform(ids, because: { _ in reason }, at: moment) {
            enterTier(move.id, isRise: move.isRise, because: reason, at: moment)
        }
    }

    /// A client that must enter another tier.
    struct Move {
        let id: ClientID
        let isRise: Bool
    }

    /// The first half of `settle`: sends clients their new authorization, and removes those whose tier changes from their
    /// streams. Returns the clients that must still enter a stream.
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

    /// Sends a client its authorization, if it differs from the last one sent.
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

    /// Refuses more accuracy, and records the reason and the declared purpose that the request names.
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
