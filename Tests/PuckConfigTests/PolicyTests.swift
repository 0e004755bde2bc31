import PuckCore
import Testing

@testable import PuckConfig

@Suite("Policy in the configuration")
struct PolicyTests {
    struct LookUpFailed: Error {}

    private func policy(_ text: String) throws -> NamedPolicy {
        try PuckConfiguration.parse(text: text, file: "f").policy
    }

    /// A host where puckd runs as 990, with the users root, alice (1000) and bob (1001), and the groups crew (50) and
    /// guests (60).
    private var host: UserDirectory<Never> {
        UserDirectory(
            own: 990, user: { ["root": 0, "alice": 1_000, "bob": 1_001][$0] },
            group: { ["crew": 50, "guests": 60][$0] })
    }

    @Test("by default root and puckd itself see and do all, everyone else is unknown")
    func defaults() {
        let resolved = NamedPolicy().resolved(by: host)
        let everything = Access(accuracy: .precise, roles: Set(Role.allCases))
        #expect(resolved.policy.access(of: ClientIdentity(user: 0, groups: [0])) == everything)
        #expect(resolved.policy.access(of: ClientIdentity(user: 990, groups: [990])) == everything)
        #expect(resolved.policy.access(of: ClientIdentity(user: 1_000, groups: [1_000, 50])) == .unknown)
        #expect(resolved.absent == [.group("puckd-precise")])
        #expect(resolved.errors.isEmpty)
    }

    @Test("by default the members of puckd-precise see the precise location, and do what everyone does")
    func preciseGroup() {
        var host = host
        host.group = { $0 == "puckd-precise" ? 70 : nil }
        let resolved = NamedPolicy().resolved(by: host)
        let member = ClientIdentity(user: 1_000, groups: [1_000, 70])
        #expect(resolved.policy.access(of: member) == Access(accuracy: .precise, roles: Access.unknown.roles))
        #expect(resolved.absent.isEmpty)
    }

    @Test("a rule that never applies is warned of, by its line")
    func deadRules() throws {
        let text = """
            [policy]
            rule = user:alice precise
            rule = user:alice approximate
            rule = any approximate
            rule = group:crew precise
            """
        let warnings = try policy(text).warningsOfDeadRules
        #expect(warnings.count == 2)
        #expect(warnings.first?.hasPrefix("line 3: [policy] rule: “user:alice” never applies, because line 2") == true)
        #expect(warnings.last?.hasPrefix("line 5: [policy] rule: “group:crew” never applies, because line 4") == true)
        #expect(try PuckConfiguration.parse(text: text, file: "f").warnings == warnings)
        #expect(NamedPolicy().warningsOfDeadRules.isEmpty)
        #expect(try policy("[policy]\nrule = group:crew precise\nrule = any approximate\n").warningsOfDeadRules.isEmpty)
    }

    static let writtenRules: [(String, NamedSubject, AccuracyMode, Set<Role>)] = [
        ("any approximate", .anyone, .approximate, Access.unknown.roles),
        ("self precise admin", .own, .precise, [.admin]),
        ("user:alice   precise\tcontroller provider", .user("alice"), .precise, [.controller, .provider]),
        ("group:crew precise observer observer", .group("crew"), .precise, [.observer]),
        ("user:1000 precise", .user("1000"), .precise, Access.unknown.roles),
    ]

    @Test("rules as they may be written", arguments: writtenRules)
    func rules(text: String, subject: NamedSubject, accuracy: AccuracyMode, roles: Set<Role>) throws {
        let rule = try #require(try policy("[policy]\nrule = \(text)\n").rules.first)
        #expect(rule == NamedPolicy.Rule(subject: subject, access: Access(accuracy: accuracy, roles: roles), line: 2))
    }

    @Test(
        "rules that are none",
        arguments: [
            "", "any", "precise", "alice precise", "user: precise", "group: precise", "user:alice exact",
            "user:alice precise watcher", "user:alice precise observer,controller", "Any precise", "precise any",
        ])
    func badRules(text: String) {
        #expect(throws: ConfigurationErrors.self) { try policy("[policy]\nrule = \(text)\n") }
    }

    @Test("a file's first rule takes the place of the defaults; all of its rules count, in order")
    func order() throws {
        let named = try policy("[policy]\nrule = user:bob approximate observer\n[log]\n[policy]\nrule = any precise\n")
        #expect(named.rules.map(\.line) == [2, 5])
        let policy = named.resolved(by: host).policy
        #expect(policy.access(of: ClientIdentity(user: 1_001, groups: [])).accuracy == .approximate)
        #expect(policy.access(of: ClientIdentity(user: 0, groups: [])).accuracy == .precise)
    }

