/// How much a user has spent recently, which decides when it gets a turn.
enum Standing: Int, CaseIterable, Sendable {
    /// Little, as a map program or its user asks for.
    case light
    /// More than `light`.
    case medium
    /// Much.
    case heavy

    /// The same after a turn that left more input: behind all light users.
    var afterTurn: Standing { self == .light ? .medium : self }
}

/// The order of turns: users take turns, and so do the clients of each user. So a user with a hundred busy clients gets as
/// many turns as a user with one.
///
/// Light users go first, so they get a turn at once, however many other users are busy: one person can have very many users
/// (sub-uids). A user who had a turn and has more input goes behind them. (fq_codel's new and old flows, RFC 8290)
struct Turns: Sendable {
    private var lines = Standing.allCases.map { _ in Line<UInt32>() }
    private var clients: [UInt32: Line<ClientID>] = [:]
    /// Users that must wait until they have points. Their clients keep their places.
    private var resting: Set<UInt32> = []

    /// Whether no client waits for a turn.
    var isEmpty: Bool { lines.allSatisfy(\.isEmpty) }

    /// Adds a client to the end of its user's queue. It must not be in the queue already.
    mutating func add(_ client: ClientID, of user: UInt32, as standing: Standing) {
        if clients[user] == nil, !resting.contains(user) { lines[standing.rawValue].append(user) }
        clients[user, default: Line()].append(client)
    }

    /// Removes and returns the client whose turn it is, and the queue that its user was in. If other clients of this user
    /// wait, the user goes to the end of the queue that `standing` selects.
    mutating func next(standing of: (UInt32) -> Standing) -> (client: ClientID, of: Standing)? {
        for standing in Standing.allCases {
            guard let user = lines[standing.rawValue].popFirst() else { continue }
            guard let client = clients[user]?.popFirst() else { continue }
            if clients[user]?.isEmpty == false {
                lines[of(user).afterTurn.rawValue].append(user)
            } else {
                clients[user] = nil
            }
            return (client, standing)
        }
        return nil
    }

    /// Gives a user no turns until `wake`.
    mutating func rest(_ user: UInt32) {
        guard resting.insert(user).inserted else { return }
        for standing in Standing.allCases { lines[standing.rawValue].removeAll { $0 == user } }
    }

    /// Gives a user turns again, after `rest`.
    mutating func wake(_ user: UInt32) {
        guard resting.remove(user) != nil, clients[user] != nil else { return }
        lines[Standing.heavy.rawValue].append(user)
    }
}

/// A first-in, first-out queue.
private struct Line<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    /// Index of the first element.
    private var head = 0

    var isEmpty: Bool { head == elements.count }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        defer {
            head += 1
            if head == elements.count || head >= 64 {
                elements.removeSubrange(..<head)
                head = 0
            }
        }
        return elements[head]
    }

    mutating func removeAll(where condition: (Element) -> Bool) {
        elements.removeSubrange(..<head)
        head = 0
        elements.removeAll(where: condition)
    }
}
