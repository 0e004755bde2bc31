import PuckSystem

/// A descriptor that the testing macros and collections can hold, since they want what can be copied.
final class Held {
    private var owned: FileDescriptor?
    let number: Int32

    init(_ descriptor: consuming FileDescriptor) {
        number = descriptor.number
        owned = consume descriptor
    }

    func close() { owned = nil }
}

/// A pair of connected sockets.
struct Ends {
    let first: Held
    let second: Held

    init() throws {
        let pair = try socketPair()
        first = Held(pair.first)
        second = Held(pair.second)
    }
}

extension ListeningSocket {
    /// As `accept()`.
    func acceptHeld() throws -> Held? {
        guard let connection = try accept() else { return nil }
        return Held(connection)
    }

    /// A waiting connection as puckd takes it.
    func acceptConnection() throws -> AcceptedConnection? {
        guard let connection = try accept() else { return nil }
        return AcceptedConnection(connection)
    }
}
