import Testing

@testable import PuckCore

@Suite("Approximate locations: what they tell")
struct AccuracyCoarsenerTests {
    @Test("one place is one point, with the configured radius, for ever", arguments: [2_500, 5_000])
    func onePlace(radius: Int) {
        var journey = AccuracyJourney(radius: radius)
        journey.stay(offset(middle, east: 700, north: -400), for: 3 * 86_400, step: 30)
        #expect(Set(journey.sent.map(\.location.coordinate)).count == 1)
        #expect(Set(journey.sent.map(\.location.accuracy)) == [Double(radius)])
        #expect(journey.sent.count > 90)
    }

    @Test("an approximate location has five decimals, whole minutes, and counts")
    func onlyWhatMayBeTold() {
        var journey = AccuracyJourney()
        journey.stay(offset(middle, east: 700), for: 86_400, step: 30)
        for (index, sent) in journey.sent.enumerated() {
            let location = sent.location
            #expect((location.coordinate.latitude * 1e5).rounded() / 1e5 == location.coordinate.latitude)
            #expect((location.coordinate.longitude * 1e5).rounded() / 1e5 == location.coordinate.longitude)
            #expect(location.epoch.utc.nanoseconds % 60_000_000_000 == 0)
            #expect(location.epoch.monotonic.nanoseconds % 60_000_000_000 == 0)
            #expect(location.sequence == UInt64(index) + 1)
        }
    }

    @Test("an approximate puck has state, mode, position and accuracy and nothing else")
    func puck() throws {
        var journey = AccuracyJourney()
        journey.stay(middle, for: 3_600)
        let location = try #require(journey.sent.last?.location)
        let puck = Location.approximate(location).puck
        var bare = Puck(
            state: .live, accuracyMode: .approximate, coordinate: location.coordinate, accuracy: location.accuracy)
        #expect(puck == bare)
        bare.stationary = true
        #expect(puck != bare)
    }

    @Test("two lives within the same cells at the same epochs are told alike, to the byte")
    func nothingFiner() {
        // One stays in the middle, drives to another cell's middle and back; the other is elsewhere in the same cells,
        // wanders about in them, and drives at other times between the same epochs.
        func life(_ wander: Double, late: Double) -> [CoarsenerAction] {
            var journey = AccuracyJourney(seed: 3)
            let there = offset(middle, east: 20_000)
            journey.live(for: 40_000) { time in
                let home = offset(middle, east: wander, north: -wander * 0.7)
                let way = min(1, max(0, (time - 20_000 - late) / 100))
                return offset(way < 1 ? home : there, east: way < 1 ? way * 200 : wander)
            }
            return journey.actions
        }
        let one = life(0, late: 0)
        #expect(one == life(600, late: 20))
        #expect(one != life(8_000, late: 0), "another cell is told apart, or this test shows nothing")
    }

    @Test(
        "moving is told by the fine point's place on the coarse lattice, in a circle of 20 or 30 km",
        arguments: [
            (2_500, 20_000.0), (5_000, 30_000),
        ])
    func moving(radius: Int, circle: Double) throws {
        var journey = AccuracyJourney(radius: radius)
        journey.stay(middle, for: 4_000)
        let still = try #require(journey.sent.last?.location)
        #expect(still.level == .single)
        let start = journey.now
        journey.live(for: 5_000) { offset(middle, east: 10 * ($0 - start)) }
        let geometry = Geometry(radius: try #require(ApproximateRadius(metres: radius)))
        let first = try #require(journey.epochs.firstIndex { $0.time > start + 400 })
        var seen = 0
        for epoch in journey.epochs[first...] {
            let point = try #require(epoch.state.point)
            let place = try #require(epoch.place)
            #expect(point.level == .moving)
            #expect(point.place == geometry.movingPoint(geometry.finePoint(place)))
            seen += 1
        }
        #expect(seen >= 3)
        #expect(journey.sent.last?.location.accuracy == circle)
        // Arrived, it is told finely at the second epoch.
        let end = offset(middle, east: 50_000)
        journey.stay(end, for: 5_000)
        #expect(journey.sent.last?.location.level == .single)
    }

    @Test("a move of less than the distance that counts as moving keeps the small circle")
    func shortMove() throws {
        var journey = AccuracyJourney()
        journey.stay(middle, for: 4_000)
        journey.stay(offset(middle, east: 1_400), for: 4_000)
        #expect(Set(journey.sent.map(\.location.level)) == [.single])
    }

    @Test(
        "a receiver's error takes the next level, and is never added",
        arguments: [
            (50.0, ApproximationLevel.single, 2_500.0), (50.1, .double, 5_000), (2_500, .double, 5_000),
            (2_501, .quadruple, 10_000), (7_500, .quadruple, 10_000),
        ])
    func levels(error: Double, level: ApproximationLevel, radius: Double) throws {
        var journey = AccuracyJourney()
        journey.stay(middle, for: 4_000, accuracy: error)
        let location = try #require(journey.sent.last?.location)
        #expect(location.level == level)
        #expect(location.accuracy == radius)
    }

    @Test("an error that no circle holds is no fix", arguments: [7_501, .infinity, .nan, -1])
    func noLevel(error: Double) {
        var journey = AccuracyJourney()
        journey.stay(middle, for: 10_000, accuracy: error)
        #expect(journey.sent.isEmpty)
        #expect(journey.stage.present == nil)
        #expect(journey.stage.source.state == .noFix)
    }

    @Test("zoom is a constant of the level, closer for smaller circles")
    func zoom() {
        for metres in [2_000, 2_500, 5_000, 100_000] {
            guard let radius = ApproximateRadius(metres: metres) else { continue }
            let zooms = ApproximationLevel.allCases.map { $0.zoom(radius) }
            #expect(zooms == zooms.sorted(by: >))
            #expect(zooms[0] - zooms[1] == 1)
        }
        // 256 points of 78,271.5 m / 2^z each are 10 km.
        #expect(abs(ApproximationLevel.single.zoom(.standard) - 10.968) < 0.001)
    }

    @Test("radii from 2,000 to 100,000 m; what follows from them is on the line through the two measured")
    func radii() throws {
        #expect(ApproximateRadius(metres: 1_999) == nil)
        #expect(ApproximateRadius(metres: 100_001) == nil)
        #expect(ApproximateRadius.standard.metres == 5_000)
        let small = try #require(ApproximateRadius(metres: 2_500))
        #expect(small.earlyDistance == 3_000 && small.movingDistance == 1_500 && small.movingLattice == 10_000)
        let large = ApproximateRadius.standard
        #expect(large.earlyDistance == 5_000 && large.movingDistance == 2_500 && large.movingLattice == 15_000)
        #expect(ApproximateRadius(metres: 3_750)?.earlyDistance == 4_000)
    }
}
