import PuckCore
import Testing

/// From magnetic to true north: a compass with and without the variation of the place.
@Suite("Magnetic headings")
struct MagneticHeadingTests {
    private let compass = DeviceName("/dev/ttyUSB1")

    private func magnetic(_ degrees: Double, device: DeviceName = Scene.device) -> Report {
        .attitude(AttitudeReport(device: device, magneticHeading: Direction(degrees)))
    }
    private func here(_ variation: Double?, device: DeviceName = Scene.device) -> Report {
        var report = Scene.tpv(0, device: device)
        report.magneticVariation = variation
        return .position(report)
    }
    private func reading(_ filter: BearingFilter, _ seconds: Double) -> BearingReading {
        filter.bearing(at: Scene.instant(seconds), motion: nil, preference: .auto)
    }

    @Test(
        "with the variation known a compass points from true north, and without it from magnetic",
        arguments: [(0.0, 19.8, 19.8), (350, 19.8, 9.8), (10, -15.5, 354.5), (120, 0, 120), (180, -180, 0)])
    func corrected(_ heading: Double, _ variation: Double, _ expected: Double) {
        var filter = BearingFilter()
        filter.receive(magnetic(heading), at: Scene.moment(0))
        let raw = reading(filter, 0)
        #expect(raw.heading == Direction(heading) && raw.bearing == Direction(heading))
        #expect(raw.northReference == .magnetic)
        filter.receive(here(variation), at: Scene.moment(0.1))
        filter.receive(magnetic(heading), at: Scene.moment(1))
        let corrected = reading(filter, 1)
        #expect(corrected.heading.map { abs(shortestTurn(from: expected, to: $0.degrees)) < 1e-9 } == true)
        #expect(corrected.bearing == corrected.heading)
        #expect(corrected.northReference == .true && corrected.bearingSource == .heading)
    }

    @Test("what a compass said before the variation was known is corrected too, and the mounting is added once")
    func mounting() {
        var filter = BearingFilter(mountingOffset: 90)
        filter.receive(magnetic(10, device: compass), at: Scene.moment(0))
        #expect(reading(filter, 0).heading == Direction(100))
        filter.receive(here(4), at: Scene.moment(0.1))
        #expect(reading(filter, 0.2).heading == Direction(104))
        #expect(reading(filter, 0.2).northReference == .true)
    }

    @Test("a variation is of the place, and not of a device; one that nobody repeats is given up after an hour")
    func stale() {
        var filter = BearingFilter()
        filter.receive(here(7), at: Scene.moment(0))
        for second in stride(from: 0.0, through: 3_700, by: 1) {
            filter.receive(magnetic(20, device: compass), at: Scene.moment(second))
            // Reports without it, as of a receiver that has lost its fix, do not take it away.
            filter.receive(here(nil), at: Scene.moment(second))
            let reading = reading(filter, second)
            #expect(reading.northReference == (second <= 3_600 ? .true : .magnetic))
            #expect(reading.heading == Direction(second <= 3_600 ? 27 : 20))
        }
    }

    @Test("a heading from true north is not corrected")
    func trueHeading() {
        var filter = BearingFilter()
        filter.receive(here(7), at: Scene.moment(0))
        filter.receive(
            .attitude(AttitudeReport(device: compass, heading: Direction(40), magneticHeading: Direction(33))),
            at: Scene.moment(0))
        #expect(reading(filter, 0).heading == Direction(40))
    }
}
