import PuckCore
import Testing

@Suite("Bearing")
struct BearingTests {
    private func attitude(true heading: Double? = nil, magnetic: Double? = nil, device: DeviceName = Scene.device)
        -> Report
    {
        .attitude(
            AttitudeReport(
                device: device, heading: heading.flatMap { Direction($0) },
                magneticHeading: magnetic.flatMap { Direction($0) }))
    }
    private func motion(course: Double? = nil, held: Double? = nil) -> Motion {
        Motion(
            coordinate: Scene.tpv(0).coordinate ?? Coordinate(wrappingLongitude: 0, clampingLatitude: 0), accuracy: 3,
            speed: course == nil ? 0 : 5, speedAccuracy: 0.3, course: course.flatMap { Direction($0) },
            courseAccuracy: course.map { _ in 2 }, drawnCourse: (held ?? course).flatMap { Direction($0) },
            stationary: course == nil)
    }

    @Test("P4 where nothing is known there is no bearing, in any preference", arguments: BearingPreference.allCases)
    func nothingKnown(_ preference: BearingPreference) {
        let filter = BearingFilter()
        for motion in [nil, motion()] {
            let reading = filter.bearing(at: Scene.instant(0), motion: motion, preference: preference)
            #expect(reading == BearingReading())
        }
    }

    @Test(
        "P4 what is no direction is refused before wrapping",
        arguments: [-1, -0.001, 360.001, 655.35, 9.6e281, .nan, .infinity, -.infinity])
    func refused(_ degrees: Double) {
        var filter = BearingFilter(mountingOffset: 90)
        filter.receive(attitude(true: degrees, magnetic: degrees), at: Scene.moment(0))
        let reading = filter.bearing(at: Scene.instant(0), motion: nil, preference: .auto)
        #expect(reading == BearingReading())
    }

    @Test("P4 north is a valid heading, and a valid course", arguments: [0.0, 360.0])
    func north(_ degrees: Double) {
        var filter = BearingFilter()
        let course = filter.bearing(at: Scene.instant(0), motion: motion(course: degrees), preference: .course)
        #expect(course.bearing == .north)
        #expect(course.bearingSource == .course)
        filter.receive(attitude(true: degrees), at: Scene.moment(0))
        let heading = filter.bearing(at: Scene.instant(0), motion: nil, preference: .heading)
        #expect(heading.bearing == .north)
        #expect(heading.bearingSource == .heading)
    }

    @Test("P5 359° → 1° turns 2°, both ways")
    func acrossNorth() {
        for (from, to, way) in [(359.0, 1.0, 1.0), (1.0, 359.0, -1.0)] {
            var filter = BearingFilter()
            var turned = 0.0
            var last = Direction(from)
            for step in 0..<600 {
                let seconds = Double(step) / 60
                if step % 6 == 0 {
                    filter.receive(attitude(true: seconds < 5 ? from : to), at: Scene.moment(seconds))
                }
                let reading = filter.bearing(at: Scene.instant(seconds), motion: nil, preference: .auto)
                if let last, let bearing = reading.bearing {
                    let turn = last.turn(to: bearing)
                    #expect(turn.magnitude < 1)
                    turned += turn
                }
                last = reading.bearing
            }
            #expect(abs(turned - 2 * way) < 0.3)
        }
    }

    @Test("B1 the course is held while standing still, and said to be held")
    func held() {
        let filter = BearingFilter()
        let moving = filter.bearing(at: Scene.instant(0), motion: motion(course: 70), preference: .auto)
        #expect(moving.bearing == Direction(70))
        #expect(moving.bearingSource == .course)
        let standing = filter.bearing(at: Scene.instant(1), motion: motion(held: 70), preference: .auto)
        #expect(standing.bearing == Direction(70))
        #expect(standing.bearingSource == .held)
        #expect(standing.heading == nil)
    }

    @Test("B2 heading and course are shown as what they are, and never a mean of them")
    func neverConfused() {
        var filter = BearingFilter()
        for step in 0..<50 {
            let seconds = Double(step) / 10
            filter.receive(attitude(true: 10), at: Scene.moment(seconds))
            for (preference, bearing, source) in [
                (BearingPreference.auto, 10.0, BearingSource.heading), (.heading, 10, .heading), (.course, 22, .course),
            ] {
                let reading = filter.bearing(
                    at: Scene.instant(seconds), motion: motion(course: 22), preference: preference)
                #expect(reading.heading == Direction(10))
                #expect(reading.bearing == Direction(bearing))
                #expect(reading.bearingSource == source)
            }
            let none = filter.bearing(at: Scene.instant(seconds), motion: motion(course: 22), preference: .none)
            #expect(none.bearing == nil)
            #expect(none.bearingSource == nil)
            #expect(none.heading == Direction(10))
        }
    }

