import PuckClient
import PuckSystem

/// The chain from the receiver to this user, as puckd reports it.
struct Chain: Sendable {
    private(set) var hello: Hello?
    private(set) var authorization: AuthorizationMessage?
    private(set) var source: SourceMessage?
    private(set) var report: StatusReport?
    private(set) var frame: Frame?
    /// The error if this user may not subscribe.
    private(set) var refusal: ClientError?
    /// The error that ended the examination.
    private(set) var failure: Failure?

    /// The time in seconds to wait for a frame. The slowest common receivers have a fix every two seconds.
    private static let patience = 3.0

    /// Queries the puckd that listens on a socket.
    init(puckd socket: PuckdSocket) async {
        do throws(Failure) {
            let session = try Session(socket: socket)
            let client = session.client
            let updates = client.updates
            try await record(session.ask(.status).answer)
            var options = SubscribeOptions()
            options.include = [.puck, .source]
            if case .failure(let error) = await client.result(of: .subscribe(options)) {
                refusal = error
                client.close()
            }
            let timer = Task {
                // The sleep throws if a frame has arrived first.
                guard (try? await Task.sleep(for: .seconds(Self.patience))) != nil else { return }
                client.close()
            }
            for await update in updates {
                record(update)
                if frame != nil { break }
            }
            timer.cancel()
            // If no frame arrived, the connection is already closed.
            if frame != nil { try await record(session.ask(.status).answer) }
        } catch {
            failure = error
        }
    }

    private mutating func record(_ answer: Answer) {
        guard case .status(let report) = answer else { return }
        self.report = report
        source = report.source ?? source
    }

    private mutating func record(_ update: Update) {
        if let frame = update.frame { self.frame = frame }
        switch update.event {
        case .connected(let hello): self.hello = hello
        case .authorization(let authorization): self.authorization = authorization
        case .source(let source): self.source = source
        default: break
        }
    }

    /// Whether there may be a receiver that puckd hides from this user.
    var hidesReceiver: Bool { hello != nil && source?.provider == nil }

    /// Returns the command that shows more, or nothing if no other user would see more. `puckctl` is the user's command
    /// line for puckctl.
    func remediesOfHiding(puckctl: String) -> [String] {
        let isForAll = Users.current == 0 || authorization?.reason == .system
        return hidesReceiver && !isForAll ? ["sudo \(puckctl) doctor"] : []
    }

    /// Returns the findings, starting at the receiver. `puckctl` is the user's command line for puckctl.
    func findings(socket: PuckdSocket, puckctl: String) -> [Finding] {
        if let failure {
            return [
                Finding(
                    subject: "puckd", verdict: .bad, text: failure.text(socket: socket) ?? "there is no answer",
                    remedies: failure.remedies)
            ]
        }
        var found: [Finding] = []
        if let hello {
            found.append(Finding(subject: "puckd", verdict: .ok, text: "\(hello.server) answers on \(socket.path)"))
        }
        if let source, source.provider != nil {
            found += sourceFindings(of: source, puckctl: puckctl)
        } else {
            found.append(
                Finding(
                    subject: "receiver", verdict: .unknown,
                    text: source?.state == .fix
                        ? "there is a fix; only precise clients learn more"
                        : "there is no fix; only precise clients learn more",
                    remedies: remediesOfHiding(puckctl: puckctl)))
        }
        // Report the rate and the clock only with a current fix of the receiver. Without one they are those of the last
        // fix.
        if let source, source.state == .fix, source.provider == .gpsd {
            if let report { found += rateFindings(of: report) }
            if let frame, let clock = clockFinding(of: frame) { found.append(clock) }
        }
        if let source, let compass = compassFinding(of: source, frame: frame) { found.append(compass) }
        if let refusal {
            found.append(Finding(subject: "frames", verdict: .bad, text: "\(refusal)"))
        } else if source?.state == .fix, frame == nil {
            found.append(Finding(subject: "frames", verdict: .bad, text: "none came in \(fixed(Self.patience, 0)) s"))
        }
        if let authorization, let hello {
            let insight = AccessInsight(
                user: Users.current, name: (try? Users.name(ofUser: Users.current)) ?? nil,
                authorization: authorization, purposes: hello.purposes, policy: report?.policy, puckctl: puckctl)
            found.append(policyFinding(insight, roles: hello.roles))
        }
        return found
    }
}

extension Failure {
    /// The commands to type if puckd does not answer.
    fileprivate var remedies: [String] {
        let look = ["systemctl status puckd.socket puckd.service", "journalctl -u puckd -n 20"]
        if case .client(.system(let error)) = self, error.isNotFound {
            return look + ["sudo systemctl enable --now puckd", "is the configuration right? puckd --check-config"]
        }
        // The socket is open, but puckd does not run or cannot start.
        return ["is the configuration right? puckd --check-config"] + look + ["sudo systemctl restart puckd"]
    }
}
