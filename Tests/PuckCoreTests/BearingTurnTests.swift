import PuckCore
import Testing

/// Every change of the bearing's source is a turn, and no step.
@Suite("Bearing: changes of source")
struct BearingTurnTests {
    /// What one frame shows.
    private struct Shown: Equatable {
        var seconds: Double
        var bearing: Double?
        var source: BearingSource?
        var heading: Double?
        var drawnCourse: Double?
    }

    /// What is heard, and when.
    private typealias Story = [(seconds: Double, report: Report)]

    /// Plays a story, and draws frames at a rate; deadlines are kept as the daemon keeps them.
    private func draw(
        _ story: Story, until end: Double, rate: Double = 60, preference: BearingPreference = .auto
    ) -> [Shown] {
        var pipeline = Pipeline(settings: Pipeline.Settings())
        var frames: [Shown] = []
        var reports = story.sorted { $0.seconds < $1.seconds }[...]
        for frame in 0..<Int(end * rate) {
            let seconds = Double(frame) / rate
            while true {
                let due = pipeline.deadline.map { $0.seconds(since: Scene.instant(0)) } ?? .infinity
                if let next = reports.first, next.seconds <= min(due, seconds) {
                    reports.removeFirst()
                    _ = pipeline.receive(next.report, at: Scene.moment(next.seconds))
                } else if due <= seconds {
                    _ = pipeline.advance(to: Scene.moment(0).at(pipeline.deadline ?? Scene.instant(0)))
                } else {
                    break
                }
            }
            let puck = pipeline.puck(at: Scene.moment(seconds), bearing: preference)
            frames.append(
                Shown(
                    seconds: seconds, bearing: puck?.bearing?.degrees, source: puck?.bearingSource,
                    heading: puck?.heading?.degrees, drawnCourse: puck?.drawnCourse?.degrees))
        }
        return frames
    }

    /// A vehicle that goes at `speed` in the direction `course`; one fix a second.
    private func drive(
        _ seconds: Range<Int>, from start: (north: Double, east: Double) = (0, 0), speed: Double = 5, course: Double,
        variation: Double? = nil
    ) -> Story {
        let angle = course * .pi / 180
        return seconds.map { second in
            let way = speed * Double(second - seconds.lowerBound)
            var report = Scene.tpv(
                Double(second), latitude: 48.1 + (start.north + way * cosine(angle)) / 111_200,
                longitude: 11.5 + (start.east + way * cosine(angle - .pi / 2)) / 74_300, speed: speed,
                course: Direction(wrapping: course)?.degrees)
            report.magneticVariation = variation
            return (Double(second) + 0.05, .position(report))
        }
    }

    private func cosine(_ angle: Double) -> Double {
        // By its series: the tests of the core need no mathematics else.
        var (term, sum, n) = (1.0, 1.0, 0.0)
        let x = angle.truncatingRemainder(dividingBy: 2 * .pi)
        while n < 40 {
            term *= -x * x / ((n + 1) * (n + 2))
            sum += term
            n += 2
        }
        return sum
    }

    private func compass(
        _ seconds: ClosedRange<Double>, true heading: Double? = nil, magnetic: Double? = nil, rate: Double = 10
    ) -> Story {
        stride(from: seconds.lowerBound, through: seconds.upperBound, by: 1 / rate).map { time in
            let report = AttitudeReport(
                device: Scene.device, heading: heading.flatMap { Direction(wrapping: $0) },
                magneticHeading: magnetic.flatMap { Direction(wrapping: $0) })
            return (time + 0.02, .attitude(report))
        }
    }

    /// No frame turns by more than a turn of that size may: 12° a second, or what takes 4 s and is eased.
    private func expectNoStep(_ bearings: [Double?], turn: Double, rate: Double = 60, beside source: Double = 0) {
        let fastest = max(12, abs(turn) / 4 / 0.9) + source
        for (a, b) in zip(bearings, bearings.dropFirst()) {
            guard let a, let b else { continue }
            #expect(abs(shortestTurn(from: a, to: b)) <= fastest / rate + 0.001)
        }
    }

    private static let differences = [2.0, -30, 43, 90, -135, 179]