    @Test(
        "a rule about nobody is passed over where that only takes away, and is an error where a later one gives more",
        arguments: [
            ("rule = user:ghost precise\n", true),
            ("rule = user:ghost precise\nrule = any approximate\n", true),
            ("rule = user:ghost approximate\nrule = any precise\n", false),
            ("rule = group:ghosts precise observer\n", false),
            ("rule = group:ghosts approximate observer controller\nrule = user:bob precise\n", false),
            ("rule = group:ghosts approximate observer controller\nrule = user:bob approximate provider\n", false),
            ("rule = user:4000 approximate observer\nrule = any precise\n", true),
        ])
    func absent(text: String, isFine: Bool) throws {
        let resolved = try policy("[policy]\n" + text).resolved(by: host)
        #expect(resolved.errors.isEmpty == isFine)
        guard !isFine else { return }
        #expect(resolved.errors.first?.line == 2)
        #expect(resolved.errors.first?.description.hasPrefix("f:2: [policy] rule: this host has no ") == true)
    }

    static let lossyRules: [(String, [String])] = [
        ("", []), ("rule = user:root precise admin\n", []), ("rule = self precise admin\n", ["root sees"]),
        ("rule = user:alice precise\n", ["nobody is admin", "root sees"]),
        ("rule = user:root precise\n", ["nobody is admin"]),
        ("rule = user:alice precise admin\nrule = any precise\n", []),
    ]

    @Test("rules that take from root what it has by default are warned of", arguments: lossyRules)
    func lost(rules: String, told: [String]) throws {
        let policy = try policy("[policy]\n" + rules).resolved(by: host).policy
        let warnings = NamedPolicy.warnings(of: policy, own: 990)
        #expect(warnings.count == min(1, told.count))
        for text in ["nobody is admin", "root sees"] {
            #expect(warnings.contains { $0.contains(text) } == told.contains(text), "\(warnings)")
        }
    }

    @Test("a failing look-up fails the whole policy")
    func failure() {
        let broken = UserDirectory<LookUpFailed>(
            own: 990, user: { _ throws(LookUpFailed) in throw LookUpFailed() }, group: { _ throws(LookUpFailed) in nil }
        )
        #expect(throws: LookUpFailed.self) { try NamedPolicy().resolved(by: broken) }
    }

    @Test("purposes, in order, for those that they name and that are there")
    func purposes() throws {
        let named = try policy(
            """
            [purpose rescue]
            description = Show rescuers where the boat is
            seconds = 600
            allow = group:crew user:ghost
            [purpose nearby]
            allow = any
            seconds = 0x3c
            description = Find what is near you
            """)
        #expect(named.purposes.map(\.key) == ["rescue", "nearby"])
        let resolved = named.resolved(by: host)
        #expect(resolved.absent.contains(.user("ghost")))
        let rescue = try #require(resolved.policy.purpose("rescue"))
        #expect(rescue.seconds == 600)
        #expect(rescue.description == "Show rescuers where the boat is")
        #expect(rescue.allows(ClientIdentity(user: 1, groups: [50])))
        #expect(!rescue.allows(ClientIdentity(user: 1, groups: [51])))
        #expect(resolved.policy.purpose("nearby")?.allows(ClientIdentity(user: 1, groups: [])) == true)
    }

    // Apart from the attribute, since Swift 6.0 fails on text with values within it.
    static let badPurposeTexts = [
        "[purpose]", "[purpose a b]", "[purpose ä]", "[purpose \(String(repeating: "k", count: 65))]",
        "[purpose p]\nseconds = 1\nallow = any", "[purpose p]\ndescription = d\nallow = any",
        "[purpose p]\ndescription = d\nseconds = 1", "[purpose p]\ndescription =\nseconds = 1\nallow = any",
        "[purpose p]\ndescription = d\nseconds = 0\nallow = any",
        "[purpose p]\ndescription = d\nseconds = nan\nallow = any",
        "[purpose p]\ndescription = d\nseconds = 86401\nallow = any",
        "[purpose p]\ndescription = d\nseconds = 1\nallow = everyone",
        "[purpose p]\ndescription = d\nseconds = 1\nallow =",
        "[purpose p]\ndescription = d\nseconds = 1\nallow = any\nlevel = 1",
    ]

    @Test("purposes that are none", arguments: badPurposeTexts)
    func badPurposes(text: String) {
        #expect(throws: ConfigurationErrors.self) { try policy(text + "\n") }
    }
}
