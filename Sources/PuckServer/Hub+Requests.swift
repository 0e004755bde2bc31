import PuckCore
import PuckWire

// Carries out each request.
extension Hub {
    mutating func carryOut(_ envelope: Envelope, of id: ClientID, at moment: Moment) {
        switch attempt(envelope, of: id, at: moment) {
        case .success(let answer):
            if let answer { send(.ok(id: envelope.id, answer), to: id) }
        case .failure(var failure):
            failure.id = envelope.id
            refuse(id, failure)
        }
    }

    /// The answer (nil if it was already sent), or the failure.
    private mutating func attempt(
        _ envelope: Envelope, of id: ClientID, at moment: Moment
    ) -> Result<Answer?, RequestFailure> {
        switch envelope.request {
        case .subscribe(let options): subscribe(id, options, answering: envelope.id, at: moment)
        case .unsubscribe: unsubscribe(id, at: moment)
        case .accuracy(let mode, .client): ask(id, for: mode, answering: envelope.id, at: moment)
        case .accuracy(let mode, .system): bindEveryone(to: mode, by: id, answering: envelope.id, at: moment)
        case .requestPrecise(let purpose): grant(id, purpose, answering: envelope.id, at: moment)
        case .endPrecise: giveBack(id, answering: envelope.id, at: moment)
        case .view(let name, let command): steer(id, view: name, command, answering: envelope.id, at: moment)
        case .place(let placement): place(id, placement, answering: envelope.id, at: moment)
        case .release: release(id, answering: envelope.id, at: moment)
        case .status: .success(.status(report(for: id, at: moment)))
        case .ping: .success(.pong(moment))
        case .who: who(id, answering: envelope.id)
        }
    }

    /// A refusal if the client lacks a role, with advice for an administrator.
    func require(_ role: Role, of id: ClientID, to what: String) -> RequestFailure? {
        guard let client = clients[id], !client.access.roles.contains(role) else { return nil }
        return RequestFailure(
            code: .notPermitted,
            message: "\(what) needs the role \(role.rawValue); \(advice(for: client).sentence(adding: role))")
    }

    /// The configuration line that gives a client more.
    func advice(for client: HubClient) -> PolicyAdvice {
        PolicyAdvice(
            user: client.origin.identity.user, name: client.origin.userName, access: client.access,
            file: settings.configurationFile, hasDefaultRules: settings.hasDefaultRules)
    }

    // MARK: Placing the location

    private mutating func place(
        _ id: ClientID, _ placement: Placement, answering request: RequestID?, at moment: Moment
    ) -> Result<Answer?, RequestFailure> {
        if let failure = require(.provider, of: id, to: "placing the location") { return .failure(failure) }
        if let failure = Self.ageFailure(of: placement, at: moment) { return .failure(failure) }
        send(.ok(id: request, .none), to: id)
        if placement.coordinate == nil {
            if clients[id]?.placesAttitude == false { record(.placed, id, reason: "attitude") }
            clients[id]?.placesAttitude = true
            follow(positioning.place(placement, by: id.number, at: moment), at: moment)
            return .success(nil)
        }
        spent += clients.count * Cost.watcher
        let wasPlaced = placer != nil
        placer = id
        follow(positioning.place(placement, by: id.number, at: moment), at: moment)
        if !wasPlaced { providerChanged(.placed, by: id, because: "request") }
        return .success(nil)
    }

    /// The failure for a placement whose instant is too old or in the future.
    private static func ageFailure(of placement: Placement, at moment: Moment) -> RequestFailure? {
        guard let instant = placement.instant else { return nil }
        let age = moment.monotonic.seconds(since: instant)
        guard age > Placement.oldest || age < -Self.mostAhead else { return nil }
        let tenths = (abs(age) * 10).rounded() / 10
        return RequestFailure(
            code: .badValue,
            message: "expected seconds of CLOCK_BOOTTIME at most \(Int(Placement.oldest)) s ago, got \(tenths) s "
                + (age > 0 ? "ago; place only what is newer" : "ahead; use the clock of “monotonic” in frames"),
            field: "monotonic")
    }

    /// How far an instant may be ahead of the server's, seconds. The server reads its clock some time before a request.
    private static let mostAhead = 0.1

    private mutating func release(
        _ id: ClientID, answering request: RequestID?, at moment: Moment
    ) -> Result<Answer?, RequestFailure> {
        if let failure = require(.provider, of: id, to: "releasing the location") { return .failure(failure) }
        send(.ok(id: request, .none), to: id)
        endPlacement(by: id, because: "request", at: moment)
        for other in clients.keys.sorted() { endAttitude(of: other, because: "request", at: moment) }
        return .success(nil)
    }

    /// Ends a client's placed location and attitude when the client can no longer update them: they would become outdated.
    mutating func giveBackLocation(of id: ClientID, because reason: String, at moment: Moment) {
        if placer == id { endPlacement(by: id, because: reason, at: moment) }
        endAttitude(of: id, because: reason, at: moment)
    }

    private mutating func endAttitude(of id: ClientID, because reason: String, at moment: Moment) {
        guard clients[id]?.placesAttitude == true else { return }
        clients[id]?.placesAttitude = false
        follow(positioning.forgetAttitude(by: id.number, at: moment), at: moment)
        record(.released, id, reason: reason)
    }

    private mutating func endPlacement(by id: ClientID, because reason: String, at moment: Moment) {
        guard placer != nil else { return }
        placer = nil
        follow(positioning.release(at: moment), at: moment)
        providerChanged(.released, by: id, because: reason)
    }

    private mutating func providerChanged(_ event: AuditRecord.Event, by id: ClientID, because reason: String) {
        source.provider = positioning.provider
        announceSource()
        record(event, id, reason: reason)
    }

    mutating func record(_ event: AuditRecord.Event, _ id: ClientID, reason: String) {
        guard let origin = clients[id]?.origin else { return }
        record(event, id, origin, reason: reason)
    }

    mutating func record(_ event: AuditRecord.Event, _ id: ClientID, _ origin: ClientOrigin, reason: String) {
        actions.append(
            .record(
                AuditRecord(
                    event: event, client: id, user: origin.identity.user, userName: origin.userName,
                    process: origin.process, reason: reason)))
    }
}
