import Glibc
import PuckCore
import Synchronization
import Testing

@testable import PuckSystem

@Suite("Log")
struct LogTests {
    final class Memory: LogSink {
        let entries = Mutex<[LogEntry]>([])
        func write(_ entry: LogEntry) { entries.withLock { $0.append(entry) } }
        var lines: [String] { entries.withLock { $0.map { "\($0.level) \($0.line)" } } }
    }

    /// A log that writes a message for each byte that it can read, and else waits.
    final class Slow: LogSink {
        let memory = Memory()
        let gate: SocketPair
        init() throws { gate = try socketPair() }
        func write(_ entry: LogEntry) {
            var byte: UInt8 = 0
            guard (try? waitUntilReady(gate.first.number, for: .readable, timeout: nil)) != nil,
                withUnsafeMutableBytes(of: &byte, { receive(from: gate.first.number, into: $0) }) == .bytes(1)
            else { return }
            memory.write(entry)
            // That it is written.
            withUnsafeBytes(of: &byte) { _ = send($0, to: gate.first.number) }
        }
        /// Lets so many messages through, and waits until they are written.
        func pass(_ count: Int) throws {
            let bytes = [UInt8](repeating: 1, count: count)
            #expect(bytes.withUnsafeBytes { send($0, to: gate.second.number) } == .bytes(count))
            var written = 0
            while written < count, try waitUntilReady(gate.second.number, for: .readable, timeout: 10) != nil {
                let received = receive(from: gate.second.number, atMost: count - written) { _ in }
                guard case .bytes(let more) = received else { break }
                written += more
            }
            #expect(written == count)
        }
    }

    @Test("a log that blocks holds up nobody, and says how many messages were left out meanwhile")
    func background() throws {
        let slow = try Slow()
        let limit = 50
        let background = try BackgroundSink(slow, limit: limit)
        let log = Log(level: .info, sink: background)
        // One is being written, or waits as well; the others wait, and two or three find no room.
        for number in 0..<limit + 3 { log.info("line", ["number": number]) }
        try slow.pass(20)
        log.info("last")
        // All that wait, the line about the gap, and the last; and one more, if one was being written.
        try slow.pass(limit - 20 + 2)
        let one: [UInt8] = [1]
        _ = one.withUnsafeBytes { send($0, to: slow.gate.second.number) }
        #expect(background.finish(within: 10))
        let lines = slow.memory.lines
        let count = lines.firstIndex { $0.contains("too slow") } ?? 0
        #expect(lines.prefix(count) == (0..<count).map { "info line number=\($0)" }[...])
        #expect(count == limit || count == limit + 1)
        let missing = limit + 3 - count
        #expect(lines.suffix(2) == ["warning the log was too slow for some messages messages=\(missing)", "info last"])
        log.info("after the end")
        #expect(slow.memory.lines.count == lines.count)
    }

