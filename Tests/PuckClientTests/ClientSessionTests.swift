import PuckCore
import PuckWire
import Testing

@testable import PuckClient

@Suite("A client's session") struct ClientSessionTests {
    private static let somewhere = Coordinate(wrappingLongitude: 8.5, clampingLatitude: 47.4)

    private func viewLine(_ view: String, _ mode: String, _ status: String) -> String {
        #"{"type":"view","view":"\#(view)","mode":"\#(mode)","status":"\#(status)","reason":"current","cause":{}}"#
    }

    @Test("nothing is connected to before something is asked for, and nothing said before the greeting")
    func lazy() {
        var bench = SessionBench()
        bench.run(100)
        #expect(bench.attempts.isEmpty)
        bench.ask(.ping, ticket: 1)
        #expect(bench.attempts.count == 1)
        // What answers might be no puckd.
        #expect(bench.sent.isEmpty)
        bench.say(SessionBench.hello)
        #expect(bench.takeSent() == [.ping])
    }

    @Test("answers find their requests; a refusal is an answer")
    func answers() {
        var bench = SessionBench.connected()
        bench.ask(.status, ticket: 1)
        bench.ask(.who, ticket: 2)
        bench.say(#"{"type":"error","id":2,"code":"not-permitted","message":"no"}"#)
        bench.say(#"{"type":"ok","id":1,"versions":{"puckd":"1"}}"#)
        let error = ErrorMessage(id: RequestID(2), code: .notPermitted, message: "no")
        #expect(bench.answers[2] == .failure(.refused(error)))
        guard case .success(let reply) = bench.answers[1], case .status(let report) = reply.answer else {
            Issue.record("no answer")
            return
        }
        #expect(report.versions.map(\.name) == ["puckd"])
        #expect(String(decoding: reply.line, as: UTF8.self).hasPrefix(#"{"type":"ok","id":1"#))
        // What nobody asked for any more is passed over.
        bench.say(#"{"type":"ok","id":1}"#)
        bench.say(#"{"type":"ok","id":"x"}"#)
        #expect(bench.answers.count == 2)
    }

    @Test("a request that is not answered in its time has timed out; a late answer changes nothing")
    func timeout() {
        var bench = SessionBench.connected()
        bench.ask(.ping, ticket: 1, timeout: 2)
        bench.run(1.9)
        #expect(bench.answers[1] == nil)
        bench.run(0.2)
        #expect(bench.answers[1] == .failure(.timedOut))
        bench.say(#"{"type":"ok","id":1}"#)
        #expect(bench.answers[1] == .failure(.timedOut))
    }

    @Test("a time-out may be any number", arguments: [Double.infinity, 1e300, 1e10, 0, -1, -.infinity, .nan])
    func anyTimeout(_ seconds: Double) {
        var bench = SessionBench.connected()
        bench.ask(.ping, ticket: 1, timeout: seconds)
        bench.run(86_400)
        // What is not a number waits no time.
        #expect(bench.answers[1] == (seconds > 0 ? nil : .failure(.timedOut)))
        bench.say(#"{"type":"ok","id":1}"#)
        #expect(bench.answers[1] != nil)
    }

    @Test("a cancelled request is answered with that, at once")
    func cancelled() {
        var bench = SessionBench.connected()
        bench.ask(.ping, ticket: 1)
        bench.handle { session, _ in session.cancel(1) }
        #expect(bench.answers[1] == .failure(.cancelled))
    }

    @Test("the waits between attempts grow to two seconds at most, and a greeting starts them anew")
    func backoff() {
        var bench = SessionBench()
        bench.isDaemonThere = false
        bench.handle { session, _ in session.begin() }
        bench.run(8)
        let waits = zip(bench.attempts.dropFirst(), bench.attempts).map { $0.seconds(since: $1) }
        // Half of 0.25, 0.5, 1, 2, 2 …: chance adds up to as much again.
        #expect(Array(waits.prefix(6)) == [0.125, 0.25, 0.5, 1, 1, 1])
        let told = bench.events.compactMap { if case .disconnected(_, let wait) = $0 { wait } else { nil } }
        #expect(Array(told.prefix(4)) == [0.125, 0.25, 0.5, 1])
        bench.isDaemonThere = true
        bench.run(2)
        bench.say(SessionBench.hello)
        bench.handle { $0.lost(nil, at: $1) }
        #expect(bench.events.last == .disconnected(.disconnected(nil), retryIn: 0.125))
    }

    @Test("a request waits for a connection, and says why there is none when its time is up")
    func waitsForConnection() {
        var bench = SessionBench()
        bench.isDaemonThere = false
        bench.ask(.ping, ticket: 1, timeout: 5)
        bench.ask(.status, ticket: 2, timeout: 100)
        bench.run(5.1)
        #expect(bench.answers[1] == .failure(.disconnected(nil)))
        bench.isDaemonThere = true
        bench.run(2)
        bench.say(SessionBench.hello)
        #expect(bench.takeSent() == [.status])
    }

    @Test("what was on its way when the connection ended has failed, with the daemon's last word; it is not sent again")
    func lost() {
        var bench = SessionBench.connected()
        bench.ask(.ping, ticket: 1)
        let last = ErrorMessage(code: .shuttingDown, message: "puckd is going", isFatal: true)
        bench.say(#"{"type":"error","code":"shutting-down","message":"puckd is going","fatal":true}"#)
        bench.handle { $0.lost(nil, at: $1) }
        #expect(bench.answers[1] == .failure(.disconnected(last)))
        #expect(bench.events.last == .disconnected(.disconnected(last), retryIn: 0.125))
        bench.run(1)
        bench.say(SessionBench.hello)
        #expect(bench.sent.isEmpty)
    }

    @Test("subscription, accuracy, screen, options and mode are asked for again, and that is told")
    func restored() {
        var bench = SessionBench.connected()
        var subscription = SubscribeOptions()
        subscription.rate = .perSecond(30)
        var options = FollowOptions()
        options.zoom = .set(15)
        var later = FollowOptions()
        later.pitch = .client
        let screen = Viewport(width: 390, height: 844)
        let requests: [Request] = [
            .subscribe(subscription), .accuracy(.approximate, scope: .client),
            .view(name: nil, .viewport(screen)), .view(name: nil, .follow(options, transition: .default)),
            .view(name: nil, .follow(later, transition: .immediate)),
            .view(name: nil, .marker(name: "m", to: Self.somewhere, duration: 2, curve: .linear)),
        ]
        for (i, request) in requests.enumerated() { bench.ask(request, ticket: UInt64(i + 1)) }
        bench.sayOK()
        bench.say(viewLine("", "followWithCourse", "state"))
        bench.handle { $0.lost(nil, at: $1) }
        bench.run(1)
        bench.ask(.ping, ticket: 100)
        bench.say(SessionBench.hello)
        // The wish for less accuracy goes with the subscription, before anything precise can come.
        subscription.accuracy = .approximate
        #expect(bench.takeSent() == [.subscribe(subscription), .ping])
        #expect(bench.events.last.map { if case .connected = $0 { true } else { false } } == true)
        bench.say(viewLine("", "none", "idle"))
        options.pitch = .client
        let steering: [Request] = [
            .view(name: nil, .viewport(screen)), .view(name: nil, .follow(options, transition: .default)),
            .view(name: nil, .track(.followWithCourse)),
        ]
        #expect(bench.takeSent() == steering)
        // Once.
        bench.say(viewLine("", "none", "idle"))
        #expect(bench.sent.isEmpty)
    }

    @Test("a shared view that others have steered meanwhile stays theirs")
    func sharedView() {
        var bench = SessionBench.connected()
        var subscription = SubscribeOptions()
        subscription.view = "map"
        bench.ask(.subscribe(subscription), ticket: 1)
        bench.ask(.view(name: "map", .track(.follow)), ticket: 2)
        bench.sayOK()
        bench.say(viewLine("map", "follow", "state"))
        bench.reconnect()
        #expect(bench.takeSent() == [.subscribe(subscription)])
        bench.say(viewLine("map", "followWithHeading", "state"))
        #expect(bench.sent.isEmpty)
        // And is followed as they left it, should the daemon have forgotten it the next time.
        bench.reconnect()
        #expect(bench.takeSent() == [.subscribe(subscription)])
        bench.say(viewLine("map", "none", "idle"))
        #expect(bench.takeSent() == [.view(name: "map", .track(.followWithHeading))])
    }

    @Test("what the daemon refuses to give again is told; what was given up, a grant and a place are not asked for")
    func notRestored() {
        var bench = SessionBench.connected()
        bench.ask(.subscribe(SubscribeOptions()), ticket: 1)
        bench.ask(.requestPrecise(purpose: "navigation"), ticket: 2)
        bench.ask(.place(Placement(coordinate: Self.somewhere)), ticket: 3)
        bench.sayOK()
        bench.reconnect()
        #expect(bench.sent.map(\.request) == [.subscribe(SubscribeOptions())])
        guard case .number(let id)? = bench.sent.first?.id else {
            Issue.record("no id")
            return
        }
        bench.say(#"{"type":"error","id":\#(id),"code":"not-permitted","message":"no"}"#)
        let error = ErrorMessage(id: .number(id), code: .notPermitted, message: "no")
        #expect(bench.events.last == .notRestored(.subscribe(SubscribeOptions()), error))

        bench.ask(.unsubscribe, ticket: 4)
        bench.sayOK()
        bench.reconnect()
        #expect(bench.sent.isEmpty)
    }

    static let strangers = [
        "220 mail ready", #"{"class":"VERSION"}"#, #"{"type":"frame"}"#,
        #"{"type":"authorization","accuracy":"precise","allowed":"precise","reason":"policy"}"#,
        SessionBench.hello.replacing(#""protocol":1"#, with: #""protocol":2"#),
    ]

    @Test("what is no puckd of this protocol is hung up on, and tried again", arguments: strangers)
    func noPuckd(_ line: String) {
        var bench = SessionBench()
        bench.ask(.ping, ticket: 1)
        bench.say(line)
        #expect(bench.hangUps == 1 && bench.sent.isEmpty)
        guard case .disconnected(.protocolViolation, .some) = bench.events.last else {
            Issue.record("\(bench.events)")
            return
        }
        bench.run(1)
        #expect(bench.attempts.count == 2)
    }

    @Test("a daemon that does not greet is left after five seconds")
    func noGreeting() {
        var bench = SessionBench()
        bench.handle { session, _ in session.begin() }
        bench.run(4.9)
        #expect(bench.hangUps == 0)
        bench.run(0.1)
        #expect(bench.hangUps == 1)
        #expect(bench.events.last == .disconnected(.timedOut, retryIn: 0.125))
    }

    @Test("a type that is not known is handed on as it is; a line that is too long ends the connection")
    func unknown() {
        var bench = SessionBench.connected()
        let line = #"{"type":"weather","rain":true}"#
        bench.say(line)
        #expect(bench.updates.last == Update(content: .unknown, line: Array(line.utf8)))
        bench.handle { $0.received(.tooLong, at: $1) }
        #expect(bench.hangUps == 1)
    }

    @Test("without reconnecting it ends with its first connection, and says why to all that ask")
    func single() {
        var bench = SessionBench.connected(reconnects: false)
        bench.ask(.ping, ticket: 1)
        bench.handle { $0.lost(nil, at: $1) }
        #expect(bench.isEnded && bench.answers[1] == .failure(.disconnected(nil)))
        #expect(bench.events.last == .disconnected(.disconnected(nil), retryIn: nil))
        bench.ask(.ping, ticket: 2)
        #expect(bench.answers[2] == .failure(.disconnected(nil)))
        bench.run(100)
        #expect(bench.attempts.count == 1)
    }

    @Test("closed, it answers everything with that")
    func closed() {
        var bench = SessionBench.connected()
        bench.ask(.ping, ticket: 1)
        bench.handle { session, _ in session.close() }
        bench.ask(.ping, ticket: 2)
        #expect(bench.hangUps == 1 && bench.isEnded)
        #expect(bench.answers[1] == .failure(.closed) && bench.answers[2] == .failure(.closed))
    }

    @Test("more requests than are kept are refused by the client itself")
    func tooMany() {
        var bench = SessionBench.connected()
        let last = UInt64(ClientSession.mostRequests) + 1
        for ticket in 1...last { bench.ask(.ping, ticket: ticket) }
        #expect(bench.answers.count == 1)
        #expect(bench.answers[last] == .failure(.tooManyRequests))
    }
}
