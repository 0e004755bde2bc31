import PuckClient
import PuckSystem

/// A socket for one command. Each connection to it is forwarded to puckd with a grant. The socket is in a directory
/// that only this user can enter, and is removed with this object.
final class GrantRelay {
    /// The path for the command to connect to.
    let path: String

    private let directory: String
    private let puckd: String
    private let purpose: String
    private let loop: EventLoop
    private var acceptor: Acceptor?
    private var links: [Int: GrantLink] = [:]
    /// The link that was connected before the command started; nil once the command uses it.
    private var waiting: Int?
    private var count = 0
    private let onFirst: (GrantLink.Event) -> Void
    /// The last reason why a connection could not be served, to report it only once while the command keeps
    /// reconnecting.
    private var lastProblem: String?

    /// Requests `purpose` at once from puckd at the socket `puckd`. `onFirst` receives the result for the first link.
    /// Later events, and those of other links, are reported on standard error.
    init(
        puckd: String, purpose: String, loop: EventLoop, onFirst: @escaping (GrantLink.Event) -> Void
    ) throws(SystemError) {
        self.puckd = puckd
        self.purpose = purpose
        self.loop = loop
        self.onFirst = onFirst
        let parent = environmentVariable("XDG_RUNTIME_DIR") ?? environmentVariable("TMPDIR") ?? "/tmp"
        directory = try createTemporaryDirectory(in: parent, prefix: "puckctl-")
        path = "\(directory)/puckd.sock"
        waiting = try connect()
    }

    deinit {
        acceptor = nil
        // If they can't be removed, they do no harm, because only this user can enter the directory.
        try? removeFile(path + ".lock")
        try? removeDirectory(directory)
    }

    /// Lets the command connect.
    func listen() throws(SystemError) {
        let socket = try ListeningSocket(path: path, mode: 0o600)
        acceptor = try Acceptor(on: loop, socket: socket, onProblem: { _ in }) {
            [weak self] connection in
            if let socket = connection.release() { self?.accept(socket) }
        }
    }

    private func connect() throws(SystemError) -> Int {
        count += 1
        let number = count
        links[number] = try GrantLink(to: puckd, purpose: purpose, loop: loop) { [weak self] event in
            self?.handle(event, of: number)
        }
        return number
    }

    private func accept(_ connection: consuming FileDescriptor) {
        guard let link = takeLink() else { return }
        do throws(SystemError) { try link.serve(connection) } catch { cannotServe(error) }
    }

    /// Returns the link that waits, or a new one.
    private func takeLink() -> GrantLink? {
        do throws(SystemError) {
            let number = if let waiting { waiting } else { try connect() }
            waiting = nil
            lastProblem = nil
            return links[number]
        } catch {
            cannotServe(error)
            return nil
        }
    }

    private func cannotServe(_ error: SystemError) {
        let problem = "a connection of the command can't be served: \(error)"
        if problem != lastProblem { complain(problem) }
        lastProblem = problem
    }

    private func handle(_ event: GrantLink.Event, of number: Int) {
        switch event {
        case .over:
            links[number] = nil
            if waiting == number { waiting = nil }
            if number == 1 { onFirst(event) }
        case .granted, .refused:
            if number == 1 { return onFirst(event) }
            if case .refused(let error, _) = event, error.code != .alreadyPrecise {
                complain("a connection of the command stays approximate: \(error.message) (\(error.code.rawValue))")
            }
        case .ended(let reason):
            let why =
                switch reason {
                case .expired: "has expired"
                case .system: "has ended: an administrator set approximate accuracy for everyone"
                default: "has ended: it was returned or revoked"
                }
            complain("the grant for “\(purpose)” \(why); the command was notified and continues")
        }
    }
}
