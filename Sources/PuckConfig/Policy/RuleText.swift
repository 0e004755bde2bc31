import PuckCore

extension NamedPolicy.Rule {
    static let expected =
        "“WHO ACCURACY ROLE…”, where WHO is \(NamedSubject.expected), ACCURACY is precise or approximate, "
        + "and each ROLE is one of \(Role.allCases.map(\.rawValue).joined(separator: ", "))"
    static let example = "group:puckd-precise precise observer controller"

    /// Parses a rule; nil if the text is not a rule. A rule without roles gives the default roles, observer and
    /// controller.
    init?(_ text: String, line: Int) {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard words.count >= 2, let subject = NamedSubject(words[0]),
            let accuracy = AccuracyMode(rawValue: String(words[1]))
        else { return nil }
        let roles = words.dropFirst(2).compactMap { Role(rawValue: String($0)) }
        guard roles.count == words.count - 2 else { return nil }
        self.init(
            subject: subject,
            access: Access(accuracy: accuracy, roles: roles.isEmpty ? Access.unknown.roles : Set(roles)), line: line)
    }
}
