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
    ]

    @Test("a wrong command line is told as such")
    func wrongLine() throws {
        for (i, arguments) in Self.wrongLines.enumerated() {
            let log = directory.file("said\(i)")
            let program = try TestProcess(builtProgram("puckctl"), arguments, output: .file(log))
            #expect(try program.waitForEnd() == .exited(2), "\(arguments)")
            let said = String(decoding: try readFile(log, limit: 65_536), as: UTF8.self)
            #expect(said.hasPrefix("puckctl: ") && said.split(separator: "\n").count == 1, "\(said)")
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
