import PuckClient
import PuckSystem

/// A socket of puckctl's own, for one command: whoever connects to it is connected on to puckd, with a grant asked for
/// first. It is in a directory that only this user can enter, and goes with this object.
final class GrantRelay {
    /// Where the command is to connect to.
    let path: String

    private let directory: String
    private let puckd: String
    private let purpose: String
    private let loop: EventLoop
    private var acceptor: Acceptor?
    private var links: [Int: GrantLink] = [:]
    /// The link that was asked for before the command began, until the command takes it.
    private var waiting: Int?
    private var count = 0
    private let onFirst: (GrantLink.Event) -> Void
    /// Why a connection could not be served, the last time: a command that reconnects meets the same again and again.
    private var lastProblem: String?

    /// Asks puckd at the socket `puckd` for `purpose` at once. What comes of that is told to `onFirst`; what comes of
    /// it later, and of other links, on standard error.
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
        // Where they can't be removed they harm nobody: the directory is this user's alone.
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

    /// The link that waits, or one more.
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
