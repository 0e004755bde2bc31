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
            for case .coarse(let action) in positioning.advance(to: start.at(due)) {
                switch action {
                case .publish(let location): told.append(location)
                case .save: positioning.saved(isKept: true, at: start.at(due))
                case .source, .withdraw: break
                }
            }
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

    /// A positioning with a fix every 20 s at `place`, and its time.
    private struct Life {
        var positioning: Positioning
        var now = 0.0
        var place = middle
    }

    /// Lives on for so many seconds; what was told.
    private func live(_ life: inout Life, for seconds: Double) -> [ApproximateLocation] {
        var told: [ApproximateLocation] = []
        let end = life.now + seconds
        while life.now < end {
            told += live(&life.positioning, from: life.now, for: 20)
            life.now += 20
            let moment = start.advanced(by: life.now)
            var report = PositionReport(device: DeviceName("/dev/a"), time: moment.utc, mode: .threeDimensional)
            report.coordinate = life.place
            report.eph = 5
            _ = life.positioning.receive(.position(report), at: moment)
        }
        return told
    }

    private func told(_ events: [Positioning.Event]) -> [CoarsenerAction] {
        events.compactMap { if case .coarse(let action) = $0 { action } else { nil } }
    }

    @Test("released, the receiver's point is what it would be without a provider, and comes at once; so do its epochs")
    func comeBack() throws {
        var (plain, provided) = (Life(positioning: positioning()), Life(positioning: positioning()))
        _ = live(&plain, for: 4_000)
        _ = live(&provided, for: 4_000)
        #expect(provided.positioning.approximate == plain.positioning.approximate)
        let before = try #require(plain.positioning.approximate)
        let far = offset(middle, east: 80_000)
        _ = provided.positioning.place(Placement(coordinate: far), at: start.advanced(by: provided.now))
        _ = live(&plain, for: 5_000)
        let placed = live(&provided, for: 5_000)
        #expect(placed.count >= 2)
        #expect(placed.allSatisfy { chord($0.coordinate, far) < 40_000 })
        let actions = told(provided.positioning.release(at: start.advanced(by: provided.now)))
        let (own, back) = (try #require(plain.positioning.approximate), try #require(provided.positioning.approximate))
        #expect(own != before)
        #expect(actions == [.publish(back)])
        #expect(back.coordinate == own.coordinate && back.epoch == own.epoch)
        #expect(back.sequence == (placed.last?.sequence ?? 0) + 1)
        // And the times of what follows are the same.
        let (a, b) = (live(&plain, for: 8_000), live(&provided, for: 8_000))
        #expect(a.count >= 3)
        #expect(a.map(\.epoch) == b.map(\.epoch) && a.map(\.coordinate) == b.map(\.coordinate))
    }

    @Test("where the receiver is makes no difference to what is told of a provider, to the byte and the instant")
    func providerLearnsNothing() throws {
        // One stands where the other drives: far apart, and with early epochs that are not seen.
        func script(east: Double, speed: Double) -> [[ApproximateLocation]] {
            var life = Life(positioning: positioning())
            _ = live(&life, for: 4_000)
            var seen: [[ApproximateLocation]] = []
            for step in 0..<40 {
                life.place = offset(middle, east: east + speed * life.now)
                // It looks about: round the places of both, and near and far from its own last one.
                let probe = offset(middle, east: Double(step % 9 - 4) * 3_000, north: Double(step % 5 - 2) * 2_500)
                _ = life.positioning.place(Placement(coordinate: probe), by: 7, at: start.advanced(by: life.now))
                seen.append(live(&life, for: 700))
            }
            return seen
        }
        let one = script(east: 0, speed: 0)
        #expect(one.flatMap { $0 }.count > 20)
        #expect(one == script(east: 400, speed: 0))
        #expect(one == script(east: 0, speed: 30))
        #expect(one == script(east: 300, speed: -20))
    }

    @Test("a provider that takes over from another learns nothing of the other's places either")
    func successor() throws {
        func script(_ other: Coordinate) -> [ApproximateLocation] {
            var life = Life(positioning: positioning())
            _ = live(&life, for: 4_000)
            _ = life.positioning.place(Placement(coordinate: other), by: 1, at: start.advanced(by: life.now))
            _ = live(&life, for: 600)
            _ = life.positioning.place(
                Placement(coordinate: offset(middle, east: 5_200)), by: 2, at: start.advanced(by: life.now))
            return live(&life, for: 9_000)
        }
        let one = script(middle)
        #expect(one.count >= 3)
        #expect(one == script(offset(middle, east: 900)))
        #expect(one == script(offset(middle, north: 40_000)))
    }

    @Test("a placed location wins no favourite, and uses none of the receiver's")
    func noFavourites() throws {
        var life = Life(positioning: positioning())
        _ = live(&life, for: 12_000)
        let own = try #require(life.positioning.approximate)
        // In the receiver's favourite's circle, and nearer to another point of the lattice.
        let geometry = Geometry(radius: .standard)
        let beside = try #require(
            stride(from: -4_700.0, through: 4_700, by: 100).lazy.map { east in
                offset(own.coordinate, east: east, north: (4_700 * 4_700 - east * east).squareRoot())
            }.first { geometry.finePoint($0) != geometry.finePoint(own.coordinate) })
        var states: [CoarsenerState] = []
        _ = life.positioning.place(Placement(coordinate: beside), by: 7, at: start.advanced(by: life.now))
        let end = life.now + 20_000
        while let due = life.positioning.deadline, due < start.advanced(by: end).monotonic {
            for case .coarse(.save(let state)) in life.positioning.advance(to: start.at(due)) {
                states.append(state)
                life.positioning.saved(isKept: true, at: start.at(due))
            }
        }
        let shown = try #require(life.positioning.approximate)
        #expect(shown.coordinate != own.coordinate)
        let stranger = geometry.finePoint(beside)
        #expect(states.count > 5)
        #expect(
            states.allSatisfy { !($0.favourites.owners + $0.favourites.candidates).contains { $0.point == stranger } })
        #expect(states.allSatisfy { $0.point?.place != stranger })
    }

    @Test("released without a receiver, there is no location any more, and no fix")
    func released() {
        var positioning = positioning()
        _ = positioning.place(Placement(coordinate: middle), at: start)
        _ = live(&positioning, from: 0, for: 4_000)
        #expect(positioning.approximate != nil && positioning.approximateSource.state == .fix)
        let told = told(positioning.release(at: start.advanced(by: 4_000)))
        #expect(told.contains(.withdraw) && told.count == 2)
        #expect(positioning.approximate == nil && positioning.approximateSource.state == .noFix)
        #expect(live(&positioning, from: 4_000, for: 6_000).isEmpty)
    }
}
