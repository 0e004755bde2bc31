import PuckClient

/// An explanation of what a user may see, why, and how to change it. This type is pure.
struct AccessInsight {
    let user: UInt32
    let name: String?
    let authorization: AuthorizationMessage
    let purposes: [Hello.Purpose]
    /// The policy for this user; nil if the daemon does not report it.
    let policy: StatusReport.Policy?
    /// The user's command line for puckctl.
    let puckctl: String

    private var file: String { policy?.file ?? "/etc/puckd/puckd.conf" }
    var who: String { name ?? "user \(user)" }

    private var advice: PolicyAdvice? {
        policy.map { policy in
            PolicyAdvice(
                user: user, name: name, access: Access(accuracy: policy.accuracy, roles: Set(policy.roles)),
                file: policy.file, hasDefaultRules: policy.hasDefaultRules)
        }
    }

    /// What to do to see the precise location, under the current policy.
    var remedies: [String] {
        guard authorization.accuracy == .approximate else { return [] }
        if authorization.reason == .system { return ["sudo \(puckctl) accuracy precise"] }
        if authorization.allowed == .precise { return ["ask for precise accuracy: the policy allows it"] }
        var remedies = (policy?.preciseGroups ?? []).prefix(3).map { group in
            "sudo usermod --append --groups \(group) \(advice?.user ?? who), and log in again"
        }
        if let advice {
            remedies.append("“\(advice.rule(accuracy: .precise))” \(advice.place); then: sudo systemctl reload puckd")
        }
        for purpose in purposes {
            remedies.append(
                "for \(fixed(purpose.seconds, 0)) s (\(purpose.description)): "
                    + "\(puckctl) request-precise \(purpose.key) -- COMMAND")
        }
        return remedies
    }

    /// Returns the output of `puckctl accuracy` at a time.
    func lines(at now: UTC) -> [String] {
        let pace = authorization.accuracy == .approximate ? "; \(approximatePace)" : ""
        var lines = ["you see   \(authorization.accuracy.rawValue) location\(pace)"]
        let reason = reason(at: now)
        lines.append("why       \(reason.why)")
        lines.append("until     \(reason.until)")
        lines.append("decides   \(reason.decides)")
        let changes = authorization.accuracy == .approximate ? remedies : restrictions
        for (index, change) in changes.enumerated() {
            lines.append((index == 0 ? "to change " : "      or  ") + change)
        }
        return lines
    }

    private func reason(at now: UTC) -> (why: String, until: String, decides: String) {
        let administrator = "an administrator, in \(file)"
        let change = "an administrator changes \(file)"
        switch authorization.reason {
        case .system:
            return (
                "an administrator set approximate location for everyone", "an administrator changes it",
                "an administrator, by \(puckctl) accuracy"
            )
        case .client: return ("this program asked for less", "it asks for more or ends", "you")
        case .purpose:
            let rest = authorization.expires.map { max(0, $0.seconds(since: now)) }
            let end = rest.map { "\(fixed($0, 0)) s from now, or until the program ends" } ?? "the program ends"
            return ("a grant for the purpose “\(authorization.purpose ?? "?")”", end, "you, and \(administrator)")
        case .policy, .expired, .ended:
            let source = policy?.hasDefaultRules == true ? "the default policy gives" : "the policy gives"
            return ("\(source) you (\(who)) \(authorization.accuracy.rawValue) location", change, administrator)
        }
    }

    /// What to do to see less.
    private var restrictions: [String] {
        [
            "for one program: \(puckctl) watch --accuracy approximate, or its own request “accuracy”",
            "for everyone, as an admin: \(puckctl) accuracy approximate",
        ]
    }
}
