import PuckCore
import PuckWire

// Reports about the daemon itself.
extension Hub {
    /// The answer to `status`. For an approximate client, it contains nothing about the receiver or other clients.
    mutating func report(for id: ClientID, at moment: Moment) -> StatusReport {
        spent += Cost.status
        let policy = clients[id].map(policyReport)
        guard accuracy(of: id) == .precise else {
            return StatusReport(versions: settings.versions.filter(\.isOwn), policy: policy)
        }
        let counters = positioning.counters
        var figures = [
            NamedFigure("reports", Double(counters.reports)),
            NamedFigure("epochs", Double(counters.epochs)),
            NamedFigure("fixes", Double(counters.fixes)),
            NamedFigure("discontinuities", Double(positioning.jumps)),
        ]
        figures += RefusalReason.allCases.filter { counters.refused[$0] > 0 }.map { reason in
            NamedFigure("refused.\(reason.rawValue)", Double(counters.refused[reason]))
        }
        figures += [
            NamedFigure("connections", Double(tallies.connections)),
            NamedFigure("requests", Double(tallies.requests)),
            NamedFigure("refusals", Double(tallies.refusals)),
            NamedFigure("violations", Double(tallies.violations)),
            NamedFigure("framesMade", Double(tallies.framesMade)),
            NamedFigure("framesSent", Double(tallies.framesSent)),
        ]
        if tallies.failedSaves > 0 { figures.append(NamedFigure("failedSaves", Double(tallies.failedSaves))) }
        let rates = positioning.cycle.map { [NamedFigure("fixes", 1 / $0)] } ?? []
        return StatusReport(
            versions: settings.versions, uptime: max(0, moment.monotonic.seconds(since: started.monotonic)),
            source: sourceMessage(for: .precise), clients: clients.count, rates: rates, counters: figures,
            policy: policy)
    }

    /// What the policy gives this client. It reveals nothing about other clients.
    private func policyReport(of client: HubClient) -> StatusReport.Policy {
        StatusReport.Policy(
            accuracy: client.access.accuracy, roles: Role.allCases.filter(client.access.roles.contains),
            preciseGroups: settings.policy.preciseGroups(for: client.origin.identity),
            file: settings.configurationFile, hasDefaultRules: settings.hasDefaultRules)
    }

    mutating func who(_ id: ClientID, answering request: RequestID?) -> Result<Answer?, RequestFailure> {
        if let failure = require(.admin, of: id, to: "seeing who is connected") { return .failure(failure) }
        spent += clients.count * Cost.listed
        let connections = clients.sorted { $0.key < $1.key }.map { id, client in
            var connection = Connection(
                client: id.number, roles: Role.allCases.filter(client.access.roles.contains),
                accuracy: client.accuracy(system: systemAccuracy), since: client.since.utc)
            connection.pid = client.origin.process.map(Int.init)
            connection.uid = Int(client.origin.identity.user)
            connection.user = client.origin.userName
            connection.program = client.origin.program
            connection.allowed = client.best(system: systemAccuracy)
            connection.purpose = client.grant?.purpose
            connection.rate = client.subscription?.rate
            connection.view = client.subscription.map { $0.view ?? "" }
            return connection
        }
        // The number of a client's frames reveals how the device moves, so an approximate admin does not see it.
        guard accuracy(of: id) == .precise else { return .success(.connections(connections)) }
        actions.append(.tellConnections(id, id: request, connections))
        return .success(nil)
    }
}

extension StatusReport.Version {
    /// Whether it is puckd's own version, which `hello` sends to every client anyway.
    fileprivate var isOwn: Bool { name == "puckd" }
}
