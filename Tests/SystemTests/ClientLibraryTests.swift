import PuckClient
import PuckSystem
import PuckTestKit
import Testing

/// The Swift library against a real puckd.
@Suite struct ClientLibraryTests {
    /// The first of a sequence that fits; the test's own time limit is what a wait has.
    private func first<Element: Sendable>(
        _ sequence: some AsyncSequence<Element, Never> & Sendable, where condition: (Element) -> Bool
    ) async throws -> Element {
        for await element in sequence where condition(element) { return element }
        throw KitError("the sequence ended")
    }

    private func place(_ client: PuckClient, _ longitude: Double) async throws -> Coordinate {
        let coordinate = try #require(Coordinate(longitude: longitude, latitude: 47.4))
        try await client.place(Placement(coordinate: coordinate))
        return coordinate
    }

    @Test("frames, events, answers and refusals", .timeLimit(.minutes(1)))
    func wholeWay() async throws {
        let puckd = try PuckdBench(gpsdPort: try freePort())
        _ = try puckd.connect()
        let client = try PuckClient(path: puckd.socket)
        let (frames, events) = (client.frames, client.events)
        try await client.subscribe()
        let placed = try await place(client, 8.5)
        let frame = try await first(frames) { $0.puck != nil }
        #expect(frame.puck?.coordinate == placed)
        try await client.track(.follow)
        let view = try await first(events) { if case .view(let view) = $0 { view.reason != .current } else { false } }
        guard case .view(let change) = view else { throw KitError("no view") }
        #expect(change.mode == .follow)
        // A reader that comes late starts with how things stand.
        let late = try await first(client.frames) { $0.camera != nil }
        #expect(late.camera?.center == placed)
        #expect(try await client.status().clients == 1)
        #expect(try await client.who().count == 1)
        let before = Clocks.now.monotonic
        let pong = try await client.ping()
        #expect(pong.monotonic.seconds(since: before) > -0.001 && pong.monotonic <= Clocks.now.monotonic)
        await #expect(throws: ClientError.self) { try await client.track(.follow, view: "nobody's") }
        do {
            try await client.removeMarker("none")
            Issue.record("not refused")
        } catch ClientError.refused(let message) {
            #expect(message.code == .unknownMarker)
        }
        client.close()
        await #expect(throws: ClientError.closed) { try await client.ping() }
    }

    @Test("puckd started anew: the client is back, with its stream, its screen and its mode", .timeLimit(.minutes(1)))
    func reconnects() async throws {
        let puckd = try PuckdBench(gpsdPort: try freePort())
        _ = try puckd.connect()
        let client = try PuckClient(path: puckd.socket)
        var options = SubscribeOptions()
        options.view = "map"
        options.accuracy = .precise
        try await client.subscribe(options)
        try await client.viewport(Viewport(width: 400, height: 800), view: "map")
        var follow = FollowOptions()
        follow.zoom = .set(12)
        follow.bearing = .set(.course)
        try await client.follow(follow, view: "map")
        _ = try await first(client.events) {
            if case .view(let view) = $0 { view.mode == .followWithCourse } else { false }
        }

        let events = client.events
        _ = try puckd.terminate()
        try puckd.start()
        _ = try await first(events) {
            if case .disconnected(.disconnected(let last), .some) = $0 { last?.code == .shuttingDown } else { false }
        }
        _ = try await first(events) { if case .connected = $0 { true } else { false } }
        _ = try await first(events) { if case .view(let view) = $0 { view.mode == .followWithCourse } else { false } }
        let placed = try await place(client, 9)
        let frame = try await first(client.frames) { $0.camera?.center == placed }
        #expect(frame.view == "map" && frame.camera?.zoom == 12)
    }