    @Test("a compass that is lost, and comes back: the arrow turns there and back", arguments: differences)
    func compassLost(_ difference: Double) throws {
        let story =
            drive(0..<40, course: 350) + compass(0.5...10, true: 350 + difference)
            + compass(20...40, true: 350 + difference)
        let frames = draw(story, until: 38)
        expectNoStep(frames.map(\.bearing), turn: difference)
        // The new source is named from the first instant of the turn.
        let lost = try #require(frames.firstIndex { $0.seconds > 10 && $0.source == .course })
        let back = try #require(frames[lost...].firstIndex { $0.source == .heading })
        #expect(abs(frames[lost].seconds - 12.02) < 0.05 && abs(frames[back].seconds - 23.02) < 0.05)
        #expect(frames[lost..<back].allSatisfy { $0.source == .course && $0.heading == nil })
        #expect(frames[back...].allSatisfy { $0.source == .heading })
        let heading = try #require(Direction(wrapping: 350 + difference)).degrees
        for (index, bearing) in [(lost, heading), (back - 1, 350), (back, 350), (frames.count - 1, heading)] {
            let shown = try #require(frames[index].bearing)
            #expect(abs(shortestTurn(from: shown, to: bearing)) < 0.25, "at \(frames[index].seconds)")
        }
        // It takes the short way, and no longer than 4 s.
        let turned = try #require(frames[lost + 250].bearing)
        #expect(abs(shortestTurn(from: turned, to: 350)) < 0.01)
        let half = try #require(frames.first { $0.seconds > 12.02 + min(2, abs(difference) / 21.6) }?.bearing)
        #expect(abs(shortestTurn(from: half, to: 350 + difference / 2)) < 1)
        // The heading itself is told as it is.
        #expect(try abs(shortestTurn(from: #require(frames[back].heading), to: heading)) < 0.01)
    }

