import Foundation
import PuckCore
import PuckTestKit

/// The fields of gpsd's reports that these tests look at. (gpsd_json(5))
struct GPSDReport: Decodable {
    var `class`: String
    var device: String?
    var mode: Int?
    var time: String?
    var lat: Double?
    var lon: Double?
    var altMSL: Double?
    var speed: Double?
    var track: Double?
    var heading: Double?

    init?(_ line: String) {
        guard let report = try? JSONDecoder().decode(GPSDReport.self, from: Data(line.utf8)) else { return nil }
        self = report
    }

    var coordinate: Coordinate? {
        guard let lat, let lon else { return nil }
        return Coordinate(longitude: lon, latitude: lat)
    }
    /// The report's time in whole milliseconds, as gpsd writes it.
    var utc: UTC? {
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return time.flatMap { try? format.parse($0) }.map {
            UTC(nanoseconds: Int64(($0.timeIntervalSince1970 * 1e3).rounded()) * 1_000_000)
        }
    }
}

extension LineReader {
    /// The next report of gpsd that fits.
    func report(within seconds: Double = 15, where condition: (GPSDReport) -> Bool) throws -> GPSDReport {
        let line = try first(within: seconds) { line in GPSDReport(line).map(condition) ?? false }
        guard let report = GPSDReport(line) else { throw KitError("not a report: \(line)") }
        return report
    }
}