    @Test(
        "B2 in auto the choice does not flap with a loose contact",
        arguments: [(on: 1.0, off: 1.0), (on: 0.5, off: 3.0), (on: 2.0, off: 2.5), (on: 0.1, off: 2.05)])
    func looseContact(_ contact: (on: Double, off: Double)) {
        var filter = BearingFilter()
        var changes = 0
        var last: BearingSource?
        for step in 0..<3000 {
            let seconds = Double(step) / 50
            let phase = seconds.truncatingRemainder(dividingBy: contact.on + contact.off)
            if phase < contact.on, step % 5 == 0 {
                filter.receive(attitude(true: 10), at: Scene.moment(seconds))
            }
            let reading = filter.bearing(at: Scene.instant(seconds), motion: motion(course: 22), preference: .auto)
            if reading.bearingSource != last { changes += 1 }
            last = reading.bearingSource
        }
        // From nothing to heading; to course when it is lost; and back where it proves to be a slow but steady one.
        #expect(changes <= 3)
    }

    @Test("B2 a lost heading gives way to the course, and comes back when it has been steady")
    func lostAndBack() {
        var filter = BearingFilter()
        var seconds = 0.0
        func source(_ filter: BearingFilter) -> BearingSource? {
            filter.bearing(at: Scene.instant(seconds), motion: motion(course: 22), preference: .auto).bearingSource
        }
        for _ in 0..<50 {
            filter.receive(attitude(true: 10), at: Scene.moment(seconds))
            seconds += 0.1
        }
        #expect(source(filter) == .heading)
        seconds += 3
        #expect(source(filter) == .course)
        let back = seconds
        while seconds < back + 5 {
            filter.receive(attitude(true: 10), at: Scene.moment(seconds))
            #expect(source(filter) == (seconds < back + 3 ? .course : .heading))
            seconds += 0.125
        }
    }

    @Test("B2 the better instrument is shown, and a worse one takes over when it is lost")
    func priority() {
        var filter = BearingFilter()
        var position = Scene.tpv(0)
        position.baseline = Direction(30).map { Baseline(heading: $0, length: 1.2) }
        for second in -5...0 {
            filter.receive(attitude(true: 20, magnetic: 10), at: Scene.moment(Double(second)))
            filter.receive(.position(position), at: Scene.moment(Double(second)))
        }
        #expect(filter.bearing(at: Scene.instant(0), motion: nil, preference: .auto).heading == Direction(30))
        for step in 1...60 {
            let seconds = Double(step) / 10
            filter.receive(
                seconds < 3 ? attitude(true: 20, magnetic: 10) : attitude(magnetic: 10), at: Scene.moment(seconds))
        }
        let late = filter.bearing(at: Scene.instant(6), motion: nil, preference: .auto)
        #expect(late.heading == Direction(10))
        #expect(late.northReference == .magnetic)
    }

    @Test("B2 two compasses never interleave")
    func twoCompasses() {
        var filter = BearingFilter()
        for step in 0..<100 {
            let seconds = Double(step) / 20
            filter.receive(
                step.isMultiple(of: 2)
                    ? attitude(magnetic: 10) : attitude(magnetic: 80, device: DeviceName("/dev/ttyUSB1")),
                at: Scene.moment(seconds))
            let reading = filter.bearing(at: Scene.instant(seconds), motion: nil, preference: .auto)
            #expect(reading.heading == Direction(10))
        }
    }