    @Test("text and fields, in order, from the level on")
    func levels() {
        let memory = Memory()
        let log = Log(level: .notice, sink: memory)
        log.debug("left out")
        log.info("left out")
        log.notice("client connected", ["client": 3, "user": "alice", "precise": true])
        log.warning("slow", ["seconds": 1.5])
        log.error("stopped", ["reason": SystemError("bind /x", code: 13)])
        #expect(
            memory.lines == [
                "notice client connected client=3 user=alice precise=true",
                "warning slow seconds=1.5",
                "error stopped reason=\"bind /x: Permission denied\"",
            ])
    }

    @Test(
        "what a client sends can't pass for another field or line",
        arguments: [
            ("a b", "\"a b\""), ("", "\"\""), ("a=b", "\"a=b\""), ("a\nb", "\"a\\u{a}b\""),
            ("say \"hi\"", "\"say \\\"hi\\\"\""),
            ("back\\slash", "\"back\\\\slash\""), ("\u{1B}[31mred", "\"\\u{1b}[31mred\""),
            ("\u{202E}evil", "\"\\u{202e}evil\""),
            ("Zoë", "\"Zoë\""), ("plain-1.5/x", "plain-1.5/x"), ("\u{2028}", "\"\\u{2028}\""),
        ])
    func quoting(value: String, shown: String) {
        #expect(LogEntry(level: .info, text: "t", fields: [("k", value)]).line == "t k=\(shown)")
    }

    @Test("the journal gets the message, its priority, and each field under our own prefix")
    func journal() {
        let entry = LogEntry(level: .warning, text: "client lost", fields: [("client", "7"), ("why", "it\nwent")])
        #expect(
            JournalSink.assignments(entry) == [
                "PRIORITY=4", "MESSAGE=client lost client=7 why=\"it\\u{a}went\"", "PUCKD_CLIENT=7",
                "PUCKD_WHY=it\\u{a}went",
            ])
    }

    @Test("standard error is the journal only where JOURNAL_STREAM names the very same")
    func journalStream() throws {
        let pair = try Ends()
        var status = stat()
        fstat(pair.first.number, &status)
        let stream = "\(status.st_dev):\(status.st_ino)"
        #expect(JournalSink.isJournal(pair.first.number, stream: stream))
        #expect(!JournalSink.isJournal(pair.second.number, stream: stream))
        #expect(!JournalSink.isJournal(pair.first.number, stream: nil))
        #expect(!JournalSink.isJournal(-1, stream: stream))
    }

    @Test("lines on a descriptor")
    func lines() throws {
        let pair = try Ends()
        Log(level: .debug, sink: LineSink(descriptor: pair.second.number)).info("hello", ["n": 1])
        var buffer = [UInt8](repeating: 0, count: 100)
        #expect(buffer.withUnsafeMutableBytes { receive(from: pair.first.number, into: $0) } == .bytes(16))
        #expect(String(decoding: buffer.prefix(16), as: UTF8.self) == "info: hello n=1\n")
    }

    @Test("levels are ordered, and known to syslog by number")
    func priorities() {
        #expect(LogLevel.allCases == LogLevel.allCases.sorted())
        #expect(LogLevel.allCases.map(\.priority) == [7, 6, 5, 4, 3])
    }
}

@Suite("Repeated messages")
struct RepeatLimiterTests {
    private func at(_ seconds: Double) -> Instant { Instant(seconds: seconds) }

    @Test("one of a kind in the interval; the next tells how many were held back")
    func interval() {
        var limiter = RepeatLimiter(interval: 10)
        #expect(limiter.admit("a", at: at(100)) == 0)
        #expect(limiter.admit("a", at: at(101)) == nil)
        #expect(limiter.admit("b", at: at(101)) == 0)
        #expect(limiter.admit("a", at: at(109.999)) == nil)
        #expect(limiter.admit("a", at: at(110)) == 2)
        #expect(limiter.admit("a", at: at(111)) == nil)
        #expect(limiter.admit("a", at: at(500)) == 1)
        #expect(limiter.admit("a", at: at(600)) == 0)
    }

    @Test("of a kind that may come in a burst, as many as that; then none until the interval is over")
    func burst() {
        var limiter = RepeatLimiter(burst: 3, interval: 10)
        for second in 0..<3 { #expect(limiter.admit("a", at: at(100 + Double(second))) == 0) }
        for second in 3..<10 { #expect(limiter.admit("a", at: at(100 + Double(second))) == nil) }
        #expect(limiter.admit("a", at: at(110)) == 7)
        for _ in 0..<2 { #expect(limiter.admit("a", at: at(111)) == 0) }
        #expect(limiter.admit("a", at: at(111)) == nil)
    }

    @Test("kinds without end take no memory without end, and none is lost for good")
    func manyKinds() {
        var limiter = RepeatLimiter(interval: 10)
        for n in 0..<10_000 { #expect(limiter.admit("\(n)", at: at(1)) == 0) }
        #expect(limiter.admit("9999", at: at(2)) == nil)
        #expect(limiter.remembered <= 256)
    }
}
