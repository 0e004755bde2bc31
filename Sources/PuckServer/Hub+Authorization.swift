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
        settle(id, at: moment)
        return .success(nil)
    }

    mutating func bindEveryone(
        to mode: AccuracyMode, by id: ClientID, answering request: RequestID?, at moment: Moment
    ) -> Result<Answer?, RequestFailure> {
        if let failure = require(.admin, of: id, to: "setting the accuracy of everyone") {
            return refusal(of: id, failure, about: "system")
        }
        let bound: AccuracyMode? = mode == .approximate ? .approximate : nil
        // Kept and bound before it is said to be: who is answered can rely on it.
        if bound != systemAccuracy {
            systemAccuracy = bound
            actions.append(.save(.systemAccuracy(bound)))
            record(.systemSwitched, id, reason: mode.rawValue)
            for client in clients.keys.sorted() { settle(client, at: moment) }
        }
        return .success(.some(.none))
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
                    message: "unknown purpose; hello lists those that you may ask for",
                    field: "purpose"))
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
        guard client.access.accuracy != .precise, client.grant == nil else {
            return refusal(
                of: id, RequestFailure(code: .alreadyPrecise, message: "you may have precise accuracy already"),
                about: key)
        }
        clients[id]?.grant = Grant(purpose: key, expires: moment.advanced(by: purpose.seconds))
        clients[id]?.requested = nil
        tallies.grants += 1
        record(.granted, id, reason: key)
        send(.ok(id: request, .none), to: id)
        settle(id, at: moment)
        return .success(nil)
    }

    mutating func giveBack(
        _ id: ClientID, answering request: RequestID?, at moment: Moment
    ) -> Result<Answer?, RequestFailure> {
        send(.ok(id: request, .none), to: id)
        if clients[id]?.grant != nil { endGrant(of: id, .ended, at: moment) }
        return .success(nil)
    }

    mutating func expireGrants(at moment: Moment) {
        guard tallies.grants > 0 else { return }
        for id in clients.keys.sorted() {
            guard let expires = clients[id]?.grant?.expires, expires.monotonic <= moment.monotonic else { continue }
            endGrant(of: id, .expired, at: moment)
        }
    }

    /// Ends a grant, and tells the client before anything else is sent to it.
    mutating func endGrant(of id: ClientID, _ reason: AuthorizationReason, at moment: Moment) {
        guard let grant = clients[id]?.grant else { return }
        clients[id]?.grant = nil
        tallies.grants -= 1
        record(reason == .expired ? .expired : .ended, id, reason: grant.purpose)
        settle(id, because: reason, at: moment)
    }

    /// Brings a client to what it may now see: told first, then moved to the other tier's stream.
    mutating func settle(_ id: ClientID, because reason: AuthorizationReason? = nil, at moment: Moment) {
        guard let client = clients[id] else { return }
        let tier = client.accuracy(system: systemAccuracy)
        let before = client.told?.accuracy
        if before == .precise, tier == .approximate { actions.append(.dropFrame(id)) }
        tellAuthorization(id, because: reason)
        guard before != tier else { return }
        record(.switched, id, reason: "\(tier.rawValue) by \(clients[id]?.told?.reason.rawValue ?? "")")
        if client.subscription != nil { enterTier(id, because: reason, at: moment) }
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
    private mutating func refusal(
        of id: ClientID, _ failure: RequestFailure, about what: String? = nil
    ) -> Result<Answer?, RequestFailure> {
        record(.refused, id, reason: failure.code.rawValue + (what.map { " for \($0)" } ?? ""))
        return .failure(failure)
    }

    private func notPrecise(_ client: HubClient) -> String {
        systemAccuracy == .approximate
            ? "an administrator set approximate accuracy for everyone; puckctl accuracy precise lifts it, with the role admin"
            : "the policy allows you approximate accuracy; for a while, requestPrecise may give more for one of the purposes "
                + "in hello"
    }
}