    @Test("B3 a 10 Hz heading is followed closely through a turn, and drawn without a jump")
    func turn() {
        var filter = BearingFilter()
        var last: Direction?
        var noise = SeededGenerator(seed: 7)
        var worst = 0.0
        for step in 0..<1200 {
            let seconds = Double(step) / 60
            // Straight for 5 s, then 20° a second for 9 s, then straight.
            let truth = 300 + 20 * min(max(seconds - 5, 0), 9)
            if step % 6 == 0 {
                let sample = Direction(wrapping: truth + noise.gaussian() * 0.3)?.degrees
                filter.receive(attitude(true: sample), at: Scene.moment(seconds))
            }
            let reading = filter.bearing(at: Scene.instant(seconds), motion: nil, preference: .auto)
            guard let heading = reading.heading else {
                Issue.record("no heading at \(seconds)")
                return
            }
            if let last { #expect(last.turn(to: heading).magnitude < 1.2) }
            if let truth = Direction(wrapping: truth) { worst = max(worst, truth.turn(to: heading).magnitude) }
            last = heading
        }
        #expect(worst < 6)
    }

    @Test("B3 while an instrument only makes noise, what is shown does not change at all", arguments: [0.1, 0.5, 1.0])
    func quiet(_ sigma: Double) {
        var filter = BearingFilter()
        var noise = SeededGenerator(seed: 11)
        var readings: Set<BearingReading> = []
        for step in 0..<36_000 {
            let seconds = Double(step) / 60
            if step % 6 == 0 {
                let sample = Direction(wrapping: 359.9 + noise.gaussian() * sigma)?.degrees
                filter.receive(attitude(magnetic: sample), at: Scene.moment(seconds))
            }
            if seconds > 5 {
                readings.insert(filter.bearing(at: Scene.instant(seconds), motion: nil, preference: .auto))
            }
        }
        #expect(readings.count == 1)
    }

    @Test("B3 one wild sample does not turn the puck, and a real turn about is taken with the next")
    func wildSample() {
        var filter = BearingFilter()
        func heading(_ seconds: Double) -> Double {
            filter.bearing(at: Scene.instant(seconds), motion: nil, preference: .auto).heading?.degrees ?? .nan
        }
        for step in 0..<40 {
            filter.receive(attitude(true: step == 30 ? 270 : 90), at: Scene.moment(Double(step) / 10))
            #expect(abs(heading(Double(step) / 10) - 90) < 0.5)
        }
        for step in 40..<60 { filter.receive(attitude(true: 200), at: Scene.moment(Double(step) / 10)) }
        #expect(abs(heading(5.9) - 200) < 0.5)
    }

    @Test("B4 a magnetic heading is labelled so, and the mounting offset is added to every instrument")
    func magneticAndMounting() {
        var filter = BearingFilter(mountingOffset: -30)
        filter.receive(attitude(magnetic: 10), at: Scene.moment(0))
        let magnetic = filter.bearing(at: Scene.instant(0), motion: nil, preference: .auto)
        #expect(magnetic.heading == Direction(340))
        #expect(magnetic.northReference == .magnetic)
        #expect((magnetic.headingAccuracy ?? 0) >= 5)
        filter.receive(attitude(true: 12), at: Scene.moment(0.1))
        let north = filter.bearing(at: Scene.instant(0.1), motion: nil, preference: .auto)
        #expect(north.heading == Direction(342))
        #expect(north.northReference == .true)
    }

    @Test(
        "B4 headings of recorded receivers, with their north",
        .enabled(if: !Recordings.names.isEmpty, "recordings are not at hand"),
        arguments: [
            ("pypilot.log.chk", NorthReference.magnetic, 218.0...219.5), ("saab-r4.log.chk", .true, 3.5...4.5),
            ("skytraq-PX1172RH_DS.log.chk", .true, 244...245), ("hemi.log.chk", .true, 273...275),
        ])
    func recorded(_ expected: (name: String, north: NorthReference, range: ClosedRange<Double>)) throws {
        guard Recordings.names.contains(expected.name) else { return }
        var filter = BearingFilter()
        var readings: [BearingReading] = []
        for recorded in try Recordings.reports(of: expected.name) {
            filter.receive(recorded.report, at: recorded.moment)
            readings.append(filter.bearing(at: recorded.moment.monotonic, motion: nil, preference: .auto))
        }
        let shown = readings.filter { $0.bearing != nil }
        #expect(!shown.isEmpty)
        #expect(shown.allSatisfy { $0.northReference == expected.north && $0.bearingSource == .heading })
        #expect(shown.allSatisfy { $0.bearing.map { expected.range ~= $0.degrees } == true })
    }
}

extension SeededGenerator {
    /// Twelve uniform numbers less six: as good as Gaussian, σ 1.
    mutating func gaussian() -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &self) }
    }
}
