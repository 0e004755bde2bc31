import PuckSystem

/// Checks whether gpsd answers on this host, and not a user who took its port while gpsd was not running: whoever
/// answers decides the location for everyone.
struct GPSDOwner {
    private let names: [String]
    /// How long a gpsd that has just started may take to accept a connection, seconds.
    private static let patience = 15.0
    /// The interval between checks whether it has, seconds.
    private static let pause = 0.1

    /// Trusts root, the user that puckd runs as, and the users in `configuration`.
    init(_ configuration: GPSDConfiguration) { names = configuration.owners }

    /// The reason not to trust the connection; nil: it is trusted. May take as long as gpsd takes to accept the
    /// connection.
    func objection(to socket: Int32) -> String? {
        guard !names.contains(GPSDConfiguration.anyOwner) else { return nil }
        do throws(SystemError) {
            let end = Clocks.now.monotonic.advanced(by: Self.patience)
            while true {
                switch try PeerOwner(ofConnection: socket) {
                case .user(let user):
                    return try trusts(user) ? nil : "its port is held by user \(user), who is not gpsd's (see owner)"
                case .notHere where !isLocal(socket): return nil
                case .notHere: return "the peer is gone"
                case .nobodyYet: break
                }
                guard Clocks.now.monotonic < end else { return "nobody accepts the connection" }
                if try waitUntilReady(socket, for: .peerClosed, timeout: Self.pause) != nil {
                    return "it closed the connection at once"
                }
            }
        } catch {
            return "its user cannot be found: \(error)"
        }
    }

    private func trusts(_ user: UInt32) throws(SystemError) -> Bool {
        if user == 0 || user == Users.current { return true }
        for name in names {
            if let id = try Users.id(ofUser: name), id == user { return true }
        }
        return false
    }

    /// Whether both ends are on this host, although the other one is no longer visible.
    private func isLocal(_ socket: Int32) -> Bool { (try? isLocalConnection(socket)) ?? true }
}
