/// Whose turn it is: one user after the other, and of each user one client after the other. So a user with a hundred
/// clients that have something to say is heard as often as a user with one.
struct Turns: Sendable {
    private var users = Line<UInt32>()
    private var clients: [UInt32: Line<ClientID>] = [:]
    /// Users that wait for a time of their own, whose clients keep their places.
    private var resting: Set<UInt32> = []

    /// Whether nobody has a turn now.
    var isEmpty: Bool { users.isEmpty }

    /// Puts a client at the end of its user's line. It must not stand in it already.
    mutating func add(_ client: ClientID, of user: UInt32) {
        if clients[user] == nil, !resting.contains(user) { users.append(user) }
        clients[user, default: Line()].append(client)
    }

    /// The client whose turn it is, which leaves its line; its user goes to the end.
    mutating func next() -> ClientID? {
        guard let user = users.popFirst() else { return nil }
        let client = clients[user]?.popFirst()
        if clients[user]?.isEmpty == false { users.append(user) } else { clients[user] = nil }
        return client
    }

    /// Passes over a user until `wake`.
    mutating func rest(_ user: UInt32) {
        guard resting.insert(user).inserted else { return }
        users.removeAll { $0 == user }
    }

    /// Gives a user turns again.
    mutating func wake(_ user: UInt32) {
        guard resting.remove(user) != nil, clients[user] != nil else { return }
        users.append(user)
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
