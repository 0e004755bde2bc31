import PuckCore
import Testing

/// The line between two antennas: on one vehicle it is a heading, to a base it is none.
@Suite("Baselines")
struct BaselineTests {
    /// Whether there is a heading at each sample of a line whose length and receiver's speed are given by the second.
    private func headings(
        seconds: Int, every interval: Double = 1, length: (Double) -> Double?, speed: Double? = 3,
        device: (Double) -> DeviceName = { _ in Scene.device }
    ) -> [Bool] {
        var filter = BearingFilter()
        return (0..<Int(Double(seconds) / interval)).map { sample in
            let now = Double(sample) * interval
            var report = Scene.tpv(now, speed: speed, device: device(now))
            report.baseline = Direction(70).map { Baseline(heading: $0, length: length(now)) }
            filter.receive(.position(report), at: Scene.moment(now))
            return filter.bearing(at: Scene.instant(now), motion: nil, preference: .auto).heading != nil
        }
    }

    @Test("two antennas on one vehicle", arguments: [0.05, 0.3, 1, 2.5, 9], [0.1, 1])
    func vehicle(_ length: Double, _ interval: Double) {
        var noise = SeededGenerator(seed: 3)
        let found = headings(seconds: 30, every: interval, length: { _ in length + 0.005 * noise.gaussian() })
        #expect(found.dropFirst(Int(4 / interval)).allSatisfy { $0 })
        // Parked, too.
        #expect(headings(seconds: 30, every: interval, length: { _ in length }, speed: 0).suffix(5).allSatisfy { $0 })
    }

    @Test("a base that stands somewhere", arguments: [12.0, 80, 4_200, 25_000])
    func farBase(_ length: Double) {
        #expect(!headings(seconds: 120, length: { length - 2.7 * $0 }).contains(true))
        #expect(!headings(seconds: 120, length: { _ in length }, speed: 0).contains(true))
    }

    @Test("a rover that passes its base, and one that parks beside it")
    func nearBase() {
        #expect(!headings(seconds: 120, length: { abs(150 - 3 * $0) }).contains(true))
        #expect(!headings(seconds: 600, length: { max(4, 150 - 3 * $0) }, speed: 0).contains(true))
        #expect(!headings(seconds: 120, every: 0.1, length: { abs(150 - 3 * $0) }).contains(true))
    }

    @Test("a length that is not said is none of a vehicle's")
    func unknownLength() {
        #expect(!headings(seconds: 60, length: { _ in nil }).contains(true))
    }

    @Test("one wrong length is left out, and the heading goes on")
    func wrongSolution() {
        let found = headings(seconds: 60, length: { $0 == 30 || $0 == 40 ? 7 : 1.1 })
        #expect(found.dropFirst(4).allSatisfy { $0 })
    }

    @Test("antennas of which the first solutions were wrong are believed when they have been steady on the way")
    func recovered() {
        let found = headings(seconds: 120, length: { $0 < 6 ? 2 + $0 : 1.1 })
        #expect(!found.prefix(60).contains(true))
        #expect(found.last == true)
    }

    @Test("two devices with a line each do not interleave")
    func twoDevices() {
        let found = headings(
            seconds: 60, every: 0.5, length: { Int($0 * 2).isMultiple(of: 2) ? 1.1 : 4 },
            device: { DeviceName(Int($0 * 2).isMultiple(of: 2) ? "/dev/a" : "/dev/b") })
        #expect(found.dropFirst(8).allSatisfy { $0 })
    }
}
