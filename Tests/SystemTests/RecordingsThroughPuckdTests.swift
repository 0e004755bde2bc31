import PuckCore
import PuckTestKit
import PuckWire
import Testing

/// Recorded receivers through a real gpsd into puckd. The recordings are not part of the project: without
/// `../shared/receivers` beside it (or where PUCKD_SHARED says) these tests are skipped.
@Suite(.enabled(if: SharedFiles.path("receivers") != nil, "no ../shared/receivers, and no PUCKD_SHARED"))
struct RecordingsThroughPuckdTests {
    /// gpsd's own fixes and puckd's frames of one recording.
    private func play(_ name: String) throws -> (gpsd: [GPSDReport], frames: [Frame]) {
        let receiver = try RecordedReceiver(log: "\(try #require(SharedFiles.path("receivers")))/\(name).log")
        let gpsd = try GPSDProcess(devices: [receiver.device])
        try gpsd.waitUntilOpen(receiver.device)
        let watcher = try gpsd.watch()
        let puckd = try PuckdBench(gpsdPort: gpsd.port)
        let client = try puckd.connect()
        try client.subscribe()
        _ = try client.message { message in
            if case .source(let source) = message { source.state != .noDaemon } else { false }
        }
        try receiver.play()
        let lines = client.client.lines.all(within: 3)
        let frames = try lines.compactMap { line -> Frame? in
            if case .frame(let frame) = try PuckdClient.decode(line) { frame } else { nil }
        }
        #expect(puckd.isRunning)
        return (watcher.lines.all(within: 0.5).compactMap(GPSDReport.init), frames)
    }

    @Test(
        "S6 no crash, no NaN, no repeated epoch, no position before a fix, near gpsd's own fix",
        arguments: [
            "neo-m8n", "nmea-rtk", "bu303-moving", "bu303-stillfix", "ublox-glo", "garmin18x-bin", "greis-test2",
            "navisys-gr701w", "quectel-eg25-g", "sirfstarv", "hemi", "saab-r4", "trimble-smtx-dr", "eXplorist210",
        ])
    func passes(name: String) throws {
        let (gpsd, frames) = try play(name)
        let fixes = gpsd.filter { $0.class == "TPV" && ($0.mode ?? 0) >= 2 && $0.coordinate != nil }
        #expect(!frames.isEmpty)
        for frame in frames {
            guard let puck = frame.puck, let time = puck.fixTime else { continue }
            // What can't be decoded as finite has failed already.
            let own = fixes.filter { $0.utc == time }.compactMap(\.coordinate)
            #expect(!own.isEmpty, "a puck of a fix that gpsd never told")
            let distance = own.map { greatCircleDistance($0, puck.coordinate) }.min() ?? .infinity
            // A recording is played as fast as gpsd reads, so that frames are not predicted far: what they may be
            // ahead is their age.
            let ahead = (puck.speed ?? 0) * (puck.age ?? 0)
            let radius = puck.accuracy ?? 0
            #expect(distance <= 1 + 3 * radius + ahead, "\(distance) m at \(radius) m")
        }
        let sequence = frames.map(\.sequence)
        #expect(sequence == sequence.sorted() && Set(sequence).count == sequence.count)
    }

    @Test("without a fix there is no position", arguments: ["bu303-nofix", "pypilot"])
    func noFix(name: String) throws {
        let (_, frames) = try play(name)
        #expect(frames.allSatisfy { $0.puck == nil })
    }
}
