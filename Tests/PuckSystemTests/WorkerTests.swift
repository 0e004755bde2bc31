import Glibc
import PuckCore
import Synchronization
import Testing

@testable import PuckSystem

@Suite("Worker")
struct WorkerTests {
    @Test("jobs are done in the order of asking, on another thread")
    func order() throws {
        let worker = try Worker(limit: 100)
        let done = Journal()
        let own = pthread_self()
        for number in 0..<100 { #expect(worker.submit { done.add(pthread_self() == own ? -1 : number) }) }
        #expect(worker.finish(within: 10))
        #expect(done.numbers == Array(0..<100))
    }

    @Test("what waits is bounded, and nothing is taken after the end")
    func bounds() throws {
        let worker = try Worker(limit: 2)
        let done = Journal()
        let gate = try Gate()
        #expect(worker.submit { gate.wait() })
        gate.untilReached()
        #expect(worker.submit { done.add(1) })
        #expect(worker.submit { done.add(2) })
        #expect(!worker.submit { done.add(3) })
        #expect(!worker.finish(within: 0))
        #expect(!worker.submit { done.add(4) })
        gate.open()
        #expect(worker.finish(within: 10))
        #expect(done.numbers == [1, 2])
    }
}

private final class Journal: Sendable {
    private let kept = Mutex<[Int]>([])
    var numbers: [Int] { kept.withLock { $0 } }
    func add(_ number: Int) { kept.withLock { $0.append(number) } }
}

/// Where a thread waits until it is let through.
final class Gate: Sendable {
    private let reached: (read: Int32, write: Int32)
    private let opened: (read: Int32, write: Int32)

    init() throws {
        func ends() throws -> (Int32, Int32) {
            var numbers: [Int32] = [0, 0]
            try #require(pipe(&numbers) == 0)
            return (numbers[0], numbers[1])
        }
        reached = try ends()
        opened = try ends()
    }
    deinit { for number in [reached.read, reached.write, opened.read, opened.write] { close(number) } }

    func wait() {
        pass(reached.write)
        take(opened.read)
    }
    func untilReached() { take(reached.read) }
    func open() { pass(opened.write) }

    private func pass(_ end: Int32) {
        var byte: UInt8 = 0
        _ = write(end, &byte, 1)
    }
    private func take(_ end: Int32) {
        var byte: UInt8 = 0
        _ = read(end, &byte, 1)
    }
}