    @Test("frames are samples of one function, at whatever rate they are made", arguments: [1.0, 10, 30, 120])
    func anyRate(_ rate: Double) {
        let story = drive(0..<30, course: 10) + compass(0.5...10, true: 200) + compass(15...30, magnetic: 120)
        let fine = draw(story, until: 28, rate: 120)
        let coarse = draw(story, until: 28, rate: rate)
        let step = Int(120 / rate)
        for (index, frame) in coarse.enumerated() { #expect(frame == fine[index * step]) }
    }

    @Test("an event loop that is late shows the turn as if it had been on time")
    func late() {
        var (prompt, late) = (Pipeline(settings: Pipeline.Settings()), Pipeline(settings: Pipeline.Settings()))
        for (seconds, report) in (drive(0..<15, course: 10) + compass(0.5...10, true: 90)).sorted(by: {
            $0.seconds < $1.seconds
        }) {
            _ = prompt.advance(to: Scene.moment(seconds))
            _ = prompt.receive(report, at: Scene.moment(seconds))
            _ = late.receive(report, at: Scene.moment(seconds))
        }
        _ = prompt.advance(to: Scene.moment(14.5))
        _ = late.advance(to: Scene.moment(14.5))
        let pucks = [prompt, late].map { $0.puck(at: Scene.moment(14.5), bearing: .auto) }
        #expect(pucks[0] == pucks[1])
        #expect(pucks[0]?.bearing.map { 11...89 ~= $0.degrees } == true)
    }

    @Test(
        "from one compass to a better one, and back when that is lost", arguments: [BearingPreference.auto, .heading])
    func instruments(_ preference: BearingPreference) throws {
        let story =
            drive(0..<30, course: 0) + compass(0.5...30, magnetic: 80) + compass(8...15, true: 120)
        let frames = draw(story, until: 29, preference: preference).filter { $0.seconds > 5 }
        expectNoStep(frames.map(\.bearing), turn: 40)
        #expect(frames.allSatisfy { $0.source == .heading })
        let best = try #require(frames.first { $0.seconds > 12.1 })
        #expect(try abs(#require(best.bearing) - 120) < 0.1)
        #expect(try abs(#require(frames.last?.bearing) - 80) < 0.1)
    }

    @Test("a variation that comes to be known turns the arrow to true north", arguments: [19.8, -12])
    func variation(_ degrees: Double) throws {
        let story =
            drive(0..<10, course: 0) + drive(10..<20, from: (50, 0), course: 0, variation: degrees)
            + compass(0.5...20, magnetic: 100)
        let frames = draw(story, until: 19).filter { $0.seconds > 5 }
        expectNoStep(frames.map(\.bearing), turn: degrees)
        #expect(try abs(#require(frames.first?.bearing) - 100) < 0.1)
        #expect(try abs(#require(frames.last?.bearing) - 100 - degrees) < 0.1)
    }

    @Test("one that nobody repeats is given up after an hour, by a turn")
    func variationGivenUp() throws {
        var pipeline = Pipeline(settings: Pipeline.Settings())
        var report = Scene.tpv(0, course: 0)
        report.magneticVariation = 15
        _ = pipeline.receive(.position(report), at: Scene.moment(0))
        for seconds in 1...3_590 {
            _ = pipeline.receive(.position(Scene.tpv(Double(seconds), course: 0)), at: Scene.moment(Double(seconds)))
        }
        let story = compass(3_591...3_605, magnetic: 100)
        var bearings: [Double?] = []
        var reports = story[...]
        for frame in 0..<840 {
            let seconds = 3_591.1 + Double(frame) / 60
            while let next = reports.first, next.seconds <= seconds {
                reports.removeFirst()
                _ = pipeline.receive(next.report, at: Scene.moment(next.seconds))
            }
            while let due = pipeline.deadline, due <= Scene.instant(seconds) {
                _ = pipeline.advance(to: Scene.moment(0).at(due))
            }
            bearings.append(pipeline.puck(at: Scene.moment(seconds), bearing: .auto)?.bearing?.degrees)
        }
        // By then it has turned from the course.
        expectNoStep(Array(bearings[260...]), turn: 15)
        let (turned, last): (Double, Double) = (bearings[300] ?? .nan, (bearings.last ?? nil) ?? .nan)
        #expect(abs(turned - 115) < 0.1 && abs(last - 100) < 0.1)
    }

    @Test("a stop holds the arrow, and setting off in another direction turns it", arguments: differences)
    func setOff(_ difference: Double) throws {
        // Drives north for 20 s, stands for 20 s, and leaves in another direction.
        let story =
            drive(0..<20, course: 0)
            + (20..<40).map { second in
                (
                    Double(second) + 0.05,
                    .position(Scene.tpv(Double(second), latitude: 48.1 + 100.0 / 111_200, speed: 0, course: nil))
                )
            } + drive(40..<60, from: (100, 0), speed: 6, course: difference)
        for preference in [BearingPreference.auto, .course] {
            let frames = draw(story, until: 59, preference: preference).filter { $0.seconds > 2 }
            expectNoStep(frames.map(\.bearing), turn: difference)
            expectNoStep(frames.map(\.drawnCourse), turn: difference)
            let standing = try #require(frames.first { $0.seconds > 35 })
            #expect(try standing.source == .held && abs(shortestTurn(from: #require(standing.bearing), to: 0)) < 0.5)
            let off = try #require(frames.first { $0.seconds > 38 && $0.source == .course })
            #expect(off.seconds < 44)
            // 4 s later it is turned.
            let turned = try #require(frames.first { $0.seconds > off.seconds + 4.5 }?.bearing)
            #expect(abs(shortestTurn(from: turned, to: difference)) < 1)
        }
    }

    @Test("a source that turns is followed while the arrow turns to it")
    func whileTurning() throws {
        let story =
            drive(0..<40, course: 0) + compass(0.5...10, true: 60)
            + stride(from: 15.0, through: 40, by: 0.1).map { time -> (seconds: Double, report: Report) in
                let heading = Direction(wrapping: 100 + 10 * (time - 15))
                return (time, .attitude(AttitudeReport(device: Scene.device, heading: heading)))
            }
        let frames = draw(story, until: 39)
        expectNoStep(frames.map(\.bearing), turn: 135, beside: 12)
        for frame in frames where frame.seconds > 23 {
            let truth = 100 + 10 * (frame.seconds - 15)
            #expect(try abs(shortestTurn(from: #require(frame.bearing), to: truth)) < 1)
        }
    }

    @Test("a jump of the place is a jump of its course, told as one")
    func jump() throws {
        var story = drive(0..<20, course: 0)
        story += drive(30..<40, from: (0, 60_000), course: 90)
        let frames = draw(story, until: 39)
        let jump = try #require(frames.first { $0.seconds > 25 && ($0.bearing ?? 0) > 80 })
        #expect(jump.bearing.map { abs($0 - 90) < 1 } == true)
        #expect(jump.seconds < 36)
    }
}
