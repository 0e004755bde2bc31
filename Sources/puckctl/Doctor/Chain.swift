import PuckClient
import PuckSystem

/// What puckd says of the way from the receiver to this user.
struct Chain: Sendable {
    private(set) var hello: Hello?
    private(set) var authorization: AuthorizationMessage?
    private(set) var source: SourceMessage?
    private(set) var report: StatusReport?
    private(set) var frame: Frame?
    /// Why there is no more of it.
    private(set) var failure: Failure?

    /// How long to wait for a frame, seconds: the slowest usual receiver gives a fix every other second.
    private static let patience = 3.0

    /// Asks the puckd that listens on a socket.
    init(puckd socket: String) async {
        do throws(Failure) {
            let session = try Session(socket: socket)
            let updates = session.client.updates
            var options = SubscribeOptions()
            options.include = [.puck, .source]
            try await session.ask(.subscribe(options))
            let client = session.client
            let timer = Task {
                // It fails where the frame came first.
                guard (try? await Task.sleep(for: .seconds(Self.patience))) != nil else { return }
                client.close()
            }
            for await update in updates {
                note(update)
                if frame != nil { break }
            }
            timer.cancel()
            // Where no frame came the connection is closed, and there is little to report.
            if frame != nil, case .status(let report) = try await session.ask(.status).answer {
                self.report = report
                source = report.source ?? source
            }
        } catch {
            failure = error
        }
    }

    private mutating func note(_ update: Update) {
        if let frame = update.frame { self.frame = frame }
        switch update.event {
        case .connected(let hello): self.hello = hello
        case .authorization(let authorization): self.authorization = authorization
        case .source(let source): self.source = source
        default: break
        }
    }

    /// What was found, from the receiver's end on.
    func findings(socket: String) -> [Finding] {
        if let failure {
            return [
                Finding(
                    subject: "puckd", verdict: .bad, text: failure.text(socket: socket) ?? "there is no answer",
                    remedies: ["systemctl status puckd.socket puckd.service", "sudo systemctl start puckd.socket"])
            ]
        }
        var found: [Finding] = []
        if let hello {
            found.append(Finding(subject: "puckd", verdict: .ok, text: "\(hello.server) answers on \(socket)"))
        }
        if let source, source.provider != nil {
            found += receiverFindings(of: source)
        } else {
            found.append(
                Finding(
                    subject: "receiver", verdict: .unknown,
                    text: source?.state == .fix
                        ? "there is a fix; more is told to precise clients only"
                        : "there is no fix; more is told to precise clients only",
                    remedies: ["sudo puckctl doctor"]))
        }
        if let report { found += rateFindings(of: report) }
        if let frame, let clock = clockFinding(of: frame) { found.append(clock) }
        if source?.state == .fix, frame == nil {
            found.append(Finding(subject: "frames", verdict: .bad, text: "none came in \(fixed(Self.patience, 0)) s"))
        }
        if let authorization, let hello {
            let user = (try? Users.name(ofUser: Users.current)) ?? "user \(Users.current)"
            found += policyFindings(of: authorization, hello, user: user)
        }
        return found
    }
}
