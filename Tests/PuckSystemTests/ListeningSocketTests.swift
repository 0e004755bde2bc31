import Glibc
import Testing

@testable import PuckSystem

@Suite("Listening sockets")
struct ListeningSocketTests {
    let directory: TemporaryDirectory
    var path: String { directory["puckd.sock"] }

    init() throws { directory = try TemporaryDirectory() }

    private func error(_ body: () throws -> Void) -> SystemError? {
        do {
            try body()
            return nil
        } catch { return error as? SystemError }
    }

    @Test("the file has exactly the mode asked for, whatever the umask", arguments: [0o666, 0o660, 0o600] as [UInt32])
    func mode(_ mode: UInt32) throws {
        let socket = try ListeningSocket(path: path, mode: mode)
        #expect(directory.mode("puckd.sock") == mode)
        _ = socket
    }

    @Test("connections are accepted, non-blocking and closed on exec, and none is nil")
    func accept() throws {
        let socket = try ListeningSocket(path: path, mode: 0o600)
        var connection = try socket.acceptHeld()
        #expect(connection == nil)
        let client = try connectUnix(path)
        connection = try socket.acceptHeld()
        let number = try #require(connection?.number)
        #expect(fcntl(number, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
        #expect(Array("x".utf8).withUnsafeBytes { send($0, to: client.number) } == .bytes(1))
    }

    @Test("the file goes with its socket; the lock file stays")
    func removal() throws {
        do {
            let socket = try ListeningSocket(path: path, mode: 0o600)
            #expect(directory.names == ["puckd.sock", "puckd.sock.lock"])
            _ = socket
        }
        #expect(directory.names == ["puckd.sock.lock"])
    }

    @Test("a file that somebody else put in its place is left alone")
    func foreignFile() throws {
        do {
            let socket = try ListeningSocket(path: path, mode: 0o600)
            unlink(path)
            try replaceFile(path, with: [1])
            _ = socket
        }
        #expect(directory.names == ["puckd.sock", "puckd.sock.lock"])
    }

    @Test("a stale socket is replaced")
    func stale() throws {
        try leaveStaleSocket()
        #expect(error { _ = try connectUnix(path) }?.code == ECONNREFUSED)
        let socket = try ListeningSocket(path: path, mode: 0o660)
        let client = try connectUnix(path)
        #expect(try socket.acceptHeld() != nil)
        _ = client
    }

