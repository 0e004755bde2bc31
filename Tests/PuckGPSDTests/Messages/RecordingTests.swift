import Foundation
import PuckCore
import Testing

@testable import PuckGPSD

/// What a plain reading of gpsd's JSON says of a line, by a reader that shares nothing with ours.
private struct PlainLine: Decodable {
    let `class`: String
    let device: String?
    let mode: Int?
    let status: Int?
    let lat: Double?
    let lon: Double?
    let altHAE: Double?
    let altMSL: Double?
    let speed: Double?
    let track: Double?
    let eph: Double?
    let epx: Double?
    let epy: Double?
    let epv: Double?
    let heading: Double?
    let mheading: Double?
    let hdop: Double?
    let uSat: Int?
    let nSat: Int?
    let satellites: [Satellite]?
    let time: String?

    struct Satellite: Decodable {
        let PRN: Int
        let used: Bool?
    }
}

/// The recordings are not part of the package; where they are missing, there is nothing to run.
@Suite("Recorded receivers", .enabled(if: !Recordings.names.isEmpty, "needs the shared recordings"))
struct RecordingTests {
    @Test("what gpsd made of a recording is read as a plain reading of its JSON has it", arguments: Recordings.names)
    func asPlainlyRead(_ name: String) throws {
        let lines = try Recordings.lines(of: name)
        #expect(!lines.isEmpty)
        var decoder = ReportDecoder()
        for line in lines {
            let plain = try JSONDecoder().decode(PlainLine.self, from: Data(line))
            switch decoder.decode(line) {
            case .report(.position(let report)): check(report, plain)
            case .report(.attitude(let report)): check(report, plain)
            case .report(.sky(let report)): check(report, plain)
            case .ignored(let other): #expect(other == plain.class && ["AIS", "IMU", "TOFF", "PPS"].contains(other))
            case let other: Issue.record("\(other): \(String(decoding: line, as: UTF8.self))")
            }
        }
    }

    private func check(_ report: PositionReport, _ plain: PlainLine) {
        #expect(plain.class == "TPV")
        #expect(report.mode.rawValue == plain.mode)
        #expect(report.status.rawValue == max(1, plain.status ?? 1))
        expectTime(report.time, plain.time)
        expect(report.coordinate?.latitude, plain.lat)
        expect(report.coordinate?.longitude, plain.lon)
        // One of them is a simulated satellite's.
        expect(report.altitudeEllipsoid, plain.altHAE.flatMap { Plausible.value($0, in: VehicleLimits.altitude) })
        expect(report.altitudeMSL, plain.altMSL.flatMap { Plausible.value($0, in: VehicleLimits.altitude) })
        expect(report.speed, plain.speed)
        expect(report.course?.degrees, plain.track.map { $0 == 360 ? 0 : $0 })
        expect(report.eph, plain.eph)
        expect(report.epx, plain.epx)
        expect(report.epy, plain.epy)
        expect(report.epv, plain.epv)
    }

    private func check(_ report: AttitudeReport, _ plain: PlainLine) {
        #expect(plain.class == "ATT")
        expectTime(report.time, plain.time)
        expect(report.heading?.degrees, plain.heading)
        expect(report.magneticHeading?.degrees, plain.mheading)
    }

    private func check(_ report: SkyReport, _ plain: PlainLine) {
        #expect(plain.class == "SKY")
        expectTime(report.time, plain.time)
        expect(report.hdop, plain.hdop.flatMap { $0 > 0 && $0 < 99 ? $0 : nil })
        if let satellites = plain.satellites, plain.nSat == nil || plain.uSat == nil {
            #expect(report.visible == satellites.count { $0.PRN > 0 })
            #expect(report.used == satellites.count { $0.used == true })
        } else {
            #expect(report.visible == plain.nSat)
            #expect(report.used == plain.uSat)
        }
    }

    /// The same number, but for the last bit of a `double`.
    private func expect(_ value: Double?, _ plain: Double?) {
        guard let value, let plain else {
            #expect(value == plain)
            return
        }
        #expect(abs(value - plain) <= abs(plain) * 1e-15)
    }

    private func expectTime(_ value: UTC?, _ plain: String?) {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let date = plain.flatMap { try? style.parse($0) }
        #expect((value == nil) == (date == nil))
        guard let value, let date else { return }
        #expect(abs(value.seconds - date.timeIntervalSince1970) < 1e-6)
    }
}
