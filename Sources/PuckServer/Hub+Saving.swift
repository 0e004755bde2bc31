import PuckCore
import PuckWire

/// A change of everyone's accuracy that waits until it is saved.
struct SystemSwitch: Sendable {
    let accuracy: AccuracyMode?
    /// The client that asked, and its request; nil: the start of the daemon.
    let client: ClientID?
    let origin: ClientOrigin?
    let request: RequestID?
    /// When the admin gets the error that the disk takes too long; nil once the request is answered.
    var due: Instant?

    /// How long an admin waits for an answer, seconds. A disk that takes longer may never finish.
    static let patience = 10.0
    /// Maximum number of waiting changes.
    static let most = 8
}

// Saves the state that must survive a restart.
extension Hub {
    /// Takes the outcome of a save that `HubAction.save` requested. Each save has one outcome, in the order of the requests.
    /// `failure` is the reason why `state` is not on the disk; nil: it is saved.
    public mutating func saved(_ state: KeptState, failure: String?, at moment: Moment) {
        expireGrants(at: moment)
        if failure != nil { tallies.failedSaves += 1 }
        switch state {
        case .coarsener: positioning.saved(isKept: failure == nil, at: moment)
        case .systemAccuracy: savedSystemAccuracy(failure: failure, at: moment)
        }
    }

    /// Binds everyone to approximate accuracy, or releases everyone. A bind takes effect at once, and is answered once it is
    /// on the disk. A release takes effect only once it is there.
    mutating func bindEveryone(
        to mode: AccuracyMode, by id: ClientID, answering request: RequestID?, at moment: Moment
    ) -> Result<Answer?, RequestFailure> {
        if let failure = require(.admin, of: id, to: "setting the accuracy of everyone") {
            return refusal(of: id, failure, about: "system")
        }
        let accuracy: AccuracyMode? = mode == .approximate ? .approximate : nil
        if accuracy == systemAccuracy, isSystemAccuracyKept, systemSwitches.isEmpty { return .success(.some(.none)) }
        spent += clients.count * Cost.subscription
        guard systemSwitches.count < SystemSwitch.most else {
            return .failure(
                RequestFailure(
                    code: .tooMany,
                    message: "\(SystemSwitch.most) such requests wait for the disk; wait for their answers"))
        }
        keep(
            SystemSwitch(
                accuracy: accuracy, client: id, origin: clients[id]?.origin, request: request,
                due: moment.monotonic.advanced(by: SystemSwitch.patience)))
        if accuracy == .approximate, systemAccuracy != .approximate {
            systemAccuracy = .approximate
            record(.systemSwitched, id, reason: mode.rawValue)
            endAllGrants()
            settle(clients.keys.sorted(), at: moment)
        }
        return .success(nil)
    }

    mutating func keep(_ change: SystemSwitch) {
        isSystemAccuracyKept = false
        systemSwitches.append(change)
        actions.append(.save(.systemAccuracy(change.accuracy)))
    }

    private mutating func savedSystemAccuracy(failure: String?, at moment: Moment) {
        guard !systemSwitches.isEmpty else { return }
        let done = systemSwitches.removeFirst()
        let isBindComing = systemSwitches.contains { $0.accuracy == .approximate }
        if failure == nil, done.accuracy != .approximate, systemAccuracy != nil, !isBindComing {
            systemAccuracy = nil
            if let client = done.client, let origin = done.origin {
                record(.systemSwitched, client, origin, reason: AccuracyMode.precise.rawValue)
            }
            settle(clients.keys.sorted(), at: moment)
        }
        if failure == nil, systemSwitches.isEmpty { isSystemAccuracyKept = done.accuracy == systemAccuracy }
        if done.due != nil { answer(done, failure: failure) }
    }

    /// Sends an error to the admins who have waited too long for the disk.
    mutating func answerLateSwitches(at moment: Moment) {
        for i in systemSwitches.indices {
            guard let due = systemSwitches[i].due, due <= moment.monotonic else { continue }
            systemSwitches[i].due = nil
            answer(systemSwitches[i], failure: "the disk has not answered for \(Int(SystemSwitch.patience)) s")
        }
    }

    private mutating func answer(_ change: SystemSwitch, failure: String?) {
        guard let id = change.client, clients[id] != nil else { return }
        guard let failure else { return send(.ok(id: change.request, .none), to: id) }
        let effect =
            change.accuracy == .approximate
            ? "everyone is limited to approximate until puckd restarts; this is not saved"
            : "everyone stays limited to approximate, because the change is not saved"
        refuse(
            id,
            RequestFailure(
                id: change.request, code: .notSaved,
                message: "\(effect): \(failure); free space in puckd's state directory and try again"))
    }
}
