/// How much a user has asked for lately, and so how soon it is heard.
enum Standing: Int, CaseIterable, Sendable {
    /// Little: what a person at a map, or a program that shows one, asks for.
    case light
    /// More than that.
    case medium
    /// Much.
    case heavy

    /// The same for who has had a turn and is not done: behind all who come with little.
    var afterTurn: Standing { self == .light ? .medium : self }
}

/// Whose turn it is: one user after the other, and of each user one client after the other. So a user with a hundred
/// clients that have something to say is heard as often as a user with one.
///
/// Whoever comes with little to ask goes first. So it is heard at once however many users shout: one person may have as many
/// of them as there are numbers (sub-uids). Who has had a turn and is not done goes behind. (fq_codel's new and old flows, RFC 8290)
struct Turns: Sendable {
    private var lines = Standing.allCases.map { _ in Line<UInt32>() }
    private var clients: [UInt32: Line<ClientID>] = [:]
    /// Users that wait for a time of their own, whose clients keep their places.
    private var resting: Set<UInt32> = []

    /// Whether nobody has a turn now.
    var isEmpty: Bool { lines.allSatisfy(\.isEmpty) }

    /// Puts a client at the end of its user's line. It must not stand in it already.
    mutating func add(_ client: ClientID, of user: UInt32, as standing: Standing) {
        if clients[user] == nil, !resting.contains(user) { lines[standing.rawValue].append(user) }
        clients[user, default: Line()].append(client)
    }

    /// The client whose turn it is, which leaves its line, and the line that its user stood in. If others of its clients wait,
    /// the user goes to the end of the line that `standing` says.
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

    /// Passes over a user until `wake`.
    mutating func rest(_ user: UInt32) {
        guard resting.insert(user).inserted else { return }
        for standing in Standing.allCases { lines[standing.rawValue].removeAll { $0 == user } }
    }

    /// Gives a user turns again.
    mutating func wake(_ user: UInt32) {
        guard resting.remove(user) != nil, clients[user] != nil else { return }
        lines[Standing.heavy.rawValue].append(user)
    }
}

/// First in, first out.
private struct Line<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    /// Index of the first that waits.
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
