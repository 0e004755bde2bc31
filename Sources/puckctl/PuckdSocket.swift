import PuckClient
import PuckSystem

/// The socket on which puckd is sought, and those that were passed over for it.
struct PuckdSocket: Sendable {
    let path: String
    /// Sockets that come first, and why each does not do.
    private(set) var passedOver: [SystemError] = []

    /// A socket that somebody named.
    init(named path: String) { self.path = path }

    /// The socket of this user's own service if it accepts connections, else the system's. `runtimeDirectory` is what
    /// XDG_RUNTIME_DIR says.
    init(runtimeDirectory: String?) {
        guard let runtimeDirectory, !runtimeDirectory.isEmpty else {
            path = PuckClient.defaultPath
            return
        }
        let own = "\(runtimeDirectory)/puckd/puckd.sock"
        do throws(SystemError) {
            // It closes at once: whether somebody accepts is all there is to know.
            _ = try connectUnix(own)
            path = own
        } catch {
            path = PuckClient.defaultPath
            passedOver = [error]
        }
    }

    /// What to add to an error of this socket: what else was tried.
    var alsoTried: String {
        passedOver.isEmpty ? "" : "; also tried: " + passedOver.map(\.description).joined(separator: "; ")
    }
}
