import PuckCore
import Testing

@Suite("Access policy")
struct AccessPolicyTests {
    static let alice = ClientIdentity(user: 1_000, groups: [1_000, 50])
    static let bob = ClientIdentity(user: 1_001, groups: [1_001])
    static let all = Access(accuracy: .precise, roles: Set(Role.allCases))

    @Test("who is unknown is approximate, watches and steers", arguments: [alice, bob])
    func unknown(client: ClientIdentity) {
        #expect(AccessPolicy().access(of: client) == Access(accuracy: .approximate, roles: [.observer, .controller]))
        let elsewhere = AccessPolicy(rules: [.init(.user(7), Self.all), .init(.group(8), Self.all)])
        #expect(elsewhere.access(of: client) == .unknown)
    }

    @Test("a rule is about its user, its group's members, or everyone")
    func subjects() {
        #expect(AccessSubject.user(1_000).includes(Self.alice))
        #expect(!AccessSubject.user(1_000).includes(Self.bob))
        #expect(AccessSubject.group(50).includes(Self.alice))
        #expect(!AccessSubject.group(50).includes(Self.bob))
        #expect(AccessSubject.anyone.includes(Self.bob))
        // A user's number is no group's.
        #expect(!AccessSubject.group(1_001).includes(ClientIdentity(user: 1_001, groups: [5])))
        #expect(!AccessSubject.user(5).includes(ClientIdentity(user: 1_001, groups: [5])))
    }

    @Test("the first rule about a client decides, also where a later one gives more")
    func firstMatch() {
        let watcher = Access(accuracy: .approximate, roles: [.observer])
        let policy = AccessPolicy(rules: [
            .init(.user(1_000), watcher), .init(.group(50), Self.all), .init(.anyone, Self.all),
        ])
        #expect(policy.access(of: Self.alice) == watcher)
        #expect(policy.access(of: Self.bob) == Self.all)
    }

    @Test("a purpose is for those it names, and for nobody where it names none")
    func purposes() {
        func purpose(_ allowed: [AccessSubject]) -> Purpose {
            Purpose(key: "rescue", description: "Find the boat", seconds: 60, allowed: allowed)
        }
        #expect(purpose([.group(50), .user(9)]).allows(Self.alice))
        #expect(!purpose([.group(50), .user(9)]).allows(Self.bob))
        #expect(!purpose([]).allows(Self.alice))
        let policy = AccessPolicy(purposes: [purpose([.anyone])])
        #expect(policy.purpose("rescue")?.seconds == 60)
        #expect(policy.purpose("Rescue") == nil)
    }

    @Test("access exceeds another by accuracy or by a role")
    func exceeding() {
        let watcher = Access(accuracy: .precise, roles: [.observer])
        #expect(Self.all.exceeds(watcher))
        #expect(!watcher.exceeds(Self.all))
        #expect(watcher.exceeds(.unknown))
        #expect(Access.unknown.exceeds(watcher))
        #expect(!watcher.exceeds(watcher))
    }
}
