import Glibc
import PuckCore
import PuckSystem
import Testing

@Suite("Event loop")
struct EventLoopTests {
    @Test("a watch is told what a descriptor is ready for, and follows its interest")
    func watch() throws {
        let loop = try EventLoop()
        let pair = try Ends()
        var seen: [Readiness] = []
        let watch = try loop.watch(pair.first.number, for: .readable) { seen.append($0) }
        #expect(try !loop.runOnce(timeout: 0))
        _ = [UInt8(1)].withUnsafeBytes { send($0, to: pair.second.number) }
        #expect(try loop.runOnce(timeout: 1))
        watch.interest = .writable
        #expect(try loop.runOnce(timeout: 1))
        watch.interest = []
        #expect(try !loop.runOnce(timeout: 0))
        #expect(seen == [.readable, .writable])
    }

    @Test("the other end's going is told, asked for or not")
    func hangup() throws {
        let loop = try EventLoop()
        let pair = try Ends()
        var seen: Readiness = []
        let watch = try loop.watch(pair.first.number, for: .peerClosed) { seen.formUnion($0) }
        pair.second.close()
        #expect(try loop.runOnce(timeout: 1))
        #expect(seen.isSuperset(of: [.peerClosed, .hangup]))
        watch.cancel()
        #expect(try !loop.runOnce(timeout: 0))
    }

    @Test("a watch that cancels itself, or loses its last reference, within its handler")
    func cancelWithin() throws {
        let loop = try EventLoop()
        let pair = try Ends()
        var calls = 0
        var watch: IOWatch?
        watch = try loop.watch(pair.first.number, for: .writable) { _ in
            calls += 1
            watch?.cancel()
        }
        #expect(try loop.runOnce(timeout: 1))
        #expect(try !loop.runOnce(timeout: 0))
        watch = try loop.watch(pair.first.number, for: .writable) { _ in
            calls += 1
            watch = nil
        }
        #expect(try loop.runOnce(timeout: 1))
        #expect(try !loop.runOnce(timeout: 0))
        #expect(calls == 2)
    }

    @Test("a watch cancelled by another's handler in the same turn is not called")
    func cancelOther() throws {
        let loop = try EventLoop()
        let pair = try Ends()
        var calls = 0
        var watches: [IOWatch] = []
        for descriptor in [pair.first.number, pair.second.number] {
            watches.append(
                try loop.watch(descriptor, for: .writable) { _ in
                    calls += 1
                    for watch in watches { watch.cancel() }
                })
        }
        while try loop.runOnce(timeout: 0) {}
        #expect(calls == 1)
    }

    @Test("a cancelled watch lets go of what its handler holds")
    func release() throws {
        final class Witness {}
        let loop = try EventLoop()
        let pair = try Ends()
        weak var witness: Witness?
        let watch: IOWatch
        do {
            let held = Witness()
            witness = held
            watch = try loop.watch(pair.first.number, for: .readable) { _ in _ = held }
        }
        #expect(witness != nil)
        watch.cancel()
        #expect(witness == nil)
    }

    @Test("a descriptor can be watched again after its watch is cancelled")
    func again() throws {
        let loop = try EventLoop()
        let pair = try Ends()
        let first = try loop.watch(pair.first.number, for: .writable) { _ in }
        #expect(throws: SystemError.self) { try loop.watch(pair.first.number, for: .writable) { _ in } }
        first.cancel()
        var calls = 0
        let second = try loop.watch(pair.first.number, for: .writable) { _ in calls += 1 }
        #expect(try loop.runOnce(timeout: 1))
        second.cancel()
        #expect(calls == 1)
    }

