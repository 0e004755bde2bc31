import PuckCore
import Testing

@testable import PuckGPSD

@Suite("Damaged lines")
struct MutationTests {
    private static let seeds = [
        fullTPV,
        #"{"class":"TPV","device":"/dev/pts/3","mode":2,"time":"2024-05-06T07:08:09.5Z","lat":1.5,"lon":-179.5,"relH":9}"#,
        #"{"class":"ATT","device":"/dev/ttyUSB0","time":"2024-05-06T07:08:09Z","heading":341.8,"mheading":340.0,"yaw":5}"#,
        #"{"class":"GST","device":"/dev/ttyUSB0","rms":0.5,"lat":1.5,"lon":2.5,"alt":3.5}"#,
        #"{"class":"SKY","device":"/dev/x","hdop":1.2,"nSat":2,"uSat":1,"satellites":"#
            + #"[{"PRN":1,"el":10.0,"az":20.0,"used":true},{"PRN":2,"el":30.0,"used":false}]}"#,
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyUSB0","driver":"u-blox","activated":"#
            + #""2024-05-06T07:08:09Z","cycle":1.00},{"class":"DEVICE","path":"/dev/ttyUSB1","activated":0}]}"#,
        #"{"class":"VERSION","release":"3.25","rev":"3.25 \u00e9","proto_major":3,"proto_minor":15}"#,
        #"{"class":"ERROR","message":"Unrecognized request '?\"'"}"#,
    ]

    /// Eight runs of 12,500 lines: each comes back, and none brings a value that can't be.
    @Test("100,000 damaged lines: no crash, no hang, no value out of range", arguments: 1...8)
    func damaged(_ seed: UInt64) {
        var mutator = Mutator(seed: seed, of: MutationTests.seeds)
        var decoder = ReportDecoder()
        var reports = 0
        for _ in 0..<12_500 {
            let line = mutator.next()
            guard case .report(let report) = decoder.decode(line[...]) else { continue }
            reports += 1
            if let fault = fault(in: report) {
                Issue.record("\(fault): \(String(decoding: line, as: UTF8.self))")
                return
            }
        }
        // Some have to come through, or nothing was tested.
        #expect(reports > 500)
    }

    private func fault(in report: Report) -> String? {
        switch report {
        case .position(let r):
            let lengths = [r.eph, r.epx, r.epy, r.epv].compactMap { $0 }
            if !lengths.allSatisfy({ $0 > 0 && $0 < 3e7 }) { return "error" }
            if let speed = r.speed, !(speed >= 0 && speed <= 1_000) { return "speed" }
            if ![r.altitudeEllipsoid, r.altitudeMSL].allSatisfy({ abs($0 ?? 0) <= 100_000 }) { return "altitude" }
            if let c = r.coordinate, !(abs(c.latitude) <= 90 && c.longitude >= -180 && c.longitude < 180) {
                return "coordinate"
            }
            return direction([r.course, r.baseline?.heading]) ?? time(r.time)
        case .attitude(let r): return direction([r.heading, r.magneticHeading]) ?? time(r.time)
        case .sky(let r):
            if let hdop = r.hdop, !(hdop > 0 && hdop < 99) { return "hdop" }
            if ![r.used, r.visible].allSatisfy({ (0...1_000).contains($0 ?? 0) }) { return "satellites" }
            return time(r.time)
        case .noise(let r):
            let sigmas = [r.latitudeSigma, r.longitudeSigma, r.altitudeSigma].compactMap { $0 }
            return sigmas.allSatisfy { $0 > 0 && $0 < 3e7 } ? time(r.time) : "sigma"
        }
    }

    private func direction(_ directions: [Direction?]) -> String? {
        directions.allSatisfy { $0.map { $0.degrees >= 0 && $0.degrees < 360 } ?? true } ? nil : "direction"
    }

    /// 1930 to 2199.
    private func time(_ time: UTC?) -> String? {
        (-1_262_304_000..<7_258_118_400).contains(time?.seconds ?? 0) ? nil : "time"
    }

    @Test("damaged streams: the splitter and the decoder together bring the same lines, however they are cut")
    func damagedStream() {
        var mutator = Mutator(seed: 99, of: MutationTests.seeds)
        var random = SeededGenerator(seed: 100)
        var stream: [UInt8] = []
        for _ in 0..<2_000 { stream += mutator.next() + [UInt8(ascii: "\n")] }
        var whole = LineSplitter()
        let expected = whole.append(stream[...]).map { Array($0) }
        var cut = LineSplitter()
        var found: [[UInt8]] = []
        var rest = stream[...]
        while !rest.isEmpty {
            let size = Int.random(in: 1...700, using: &random)
            found += cut.append(rest.prefix(size)).map { Array($0) }
            rest = rest.dropFirst(size)
        }
        #expect(found == expected)
    }
}
