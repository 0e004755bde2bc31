import PuckCore
import PuckSystem
import PuckTestKit
import PuckWire
import Testing

/// puckctl's commands against a real puckd.
@Suite struct PuckctlTests {
    private let puckd: PuckdBench
    init() throws {
        puckd = try PuckdBench(gpsdPort: try freePort())
        _ = try puckd.connect()
    }

    private func start(_ arguments: [String]) throws -> TestProcess {
        try TestProcess(builtProgram("puckctl"), ["--socket", puckd.socket] + arguments, output: .lines)
    }

    private func run(_ arguments: String...) throws -> (ending: PuckSystem.ExitStatus, lines: [String]) {
        let program = try start(arguments)
        let lines = program.lines?.all(within: 30) ?? []
        return (try program.waitForEnd(), lines)
    }

    @Test("that nothing can be written is told")
    func output() throws {
        let ctl = try "\(builtProgram("puckctl")) --socket \(puckd.socket) ping"
        let full = try TestProcess("/bin/sh", ["-c", "\(ctl) 2>&1 >/dev/full"], output: .lines)
        #expect(full.lines?.all(within: 30) == ["puckctl: standard output: No space left on device"])
        #expect(try full.waitForEnd() == .exited(4))
    }

    @Test("what steers a view: each command, what it prints, and the camera that comes of it")
    func steering() throws {
        let map = try ViewClient(puckd)
        try map.subscribe(#""view":"main","include":["puck","camera","markers"]"#)
        try map.place(8.5, 47.4)
        #expect(try run("track", "next").lines == ["view      “main”  follow · state follow"])
        let followed = try run(
            "follow", "--zoom", "15", "--bearing", "20", "--pitch", "user", "--padding", "1,2,3,4", "--immediate")
        #expect(followed.ending == .exited(0) && followed.lines == ["view      “main”  follow · state follow"])
        let camera = try map.frame { $0.camera?.zoom == 15 }.camera
        #expect(camera?.bearing == 20 && camera?.pitch == nil)
        #expect(camera?.padding == Padding(top: 1, left: 4, bottom: 3, right: 2))
        #expect(try run("follow", "--bearing", "course").lines == ["view      “main”  followWithCourse · state follow"])

        #expect(try run("ease", "--center", "9,48", "--zoom", "11", "--duration", "0").ending == .exited(0))
        #expect(try map.frame { $0.camera?.zoom == 11 }.camera?.center == Coordinate(longitude: 9, latitude: 48))
        let flown = try run("fly", "--center", "-9.5,48", "--zoom", "12", "--duration", "60", "--curve", "easeInOut")
        #expect(flown.lines == ["view      “main”  none · transition to camera"])
        #expect(try run("idle").lines == ["view      “main”  none · idle"])

        // As long as a day's track: more positions than a request has room for.
        let positions = (0...20_000).map { "[\(8.4 + Double($0) / 100_000),\(47.3 + Double($0) / 100_000)]" }
        let file = try puckd.directory.write(
            #"{"type":"LineString","coordinates":[\#(positions.joined(separator: ","))]}"#, to: "way.geojson")
        let overview = try run("overview", file, "--duration", "0", "--max-zoom", "9", "--geometry-padding", "20")
        #expect(overview.lines == ["view      “main”  none · state overview"])
        // The flight's own frames, which may still come, are nearer.
        let fitted = try map.frame { ($0.camera?.zoom ?? 99) <= 9 }.camera
        #expect(abs((fitted?.center?.longitude ?? 0) - 8.5) < 0.01)

        #expect(try run("marker", "bus", "-8.5", "47.4", "--duration", "0").ending == .exited(0))
        let marker = try map.frame { $0.markers?.isEmpty == false }.markers?.first
        #expect(marker?.name == "bus" && marker?.coordinate == Coordinate(longitude: -8.5, latitude: 47.4))
        #expect(try run("marker", "bus", "--remove").ending == .exited(0))
        #expect(try run("marker", "bus", "--remove").ending == .exited(1))
        #expect(try run("view", "--once").lines == ["view      “main”  none · state overview"])
    }

    @Test("a view of one's own name is there while puckctl holds it, and its changes are printed")
    func view() throws {
        let holding = try start(["view", "kiosk", "--size", "390x844"])
        let lines = try #require(holding.lines)
        try lines.first(within: 20) { $0 == "view      “kiosk”  none · idle" }
        #expect(try run("track", "follow", "--view", "kiosk").ending == .exited(0))
        let told = try lines.first(within: 20) { $0.contains("transitionStarted") }
        #expect(told.hasPrefix("view      “kiosk”  follow · transition to follow · transitionStarted · by client "))
        holding.signal(Signal.interrupt.number)
        _ = try holding.waitForEnd()
        #expect(try run("view", "kiosk", "--for", "0").ending == .exited(0))
    }

    @Test("a placed location holds for as long as it is asked for; what can't be placed is said")
    func placing() throws {
        let watcher = try ViewClient(puckd)
        try watcher.subscribe()
        let placed = try run(
            "place", "-8.5", "47.4", "--accuracy", "7", "--heading", "90", "--speed", "3", "--for", "0.2")
        #expect(placed.ending == .exited(0))
        let puck = try #require(try watcher.frame { $0.puck != nil }.puck)
        #expect(puck.coordinate == Coordinate(longitude: -8.5, latitude: 47.4) && puck.accuracy == 7)
        #expect(puck.heading?.degrees == 90 && puck.speed == 3)
        try watcher.frame { $0.puck == nil }
        #expect(try run("release").ending == .exited(0))
        #expect(try run("place", "8.5").ending == .exited(2))
        #expect(try run("place", "8.5", "91").ending == .exited(2))
        #expect(try run("place", "--gpx", "/nonexistent", "--speed", "1").ending == .exited(2))
        #expect(try run("place", "--gpx", "x.gpx").ending == .exited(2))
        #expect(try run("place", "--heading", "5", "--speed", "1").ending == .exited(2))
        #expect(try run("place", "8.5", "47.4", "--heading-accuracy", "1").ending == .exited(2))
        #expect(try run("place", "8.5", "47.4", "--age", "2.5").ending == .exited(2))
    }

    @Test(
        "an attitude is placed alone for longer than puckd would remember it, and beside a location with all its fields"
    )
    func placingAttitude() throws {
        let watcher = try ViewClient(puckd)
        try watcher.subscribe(#""rate":10"#)
        let placed = try start([
            "place", "-8.5", "47.4", "--altitude=-12.5", "--course", "90", "--speed", "5", "--age", "1",
        ])
        let puck = try #require(try watcher.frame { $0.puck != nil }.puck)
        #expect(puck.altitude == -12.5 && puck.accuracy == nil && (puck.age ?? 0) >= 1)
        #expect(puck.coordinate.longitude > -8.5 && puck.stationary == false)
        let attitude = try start(["place", "--heading", "45", "--heading-accuracy", "3", "--pitch=-5", "--roll", "10"])
        let tilted = try #require(try watcher.frame { $0.puck?.pitch != nil }.puck)
        #expect(tilted.heading?.degrees == 45 && tilted.headingAccuracy == 3 && tilted.pitch == -5 && tilted.roll == 10)
        let later = try #require(try watcher.frame { ($0.puck?.age ?? 0) > 4 }.puck)
        #expect(later.heading?.degrees == 45 && later.state == .predicted)
        for program in [attitude, placed] {
            program.signal(Signal.interrupt.number)
            _ = try program.waitForEnd()
        }
        #expect(try watcher.frame { $0.puck == nil }.puck == nil)
    }

    @Test("it drives along a GPX file once: at its speed, heading along the way, and gives the location back")
    func driving() throws {
        let gpx = """
            <?xml version="1.0"?>
            <gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="1" lon="1"/>
            <trk><trkseg><trkpt lat="47.4" lon="8.5"><ele>400</ele></trkpt><trkpt lat="47.4" lon="8.5004"/></trkseg>
            <trkseg><trkpt lat="47.4003" lon="8.5004"/></trkseg></trk></gpx>
            """
        let file = try puckd.directory.write(gpx, to: "way.gpx")
        let watcher = try ViewClient(puckd)
        try watcher.subscribe()
        let driven = try start(["place", "--gpx", file, "--speed", "40", "--rate", "20"])
        // Read as they come: a slow reader would be given only the newest.
        try watcher.frame { $0.puck == nil }
        #expect(try driven.waitForEnd() == .exited(0))
        let lines = try #require(driven.lines).all(within: 5)
        #expect(lines.first == "64 m in 2 s" && lines.last?.hasSuffix("64 of 64 m") == true)
        let pucks = watcher.frames.compactMap(\.puck)
        #expect(pucks.count > 10 && pucks.map(\.discontinuity).first == true)
        #expect(pucks.dropFirst().allSatisfy { !$0.discontinuity })
        let east = pucks.filter { $0.coordinate.latitude < 47.400_000_1 }.dropLast()
        #expect(east.count > 5 && east.allSatisfy { abs(($0.heading?.degrees ?? 0) - 90) < 0.1 && $0.speed == 40 })
        let north = pucks.filter { $0.coordinate.latitude > 47.400_001 }
        #expect(
            north.count > 5
                && north.allSatisfy { ($0.heading.map { abs(shortestTurn(from: 0, to: $0.degrees)) } ?? 9) < 0.1 })
        let last = try #require(pucks.last)
        #expect(
            greatCircleDistance(last.coordinate, Coordinate(wrappingLongitude: 8.5004, clampingLatitude: 47.4003))
                < 0.01)
        #expect(last.speed == 0)
    }

    /// Starts what places, with what it says of errors among its lines.
    private func startPlacing(_ words: String) throws -> TestProcess {
        let ctl = try "\(builtProgram("puckctl")) --socket \(puckd.socket) place \(words)"
        return try TestProcess("/bin/sh", ["-c", "exec \(ctl) 2>&1"], output: .lines)
    }

    private func checkIsOver(_ placing: TestProcess) throws {
        let lines = try #require(placing.lines).all(within: 20)
        #expect(lines.last?.hasPrefix("puckctl: another program released the location") == true, "\(lines)")
        #expect(try placing.waitForEnd() == .exited(1))
    }

    @Test("what places ends, and says so, when another releases the location or places another")
    func placingIsOver() throws {
        let placed = try startPlacing("8.5 47.4")
        try #require(placed.lines).first(within: 20) { $0.hasPrefix("placed at") }
        #expect(try run("status").lines.contains { $0.hasPrefix("source    placed by a client · receiver no-daemon") })
        #expect(try run("release").ending == .exited(0))
        try checkIsOver(placed)

        let gpx = #"<gpx><rte><rtept lat="47.4" lon="8.5"/><rtept lat="47.5" lon="8.6"/></rte></gpx>"#
        let drive = try startPlacing("--gpx \(puckd.directory.write(gpx, to: "way.gpx")) --speed 15")
        try #require(drive.lines).first(within: 20) { $0.contains(" of ") }
        #expect(try run("release").ending == .exited(0))
        try checkIsOver(drive)

        let former = try startPlacing("8.5 47.4")
        try #require(former.lines).first(within: 20) { $0.hasPrefix("placed at") }
        let latter = try startPlacing("8.6 47.4 --for 0.5")
        try checkIsOver(former)
        #expect(try latter.waitForEnd() == .exited(0))
    }

    @Test("who lists each client under its heading, in columns")
    func who() throws {
        let watching = try start(["view", "a-view-of-a-rather-long-name"])
        try #require(watching.lines).first(within: 20) { $0.hasPrefix("view ") }
        let lines = try run("who").lines
        #expect(lines.count >= 3)
        let columns = lines.map { $0.split(separator: "  ").map { $0.filter { $0 != " " } } }
        #expect(columns.allSatisfy { $0.count == 12 }, "\(lines)")
        #expect(columns.first?.prefix(2) == ["CLIENT", "USER"])
        let column = try #require(columns.first?.firstIndex(of: "VIEW"))
        #expect(columns.map { $0[column] }.contains("a-view-of-a-rather-long-name"))
        let connected = try #require(columns.first?.firstIndex(of: "CONNECTED"))
        #expect(columns.dropFirst().allSatisfy { $0[connected].hasSuffix("s") }, "\(lines)")
    }

    @Test("watch tells the accuracy once")
    func watchOnce() throws {
        let provider = try ViewClient(puckd)
        try provider.place(8.5, 47.4)
        let lines = try run("watch", "--count", "1").lines
        #expect(lines.count { $0.hasPrefix("accuracy") } == 1)
    }

    @Test(
        "watch reconnects by itself, and says so on standard error; with --no-reconnect it ends",
        arguments: [true, false])
    func reconnecting(again: Bool) throws {
        let provider = try ViewClient(puckd)
        try provider.place(8.5, 47.4)
        let ctl = try "\(builtProgram("puckctl")) --socket \(puckd.socket) watch \(again ? "" : "--no-reconnect")"
        let watch = try TestProcess("/bin/sh", ["-c", "exec \(ctl) 2>&1"], output: .lines)
        let lines = try #require(watch.lines)
        try lines.first(within: 20) { $0.contains("47.4000000°N") }
        try puckd.terminate()
        let lost = try lines.first(within: 20) { $0.hasPrefix("puckctl: puckd closed the connection") }
        #expect(lost.contains("puckd is shutting down; please reconnect"))
        #expect(lost.hasSuffix("; reconnecting") == again)
        guard again else {
            #expect(try watch.waitForEnd() == .exited(3))
            return
        }
        try puckd.start()
        try lines.first(within: 20) { $0 == "puckctl: reconnected" }
        let provider2 = try ViewClient(puckd)
        try provider2.place(8.5, 48.5)
        try lines.first(within: 20) { $0.contains("48.5000000°N") }
        #expect(watch.isRunning)
    }

    @Test(
        "figures are in the units that were asked for, on the command line or in the environment",
        arguments: [
            ("metric", "±900 m  36.0 km/h"), ("nautical", "±900 m  19.4 kn"), ("imperial", "±0.56 mi  22.4 mph"),
        ])
    func units(units: String, shown: String) throws {
        let provider = try ViewClient(puckd)
        try provider.place(8.5, 47.4, #""accuracy":900,"speed":10"#)
        for words in [["--units", units, "watch"], ["watch", "--units=\(units)"]] {
            let program = try start(words + ["--count", "1"])
            #expect(program.lines?.all(within: 30).contains { $0.contains(shown) } == true, "\(words)")
        }
        let program = try TestProcess(
            builtProgram("puckctl"), ["--socket", puckd.socket, "watch", "--count", "1"],
            environment: ["PUCKCTL_UNITS": units], output: .lines)
        #expect(program.lines?.all(within: 30).contains { $0.contains(shown) } == true)
    }

    @Test("accuracy alone says what one may see, why, until when, who decides, and what to type")
    func accuracyAlone() throws {
        let precise = try run("accuracy")
        #expect(precise.ending == .exited(0))
        let heads = precise.lines.map { $0.prefix(10) }
        #expect(
            heads.prefix(5) == ["you see   ", "why       ", "until     ", "decides   ", "to change "],
            "\(precise.lines)")
        #expect(precise.lines.first == "you see   precise location")
        #expect(try run("accuracy", "approximate").ending == .exited(0))
        let bound = try run("accuracy").lines
        #expect(bound.first?.hasPrefix("you see   approximate location; the place changes about twice an hour") == true)
        #expect(bound.last?.hasPrefix("to change sudo puckctl --socket /") == true, "\(bound)")
        #expect(bound.last?.hasSuffix(" accuracy precise") == true, "\(bound)")
        #expect(try run("accuracy", "precise").ending == .exited(0))
        #expect(try run("accuracy").lines == precise.lines)
    }

    @Test("the user's own service is found, and before the system's; a named socket wins; errors say what was tried")
    func ownService() throws {
        let directory = try TestDirectory()
        func said(_ words: [String], _ environment: [String: String]) throws -> String {
            try directory.write("", to: "said")
            let program = try TestProcess(
                builtProgram("puckctl"), words, environment: environment, output: .file(directory.file("said")))
            _ = try program.waitForEnd()
            return String(decoding: try readFile(directory.file("said"), limit: 65_536), as: UTF8.self)
        }
        // The bench's socket as a user's own: in a directory puckd below the one for run-time files.
        let link = try TestProcess("ln", ["-s", puckd.directory.path, directory.file("puckd")])
        #expect(try link.waitForEnd() == .exited(0))
        let own = ["PUCKD_SOCKET": "", "XDG_RUNTIME_DIR": directory.path]
        #expect(try said(["ping"], own).hasPrefix("answered in "))
        let named = try said(["--socket", "/nonexistent/s", "ping"], own)
        #expect(named.hasPrefix("puckctl: connect to /nonexistent/s:") && !named.contains("also tried"), "\(named)")
        try puckd.terminate()
        let gone = try said(["ping"], own)
        // Whether this host has a puckd of the system's is not this test's.
        if !gone.hasPrefix("answered in ") {
            #expect(gone.contains("/run/puckd/puckd.sock") && gone.contains("also tried: connect to \(directory.path)"))
        }
    }

    static let demos = [
        ("follow-user", ["→ ease to the puck", "on the puck zoom 15.0", "none · idle · userInteraction"]),
        (
            "tracking-modes",
            ["view      follow · ", "followWithHeading · ", "followWithCourse · ", "none · idle · idleRequested"]
        ),
        (
            "own-provider",
            [
                "source    placed by a client · receiver no-daemon", "jumped", "↗ 45° heading", "↘ 135° heading",
                "← 270° heading",
            ]
        ),
        ("approximate", ["accuracy  approximate, by client; precise is allowed", "accuracy  precise, by policy"]),
        ("animated-marker", ["“bus” on its way", "“bus” 47.4", "→ take it away"]),
    ]

    @Test("each demo plays to its end, shows what it is about, and leaves all as it was", arguments: demos)
    func demo(name: String, shown: [String]) throws {
        let drive = try startDrive()
        // Two that place are in each other's way: here the drive rests.
        if name == "own-provider" { drive.kill() }
        let played = try run("demo", name)
        #expect(played.ending == .exited(0) && played.lines.last == "done")
        for text in shown { #expect(played.lines.contains { $0.contains(text) }, "\(text) in \(played.lines)") }
        guard name != "own-provider" else { return }
        #expect(drive.isRunning)
        let asks = try ViewClient(puckd)
        try asks.subscribe()
        #expect(try asks.frame().puck?.speed == 15)
    }

    @Test("where the system's switch binds everyone, the demo of accuracy says so")
    func demoUnderSwitch() throws {
        #expect(try run("accuracy", "approximate").ending == .exited(0))
        let played = try run("demo", "approximate")
        #expect(played.ending == .exited(0) && played.lines.last == "done")
        #expect(played.lines.contains { $0.hasPrefix("the switch of the whole system") }, "\(played.lines)")
    }

    @Test("on a terminal a demo's newest frame is one line, written over")
    func demoOnTerminal() throws {
        let drive = try startDrive()
        let puckctl = try builtProgram("puckctl")
        // script(1) gives it a terminal.
        let command = "'\(puckctl)' --socket '\(puckd.socket)' demo animated-marker"
        let program = try TestProcess("script", ["-qec", command, "/dev/null"], output: .lines)
        let lines = try #require(program.lines).all(within: 60)
        #expect(try program.waitForEnd() == .exited(0) && drive.isRunning)
        #expect(lines.last?.hasSuffix("done") == true)
        // A handful of lines stay, however many frames there were, and each frame begins where the one before it did.
        #expect(lines.count < 15)
        #expect(lines.joined().split(separator: "\r\u{1B}[K").count > 20)
    }

    /// Somebody who drives, for as long as the test goes on.
    private func startDrive() throws -> TestProcess {
        let gpx = #"<gpx><rte><rtept lat="47.4" lon="8.5"/><rtept lat="47.5" lon="8.6"/></rte></gpx>"#
        let file = try puckd.directory.write(gpx, to: "way.gpx")
        let drive = try start(["place", "--gpx", file, "--speed", "15"])
        try #require(drive.lines).first(within: 20) { $0.contains(" of ") }
        return drive
    }
}
