import PuckSystem
import PuckTestKit
import Testing

/// Recorded receivers through a real gpsd: each is known for what it is. The recordings are not part of the project:
/// without `../shared/receivers` beside it (or where PUCKD_SHARED says) these tests are skipped.
@Suite(.enabled(if: SharedFiles.path("receivers") != nil, "no ../shared/receivers, and no PUCKD_SHARED"))
struct RecordedReceiverTests {
    @Test(
        "gpsd knows the receiver and tells all its fixes",
        arguments: [
            // As many positions as gpsd's own player brings out of each.
            ("neo-m8n", "NMEA0183", 23), ("nmea-rtk", "NMEA0183", 123), ("bu303-moving", "SiRF", 12),
            ("ublox-glo", "u-blox", 291), ("garmin18x-bin", "Garmin Serial binary", 29), ("greis-test2", "GREIS", 11),
            ("bu303-nofix", "SiRF", 0),
        ])
    func plays(name: String, driver: String, positions: Int) throws {
        let receiver = try RecordedReceiver(log: "\(try #require(SharedFiles.path("receivers")))/\(name).log")
        let gpsd = try GPSDProcess(devices: [receiver.device])
        try gpsd.waitUntilOpen(receiver.device)
        let client = try gpsd.watch()
        try receiver.play()
        let lines = client.lines.all(within: 3)
        #expect(lines.contains { $0.contains(#""driver":"\#(driver)""#) })
        #expect(
            lines.count { line in GPSDReport(line).map { $0.class == "TPV" && $0.lat != nil } ?? false } == positions)
    }
}
