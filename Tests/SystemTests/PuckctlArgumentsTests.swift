import PuckSystem
import PuckTestKit
import Testing

/// puckctl's command line and the files that it names. None of this takes a daemon.
@Suite struct PuckctlArgumentsTests {
    private let directory: TestDirectory
    init() throws { directory = try TestDirectory() }

    static let badFiles = [
        ("overview", "way.geojson", #"{"type":"Point","coordinates":[8.5,147]}"#),
        ("overview", "way.geojson", #"{"type":"FeatureCollection","features":[]}"#),
        ("overview", "way.geojson", "<gpx/>"),
        ("place", "way.gpx", #"<gpx><trk><trkpt lat="147" lon="8"/></trk></gpx>"#),
        ("place", "way.gpx", "<gpx></gpx>"), ("place", "way.gpx", "<gpx>"), ("place", "way.gpx", "{}"),
    ]

    @Test("a file that is not what it must be is said, with the code of a wrong command line", arguments: badFiles)
    func badFile(command: String, name: String, text: String) throws {
        let file = try directory.write(text, to: name)
        let arguments = command == "place" ? ["--gpx", file, "--speed", "10"] : [file]
        let program = try TestProcess(
            builtProgram("puckctl"), ["--socket", "/nonexistent", command] + arguments,
            output: .file(directory.file("said")))
        #expect(try program.waitForEnd() == .exited(2))
        let said = String(decoding: try readFile(directory.file("said"), limit: 65_536), as: UTF8.self)
        #expect(
            said.hasPrefix("puckctl: \(file): expected ") || said.contains("expected lat from -90 to 90"), "\(said)")
    }

    static let wrongLines: [[String]] = [
        [], ["walk"], ["--frobnicate"], ["track"], ["track", "sideways"], ["track", "follow", "extra"],
        ["follow", "--zoom", "25"], ["follow", "--zoom"], ["follow", "--bearing", "north"], ["ease"],
        ["ease", "--center", "8.5"], ["ease", "--zoom", "nan"], ["fly", "--zoom", "3", "--curve", "1,2,3"],
        ["ease", "--zoom", "3", "--padding", "1,2"], ["marker"], ["marker", "m", "8"], ["view", "--size", "390"],
        ["watch", "--rate", "121"], ["watch", "--count", "0"], ["demo", "nothing"], ["idle", "--view", ""],
        ["--socket"], ["--units"], ["--units", "feet", "watch"], ["watch", "--units", "km"], ["--json", "watch"],
        ["watch", "--jsn"], ["watch", "--json", "--json"], ["watch", "--rate"], ["watch", "--rate", "0"],
        ["watch", "--rate", "fast"], ["watch", "--accuracy", "fine"], ["watch", "--bearing", "up"],
        ["watch", "--min-distance", "-1"], ["watch", "--min-interval", "x"], ["watch", "--count", "1.5"],
        ["watch", "main"], ["watch", "--view"], ["status", "now"], ["status", "--josn"], ["who", "am", "i"],
        ["ping", "--json"], ["ping", "3"], ["release", "all"], ["idle", "now"], ["track", "--view", "main"],
        ["track", "none", "--mode"], ["track", "Follow"], ["follow", "me"], ["follow", "--zoom", "-1"],
        ["follow", "--pitch", "90"], ["follow", "--padding", "1,2,3"], ["follow", "--bearing", "361"],
        ["follow", "--imediate"], ["overview"], ["overview", "a", "b"], ["overview", "--max-zoom", "30", "a"],
        ["overview", "a", "--duration", "-1"], ["ease", "--center", "8.5,95"], ["ease", "--center", "8.5;47"],
        ["ease", "--zoom", "1", "--zoom", "2"], ["ease", "--zoom", "1", "--duration", "4000"],
        ["ease", "--zoom", "1", "--curve", "bounce"], ["ease", "--zoom", "1", "--center"], ["fly"],
        ["fly", "8.5", "47.4"], ["fly", "--zoom"], ["marker", "m"], ["marker", "m", "8", "x"],
        ["marker", "m", "181", "0"],
        ["marker", "m", "8", "47", "9"], ["marker", "--remove"], ["marker", "m", "--remove", "8", "47"],
        ["marker", "m", "8", "47", "--duration"], ["view", "a", "b"], ["view", "--size", "390x"],
        ["view", "--size", "0x0"],
        ["view", "--for", "-1"], ["view", "--once", "--for", "3"], ["place"], ["place", "8.5"],
        ["place", "north", "south"],
        ["place", "8.5,47.4"], ["place", "8.5", "47.4", "--rate", "3"], ["place", "8.5", "47.4", "--accuracy", "good"],
        ["place", "8.5", "47.4", "--speed", "-3"], ["place", "8.5", "47.4", "--heading", "N"], ["place", "--gpx"],
        ["place", "--gpx", "x.gpx"], ["place", "--gpx", "x.gpx", "--speed", "0"],
        ["place", "--gpx", "x.gpx", "--speed", "3", "--rate", "0"],
        ["place", "--gpx", "x.gpx", "--speed", "3", "--heading", "3"],
        ["accuracy", "exact"], ["accuracy", "precise", "please"], ["demo", "a", "b"], ["doctor", "me"],
        ["doctor", "--json"],
        ["request-precise"], ["request-precise", "navigation"], ["request-precise", "navigation", "--"],
        ["request-precise", "navigation", "puckctl", "watch"], ["request-precise", "--", "true"], ["wach"], ["Watch"],
        ["--verison"], ["-v"], ["--", "watch"], ["watch", "--"], ["watch", "--", "x"],
    ]

    @Test("a wrong command line is told as such")
    func wrongLine() throws {
        for (i, arguments) in Self.wrongLines.enumerated() {
            let log = directory.file("said\(i)")
            let program = try TestProcess(builtProgram("puckctl"), arguments, output: .file(log))
            #expect(try program.waitForEnd() == .exited(2), "\(arguments)")
            let said = String(decoding: try readFile(log, limit: 65_536), as: UTF8.self)
            #expect(said.hasPrefix("puckctl: ") && said.split(separator: "\n").count == 1, "\(said)")
            // What was expected, or probably meant, and what to type next.
            #expect(
                said.contains("expected ") || said.contains("did you mean ") || said.contains("unknown "), "\(said)")
            #expect(
                said.contains("puckctl --help") || said.contains("puckctl \(arguments.first ?? "") --help"), "\(said)")
        }
    }

    @Test("the demos are listed, and that takes no daemon")
    func demoList() throws {
        let program = try TestProcess(
            builtProgram("puckctl"), ["--socket", "/nonexistent", "demo"], output: .lines)
        let lines = program.lines?.all(within: 20) ?? []
        #expect(try program.waitForEnd() == .exited(0))
        #expect(lines.compactMap { $0.split(separator: " ").first.map(String.init) } == PuckctlTests.demos.map(\.0))
    }
}
