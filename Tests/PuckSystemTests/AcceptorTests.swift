import Glibc
import Testing

@testable import PuckSystem

@Suite("Accepting")
struct AcceptorTests {
    @Test("every waiting connection is handed over, more than one burst of them")
    func many() throws {
        let directory = try TemporaryDirectory()
        let loop = try EventLoop()
        let socket = try ListeningSocket(path: directory["s"], mode: 0o600)
        var numbers: [Int32] = []
        let acceptor = try Acceptor(on: loop, socket: socket, onProblem: { _ in Issue.record("no problem expected") }) {
            numbers.append($0.number)
        }
        var clients: [Held] = []
        for _ in 0..<150 { clients.append(Held(try connectUnix(directory["s"]))) }
        while try loop.runOnce(timeout: 0) {}
        #expect(numbers.count == 150)
        acceptor.cancel()
        clients.append(Held(try connectUnix(directory["s"])))
        while try loop.runOnce(timeout: 0) {}
        #expect(numbers.count == 150)
    }

    @Test("out of descriptors: who comes is told so and turned away, nothing spins, and afterwards all is well")
    func exhaustion() throws {
        try withDescriptorsOfItsOwn { scene in
            let client = try scene.connect()
            let taken = fillDescriptors()
            try scene.settle()
            #expect(scene.problems == [.turnedAway(SystemError("accept a connection", code: EMFILE))])
            #expect(scene.accepted == 0)
            #expect(try !scene.loop.runOnce(timeout: 0))
            var buffer = [UInt8](repeating: 0, count: 10)
            #expect(buffer.withUnsafeMutableBytes { receive(from: client.number, into: $0) } == .bytes(5))
            #expect(String(decoding: buffer.prefix(5), as: UTF8.self) == "sorry")
            #expect(buffer.withUnsafeMutableBytes { receive(from: client.number, into: $0) } == .closed)

            for descriptor in taken.suffix(2) { close(descriptor) }
            let second = try scene.connect()
            try scene.settle()
            #expect(scene.accepted == 1)
            #expect(scene.problems.count == 1)
            second.close()
        }
    }

    @Test("where turning away does not work either, accepting rests, and goes on after")
    func rest() throws {
        try withDescriptorsOfItsOwn { scene in
            let client = try scene.connect()
            scene.acceptor?.reserve = nil
            let taken = fillDescriptors()
            try scene.settle()
            #expect(scene.problems == [.resting(SystemError("accept a connection", code: EMFILE))])
            for descriptor in taken.suffix(2) { close(descriptor) }
            #expect(try !scene.loop.runOnce(timeout: 0))
            scene.acceptor?.resume()
            try scene.settle()
            #expect(scene.accepted == 1)
            client.close()
        }
    }

    /// Takes every descriptor that is left.
    private func fillDescriptors() -> [Int32] {
        var taken: [Int32] = []
        while true {
            let next = dup(0)
            if next < 0 { return taken }
            taken.append(next)
        }
    }
}

/// An acceptor, its loop, and what it did.
private final class Scene {
    let directory: TemporaryDirectory
    let loop: EventLoop
    var acceptor: Acceptor?
    var problems: [Acceptor.Problem] = []
    var accepted = 0

    init() throws {
        directory = try TemporaryDirectory()
        loop = try EventLoop()
        let socket = try ListeningSocket(path: directory["s"], mode: 0o600)
        acceptor = try Acceptor(
            on: loop, socket: socket, farewell: Array("sorry".utf8),
            onProblem: { [unowned self] in problems.append($0) }, onConnection: { [unowned self] _ in accepted += 1 })
    }

    func connect() throws -> Held { Held(try connectUnix(directory["s"])) }
    func settle() throws { while try loop.runOnce(timeout: 0) {} }
}

/// Runs `body` on a thread that gets a descriptor table of its own, so that the other tests keep theirs.
private func withDescriptorsOfItsOwn(_ body: @escaping @Sendable (Scene) throws -> Void) throws {
    let loop = try EventLoop()
    var outcome: Result<Void, any Error>?
    let inbox = try loop.inbox(of: Result<Void, any Error>.self) {
        outcome = $0
        loop.exit(0)
    }
    let sender = inbox.sender
    try runInBackground {
        sender.send(
            Result {
                try unshareDescriptors()
                try body(try Scene())
            })
    }
    _ = try loop.run()
    try #require(outcome).get()
}

/// unshare(2), which the Glibc module leaves out, with its flag for the descriptor table.
private func unshareDescriptors() throws {
    typealias Unshare = @convention(c) (Int32) -> Int32
    let descriptorTable: Int32 = 0x400
    let unshare = unsafeBitCast(try #require(dlsym(nil, "unshare")), to: Unshare.self)
    try #require(unshare(descriptorTable) == 0)
}
