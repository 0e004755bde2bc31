import Testing

@testable import PuckCore

@Suite("Approximate locations: where they come from")
struct AccuracyPositioningTests {
    private let start = AccuracyJourney.standard

    private func positioning() -> Positioning {
        Positioning(
            settings: Pipeline.Settings(),
            coarsener: Coarsener(radius: .standard, state: nil, at: start, random: SeededGenerator(seed: 4)))
    }

    /// Wakes it at each deadline for some seconds; what it told approximate clients.
    private func live(_ positioning: inout Positioning, from: Double, for seconds: Double) -> [ApproximateLocation] {
        var told: [ApproximateLocation] = []
        let end = start.advanced(by: from + seconds)
        while let due = positioning.deadline, due < end.monotonic {
            for case .coarse(.publish(let location)) in positioning.advance(to: start.at(due)) { told.append(location) }
        }
        return told
    }

    @Test("a placed location is told at epochs for as long as it stands, and causes none")
    func placed() throws {
        var positioning = positioning()
        let events = positioning.place(Placement(coordinate: middle), at: start)
        #expect(events == [.located])
        let told = live(&positioning, from: 0, for: 10_000)
        #expect(told.count >= 4)
        #expect(!told.contains { $0.isStale })
        #expect(told.allSatisfy { chord($0.coordinate, middle) < 5_000 })
        #expect(positioning.approximateSource.state == .fix)
        // Far away at once: not told before a candidate, and then as of one who moves.
        let count = told.count
        _ = positioning.place(Placement(coordinate: offset(middle, east: 50_000)), at: start.advanced(by: 10_000))
        #expect(positioning.approximate == told.last)
        let after = live(&positioning, from: 10_000, for: 400)
        #expect(after.count <= 2 && told.count == count)
        #expect(after.last?.level == .moving)
    }

    @Test(
        "released, the receiver's own place is told at the next epoch and no sooner, however far off the placed one was"
    )
    func comeBack() throws {
        var positioning = positioning()
        var now = 0.0
        /// Lives on with a fix every 20 s until something is told; what, and after how many seconds.
        func untilTold() -> (location: ApproximateLocation?, seconds: Double) {
            let begin = now
            while now < begin + 4_000 {
                let told = live(&positioning, from: now, for: 20)
                now += 20
                let moment = start.advanced(by: now)
                var report = PositionReport(device: DeviceName("/dev/a"), time: moment.utc, mode: .threeDimensional)
                report.coordinate = middle
                report.eph = 5
                _ = positioning.receive(.position(report), at: moment)
                if let last = told.last { return (last, now - begin) }
            }
            return (nil, now - begin)
        }
        _ = untilTold()
        for _ in 0..<3 {
            let far = offset(middle, east: 80_000)
            _ = positioning.place(Placement(coordinate: far), at: start.advanced(by: now))
            let placed = untilTold()
            #expect(try chord(#require(placed.location).coordinate, far) < 40_000)
            _ = positioning.release(at: start.advanced(by: now))
            let own = untilTold()
            #expect(try chord(#require(own.location).coordinate, middle) < 5_000)
            // The clock began anew when the placed one was taken, ten seconds before it was told at most.
            #expect(own.seconds > 1_800 * 0.75 - 30)
        }
    }

    @Test("released without a receiver, it is no longer a fix")
    func released() {
        var positioning = positioning()
        _ = positioning.place(Placement(coordinate: middle), at: start)
        _ = live(&positioning, from: 0, for: 4_000)
        _ = positioning.release(at: start.advanced(by: 4_000))
        let told = live(&positioning, from: 4_000, for: 6_000)
        #expect(positioning.approximateSource.state == .noFix)
        #expect(told.map(\.isStale) == [true])
    }
}
