import PuckClient
import PuckSystem

/// The socket of puckd, and the sockets that were tried before it.
struct PuckdSocket: Sendable {
    let path: String
    /// The errors of sockets that were tried first.
    private(set) var passedOver: [SystemError] = []

    /// Uses the socket at this path.
    init(named path: String) { self.path = path }

    /// Uses the socket of this user's own service if it accepts connections, or else the system's. `runtimeDirectory`
    /// is the value of XDG_RUNTIME_DIR.
    init(runtimeDirectory: String?) {
        guard let runtimeDirectory, !runtimeDirectory.isEmpty else {
            path = PuckClient.defaultPath
            return
        }
        let own = "\(runtimeDirectory)/puckd/puckd.sock"
        do throws(SystemError) {
            // The connection closes at once. Only the fact that it is accepted matters.
            _ = try connectUnix(own)
            path = own
        } catch {
            path = PuckClient.defaultPath
            passedOver = [error]
        }
    }

    /// The command line for puckctl that reaches this socket, also under sudo, which removes PUCKD_SOCKET.
    var puckctl: String {
        guard path != PuckClient.defaultPath else { return "puckctl" }
        // Between apostrophes, a shell takes all characters literally, except the apostrophe.
        let isPlain = path.allSatisfy { $0.isLetter || $0.isNumber || "/._-+:@%,".contains($0) }
        let apostrophe = #"'\''"#
        let quoted = path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: apostrophe)
        return "puckctl --socket \(isPlain ? path : "'\(quoted)'")"
    }

    /// A text to append to an error: the other sockets that were tried.
    var alsoTried: String {
        passedOver.isEmpty ? "" : "; also tried: " + passedOver.map(\.description).joined(separator: "; ")
    }
}
