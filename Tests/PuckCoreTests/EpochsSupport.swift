import Foundation
import PuckCore

/// Shorthand for the tests of epochs, gate, clock and bearing: instants and reports by the second.
enum Scene {
    static let device = DeviceName("/dev/ttyACM0")
    /// 2026-03-01T12:00:00Z.
    static let start = 1_772_366_400.0
    /// What the monotonic clock says at `start`.
    static let uptime = 5_000.0

    /// A moment `seconds` after the start, with a host's UTC clock that is `hostError` seconds fast.
    static func moment(_ seconds: Double, hostError: Double = 0) -> Moment {
        Moment(monotonic: Instant(seconds: uptime + seconds), utc: UTC(seconds: start + seconds + hostError))
    }
    static func instant(_ seconds: Double) -> Instant { moment(seconds).monotonic }
    static func time(_ seconds: Double) -> UTC { UTC(seconds: start + seconds) }

    /// A position report with all its parts, or without some.
    static func tpv(
        _ seconds: Double?, mode: FixMode = .threeDimensional, latitude: Double? = 48.1, longitude: Double = 11.5,
        altitude: Double? = 500, speed: Double? = 10, course: Double? = 90, eph: Double? = 5,
        device: DeviceName = device
    ) -> PositionReport {
        var report = PositionReport(device: device, time: seconds.map(time), mode: mode)
        report.coordinate = latitude.flatMap { Coordinate(longitude: longitude, latitude: $0) }
        report.altitudeEllipsoid = altitude
        report.speed = speed
        report.course = course.flatMap { Direction($0) }
        report.eph = eph
        return report
    }
    /// One without a fix.
    static func noFix(_ seconds: Double?) -> PositionReport {
        PositionReport(device: device, time: seconds.map(time), mode: .none)
    }
    /// A complete epoch as the gate takes it.
    static func epoch(
        _ seconds: Double?, arrival: Double? = nil, hostError: Double = 0, latitude: Double? = 48.1,
        longitude: Double = 11.5, mode: FixMode = .threeDimensional, device: DeviceName = device
    ) -> Epoch {
        var epoch = Epoch(
            device: device, time: seconds.map(time), arrival: moment(arrival ?? seconds ?? 0, hostError: hostError),
            mode: mode)
        epoch.coordinate = latitude.flatMap { Coordinate(longitude: longitude, latitude: $0) }
        return epoch
    }
}

/// One report of a recording, and when it would have arrived.
struct RecordedReport {
    let report: Report
    let moment: Moment
}

/// Recordings of real receivers with the JSON that gpsd makes of them, where they are at hand:
/// `$PUCKD_SHARED/receivers`, else `../shared/receivers` beside the package.
enum Recordings {
    static let names: [String] = {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return all.filter { $0.hasSuffix(".log.chk") }.sorted()
    }()

    private static let folder: String = {
        if let shared = ProcessInfo.processInfo.environment["PUCKD_SHARED"] { return shared + "/receivers" }
        return FileManager.default.currentDirectoryPath + "/../shared/receivers"
    }()

    /// The reports of a recording in order. It keeps no arrival times, so each report with a new time arrives as much
    /// later as its time is, those that go with it 5 ms apart. A time that is gone back on in the next two reports was
    /// early; one that jumps does not carry the arrivals along; and where a recording has no times at all, its
    /// positions come a second apart.
    static func reports(of name: String) throws -> [RecordedReport] {
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)), as: UTF8.self)
        let objects = text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("{") }.compactMap {
            try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        let reports = objects.compactMap(report)
        let isTimed = reports.contains { $0.time != nil }
        var elapsed = 0.0
        var lastTime: UTC?
        return reports.enumerated().map { index, report in
            var step = 0.005
            if case .position(let position) = report {
                let ahead = reports[index..<min(index + 3, reports.count)]
                if position.time != nil, let time = ahead.compactMap(\.positionTime).min() {
                    let since = time.seconds(since: lastTime ?? time)
                    if since > 0, since < 60 { step = max(step, since - 0.05) }
                    lastTime = time
                } else if !isTimed {
                    step = 1
                }
            }
            elapsed += step
            return RecordedReport(report: report, moment: Scene.moment(elapsed))
        }
    }

    private static func report(_ object: [String: Any]) -> Report? {
        func number(_ key: String) -> Double? { object[key] as? Double }
        func direction(_ key: String) -> Direction? { number(key).flatMap { Direction($0) } }
        let time = (object["time"] as? String).flatMap(utc)
        let device = DeviceName(object["device"] as? String ?? "/dev/ttyUSB0")
        switch object["class"] as? String {
        case "TPV":
            var report = PositionReport(
                device: device, time: time, mode: FixMode(rawValue: object["mode"] as? Int ?? 0) ?? .unseen)
            report.status = FixStatus(rawValue: object["status"] as? Int ?? 1) ?? .normal
            if let longitude = number("lon"), let latitude = number("lat") {
                report.coordinate = Coordinate(longitude: longitude, latitude: latitude)
            }
            report.altitudeEllipsoid = number("altHAE")
            report.altitudeMSL = number("altMSL")
            report.speed = number("speed")
            report.course = direction("track")
            report.eph = number("eph")
            report.epx = number("epx")
            report.epy = number("epy")
            report.epv = number("epv")
            report.magneticVariation = number("magvar")
            report.baseline = direction("relH").map { Baseline(heading: $0, length: number("relL")) }
            return .position(report)
        case "ATT":
            return .attitude(
                AttitudeReport(
                    device: device, time: time, heading: direction("heading"), magneticHeading: direction("mheading")))
        case "SKY":
            return .sky(SkyReport(device: device, time: time, hdop: number("hdop"), used: object["uSat"] as? Int))
        default:
            return nil
        }
    }

    private static func utc(_ text: String) -> UTC? {
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return (try? format.parse(text)).map { UTC(seconds: ($0.timeIntervalSince1970 * 1000).rounded() / 1000) }
    }
}

extension Report {
    /// UTC that it carries, where it is a position.
    var positionTime: UTC? {
        if case .position(let report) = self { report.time } else { nil }
    }
    /// UTC that the report carries.
    var time: UTC? {
        switch self {
        case .position(let r): r.time
        case .attitude(let r): r.time
        case .sky(let r): r.time
        case .noise(let r): r.time
        }
    }
}