    @Test("that its directory is missing is said, with what to do")
    func missingDirectory() throws {
        let path = directory["none/puckd.sock"]
        let refusal = error { _ = try ListeningSocket(path: path, mode: 0o600) }
        #expect(refusal?.isNotFound == true)
        #expect(
            refusal?.description.hasPrefix("listen on \(path): the directory \(directory["none"]) does not exist")
                == true)
    }

    @Test("a second starter hears that another is there, and does it no harm")
    func secondStarter() throws {
        let first = try ListeningSocket(path: path, mode: 0o600)
        let refusal = error { _ = try ListeningSocket(path: path, mode: 0o600) }
        #expect(refusal?.code == EADDRINUSE)
        #expect(refusal?.description == "listen on \(path): another process listens there already")
        let client = try connectUnix(path)
        #expect(try first.acceptHeld() != nil)
        _ = client
    }

    @Test("a live socket of a program that knows nothing of the lock is left alone")
    func liveForeign() throws {
        let first = try ListeningSocket(path: path, mode: 0o600)
        unlink(path + ".lock")
        #expect(error { _ = try ListeningSocket(path: path, mode: 0o600) }?.code == EADDRINUSE)
        _ = try connectUnix(path)
        #expect(try first.acceptHeld() != nil)
    }

    @Test("what is not a socket is an error, and is left alone")
    func notASocket() throws {
        try replaceFile(path, with: Array("precious".utf8))
        let refusal = error { _ = try ListeningSocket(path: path, mode: 0o600) }
        #expect(refusal?.description == "listen on \(path): a file that is not a socket is in the way")
        #expect(try readFile(path, limit: 100) == Array("precious".utf8))
    }

    @Test("a link is not followed")
    func link() throws {
        symlink("/tmp/elsewhere", path)
        #expect(error { _ = try ListeningSocket(path: path, mode: 0o600) }?.code == EEXIST)
    }

    @Test("paths that no socket can have", arguments: ["", "a\0b", "/tmp/" + String(repeating: "x", count: 103)])
    func badPath(_ path: String) {
        #expect(error { _ = try ListeningSocket(path: path, mode: 0o600) } != nil)
        #expect(error { _ = try connectUnix(path) } != nil)
    }

    @Test("the longest path that fits, fits")
    func longestPath() throws {
        let long = directory[String(repeating: "x", count: 107 - directory.path.utf8.count - 1)]
        #expect(long.utf8.count == 107)
        do {
            let socket = try ListeningSocket(path: long, mode: 0o600)
            let client = try connectUnix(long)
            #expect(try socket.acceptHeld() != nil)
            _ = client
        }
        #expect(error { _ = try connectUnix(long + "x") }?.code == ENAMETOOLONG)
    }

    @Test("a directory that is not there")
    func noDirectory() {
        #expect(error { _ = try ListeningSocket(path: "/nowhere/puckd.sock", mode: 0o600) }?.code == ENOENT)
    }

    @Test("no service manager, no socket from it")
    func notActivated() throws {
        #expect(try ListeningSocket.fromServiceManager() == nil)
    }

    @Test(
        "a socket from the service manager is taken over if it is a listening Unix stream socket, and its file is left")
    func adopted() throws {
        let path = path
        let child = try ListeningSocket(path: path, mode: 0o600)
        do {
            let adopted = try ListeningSocket(adopting: FileDescriptor(owning: dup(child.descriptor)))
            let client = try connectUnix(path)
            #expect(try adopted.acceptHeld() != nil)
            _ = client
        }
        #expect(directory.names == ["puckd.sock", "puckd.sock.lock"])
    }

    @Test("other descriptors from the service manager are refused")
    func notAdopted() throws {
        let pair = try Ends()
        let tcp = try ListeningSocket(loopbackPort: 0)
        for descriptor in [pair.first.number, tcp.descriptor, open("/dev/null", O_RDONLY)] {
            let copy = dup(descriptor)
            #expect(error { _ = try ListeningSocket(adopting: FileDescriptor(owning: copy)) } != nil)
        }
    }

    @Test("a TCP port on the loopback interface, chosen by the host")
    func loopback() throws {
        let socket = try ListeningSocket(loopbackPort: 0)
        let port = try #require(socket.port)
        let client = try connectLoopback(port: port)
        #expect(try socket.acceptHeld() != nil)
        _ = client
    }

    @Test("the peer's credentials are those of this process")
    func credentials() throws {
        let socket = try ListeningSocket(path: path, mode: 0o600)
        let client = try connectUnix(path)
        let connection = try socket.acceptHeld()
        let peer = try PeerCredentials(of: try #require(connection?.number))
        #expect(peer.process == getpid())
        #expect(peer.user == geteuid())
        #expect(peer.group == getegid())
        var groups = [gid_t](repeating: 0, count: 65_536)
        let count = getgroups(Int32(groups.count), &groups)
        #expect(Set(peer.supplementaryGroups) == Set(groups.prefix(Int(count))))
        #expect(peer.identity.groups == Set(peer.supplementaryGroups + [peer.group]))
        _ = client
    }

    /// A socket file as a process leaves it that was killed.
    private func leaveStaleSocket() throws {
        let child = try ChildProcess(
            "python3",
            ["-c", "import socket,sys; s=socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen()", path])
        #expect(try child.wait() == .exited(0))
    }
}