    @Test("a timer fires once, in order, never early")
    func timer() throws {
        let loop = try EventLoop()
        let start = loop.now.monotonic
        var fired: [(Int, Moment)] = []
        let late = try loop.timer { fired.append((2, $0)) }
        let early = try loop.timer { fired.append((1, $0)) }
        late.arm(at: start.advanced(by: 0.02))
        early.arm(at: start.advanced(by: 0.01))
        #expect(early.deadline == start.advanced(by: 0.01))
        while fired.count < 2 { #expect(try loop.runOnce(timeout: 5)) }
        #expect(fired.map(\.0) == [1, 2])
        #expect(fired[0].1.monotonic >= start.advanced(by: 0.01))
        #expect(fired[1].1.monotonic >= start.advanced(by: 0.02))
        #expect(early.deadline == nil)
        #expect(try !loop.runOnce(timeout: 0))
    }

    @Test("a timer in the past fires at once; a disarmed one does not; it can be armed within its handler")
    func rearm() throws {
        let loop = try EventLoop()
        var count = 0
        var timer: LoopTimer?
        timer = try loop.timer { moment in
            count += 1
            if count < 3 { timer?.arm(at: moment.monotonic) }
        }
        #expect(try !loop.runOnce(timeout: 0))
        timer?.arm(at: Instant(nanoseconds: -5))
        while try loop.runOnce(timeout: 0) {}
        #expect(count == 3)
        timer?.arm(at: Instant(nanoseconds: .max))
        #expect(try !loop.runOnce(timeout: 0))
        timer?.arm(at: Instant(nanoseconds: 0))
        timer?.disarm()
        #expect(try !loop.runOnce(timeout: 0))
        timer?.arm(at: Instant(nanoseconds: 0))
        timer?.cancel()
        timer?.arm(at: Instant(nanoseconds: 0))
        #expect(try !loop.runOnce(timeout: 0))
        #expect(count == 3)
        timer = nil
    }

    @Test("exit ends the run with its code, the first code counts")
    func exit() throws {
        let loop = try EventLoop()
        let timer = try loop.timer { _ in
            loop.exit(3)
            loop.exit(4)
        }
        timer.arm(at: Instant(nanoseconds: 0))
        #expect(try loop.run() == 3)
    }

    @Test("signals are events of the loop, also those that came before it ran; their handler may hold the loop")
    func signals() throws {
        var seen: [Signal] = []
        weak var gone: EventLoop?
        do {
            let loop = try EventLoop()
            gone = loop
            try loop.onSignals([.user1, .hangUp]) { signal in
                seen.append(signal)
                if seen.count == 2 { loop.exit(0) }
            }
            // To this thread, which has them blocked: other tests have theirs.
            raise(SIGUSR1)
            raise(SIGHUP)
            #expect(try loop.run() == 0)
        }
        #expect(Set(seen) == [.user1, .hangUp])
        #expect(gone == nil)
    }

    @Test("what other threads send arrives whole, each thread's in order")
    func inbox() throws {
        let loop = try EventLoop()
        let threads = 4
        let each = 2_000
        var received: [Int: [Int]] = [:]
        var total = 0
        let inbox = try loop.inbox(of: (Int, Int).self) { thread, number in
            received[thread, default: []].append(number)
            total += 1
            if total == threads * each { loop.exit(0) }
        }
        for thread in 0..<threads {
            let sender = inbox.sender
            try runInBackground { for number in 0..<each { sender.send((thread, number)) } }
        }
        #expect(try loop.run() == 0)
        for thread in 0..<threads { #expect(received[thread] == Array(0..<each)) }
    }

    @Test("a letter box that is closed, or gone, takes nothing; the sender lives on")
    func closedInbox() throws {
        let loop = try EventLoop()
        var received = 0
        var inbox: Inbox<Int>? = try loop.inbox { received += $0 }
        let sender = try #require(inbox).sender
        sender.send(1)
        inbox?.close()
        sender.send(2)
        #expect(try !loop.runOnce(timeout: 0))
        inbox = nil
        sender.send(3)
        #expect(received == 0)
    }

    @Test("a letter box closed by its handler delivers nothing after")
    func closedWithin() throws {
        let loop = try EventLoop()
        var received: [Int] = []
        var inbox: Inbox<Int>?
        inbox = try loop.inbox {
            received.append($0)
            inbox?.close()
        }
        for number in 1...3 { inbox?.sender.send(number) }
        while try loop.runOnce(timeout: 0) {}
        #expect(received == [1])
    }

    @Test("thousands of descriptors at a time")
    func fanOut() throws {
        let count = 1_000
        try ResourceLimits.raiseOpenFiles(to: 8_192)
        let loop = try EventLoop()
        var calls = 0
        var kept: [(Ends, IOWatch)] = []
        for _ in 0..<count {
            let pair = try Ends()
            var watch: IOWatch?
            watch = try loop.watch(pair.first.number, for: .writable) { _ in
                calls += 1
                watch?.interest = []
            }
            if let watch { kept.append((pair, watch)) }
        }
        while try loop.runOnce(timeout: 0) {}
        #expect(calls == count)
        for (_, watch) in kept { watch.cancel() }
    }
}