    @Test("a client that does not read its frames skips to the newest, and the gap is told", .timeLimit(.minutes(1)))
    func slowReader() async throws {
        let puckd = try PuckdBench(gpsdPort: try freePort())
        _ = try puckd.connect()
        let client = try PuckClient(path: puckd.socket)
        let frames = client.frames
        try await client.subscribe()
        var last = try await place(client, 8.5)
        for i in 1...50 { last = try await place(client, 8.5 + Double(i) / 1_000) }
        // The answer to the last comes before its frame.
        _ = try await client.ping()
        let seen = try await first(frames) { _ in true }
        #expect(seen.puck?.coordinate == last && seen.sequence == 51)
    }

    @Test("nobody at the socket is an error at once where it is not to wait", .timeLimit(.minutes(1)))
    func nobody() async throws {
        let client = try PuckClient(path: "/nonexistent/puckd.sock", reconnects: false)
        do {
            try await client.subscribe()
            Issue.record("answered")
        } catch ClientError.system(let why) {
            #expect(why.isNobodyThere)
        }
        var told: [ClientEvent] = []
        for await event in client.events { told.append(event) }
        #expect(told.count == 1)
    }

    @Test("docs/client.md has every function that asks for something, by its signature")
    func documentedFunctions() throws {
        let page = String(decoding: try ProjectFiles.read("docs/client.md"), as: UTF8.self)
        var count = 0
        for file in ["PuckClient+Requests.swift", "PuckClient.swift"] {
            let source = String(decoding: try ProjectFiles.read("Sources/PuckClient/\(file)"), as: UTF8.self)
            for part in source.split(separator: "public func ").dropFirst() {
                let head = part.prefix { $0 != "{" }
                let words: [Substring] = head.split { $0 == " " || $0 == "\n" }
                // Over several lines there is a blank within the parentheses.
                var signature = words.joined(separator: " ")
                for (broken, whole) in [("( ", "("), (" )", ")")] {
                    signature = signature.split(separator: broken).joined(separator: whole)
                }
                #expect(page.contains("| `\(signature)` |"), "\(signature)")
                count += 1
            }
        }
        #expect(count > 20)
    }

    @Test("the program on docs/client.md compiles, runs, and shows what puckd serves")
    func documentedProgram() throws {
        let page = String(decoding: try ProjectFiles.read("docs/client.md"), as: UTF8.self)
        let example = try #require(page.split(separator: "```swift\n").dropFirst().first)
        let source = try #require(example.split(separator: "\n```").first)
        let directory = try TestDirectory()
        let file = try directory.write("\(source)\n", to: "Example.swift")
        let program = directory.file("example")
        let built = try builtProgram("puckd").split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        let build = try TestProcess(
            "\(ProjectFiles.root)/Tests/scripts/build-example.sh", [built, file, program],
            output: .file(directory.file("log")))
        let ending = try build.waitForEnd(seconds: 120)
        let log = String(decoding: try readFile(directory.file("log"), limit: 1 << 20), as: UTF8.self)
        #expect(ending == .exited(0), "\(log)")

        let puckd = try PuckdBench(gpsdPort: try freePort())
        let provider = try puckd.connect()
        let running = try TestProcess(program, [puckd.socket], output: .lines)
        // It moves until the program has seen enough. Its output is buffered: it comes when it ends.
        var step = 0.0
        _ = try Deadline.poll(seconds: 30) {
            step += 1
            try provider.send(#"{"type":"place","position":[8.5,\#(47 + step / 10_000)]}"#)
            return !running.isRunning
        }
        #expect(try running.waitForEnd() == .exited(0))
        let seen = try #require(running.lines).all(within: 5)
        #expect(seen.contains { $0.hasPrefix("the view: follow, ") }, "\(seen)")
        #expect(seen.count { $0.hasPrefix("puck 8.5 47.") } >= 9)
        #expect(seen.contains { $0.hasPrefix("camera 8.5 47.") })

        // Without a puckd it says so, and ends by itself.
        let alone = try TestProcess(program, [directory.file("nobody.sock")], output: .lines)
        #expect(try alone.waitForEnd(seconds: 30) == .exited(0))
        #expect(try #require(alone.lines).all(within: 5).last?.isEmpty == false)
    }
}
