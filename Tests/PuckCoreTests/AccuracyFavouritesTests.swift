import Testing

@testable import PuckCore

@Suite("Approximate locations: places where one stays")
struct AccuracyFavouritesTests {
    private func point(_ column: Int) -> LatticePoint { LatticePoint(row: 10, column: column) }

    @Test("a point owns its circle after four still epochs, not before; the oldest comes first")
    func four() {
        var favourites = Favourites()
        favourites.shown(point(1), still: false, day: 0)
        #expect(favourites.candidates.isEmpty)
        for epoch in 1...4 {
            #expect(favourites.oldest { _ in true } == nil)
            favourites.shown(point(1), still: true, day: 0)
            #expect(favourites.candidates.first?.stillEpochs == (epoch < 4 ? epoch : nil))
        }
        for _ in 1...4 { favourites.shown(point(0), still: true, day: 1) }
        #expect(favourites.oldest { _ in true } == point(1))
        #expect(favourites.oldest { $0 == self.point(0) } == point(0))
    }

    @Test("one unused for 180 days is dropped, one used in time is not")
    func age() {
        var favourites = Favourites()
        for _ in 1...4 { favourites.shown(point(1), still: true, day: 0) }
        for _ in 1...4 { favourites.shown(point(2), still: true, day: 0) }
        favourites.shown(point(3), still: true, day: 0)
        favourites.shown(point(1), still: false, day: 100)
        favourites.shown(point(9), still: false, day: 180)
        #expect(favourites.owners.map(\.point) == [point(1), point(2)])
        favourites.shown(point(9), still: false, day: 181)
        #expect(favourites.owners.map(\.point) == [point(1)])
        #expect(favourites.candidates.isEmpty)
        // A clock that went back drops nothing, and makes nothing older.
        favourites.shown(point(1), still: false, day: 3)
        #expect(favourites.owners.map(\.lastUsed) == [100])
    }

    @Test("there are never more than 32; the one unused longest makes room")
    func bounded() {
        var favourites = Favourites()
        for column in 0..<40 {
            for _ in 1...4 { favourites.shown(point(column), still: true, day: column) }
        }
        #expect(favourites.owners.map(\.point) == (8..<40).map(point))
        for column in 100..<200 { favourites.shown(point(column), still: true, day: 50) }
        #expect(favourites.candidates.count == 32)
    }

    @Test("home on a border never alternates: over a month of nights, errands and restarts one point")
    func home() throws {
        var random = SeededGenerator(seed: 11)
        var journey = AccuracyJourney(seed: 12)
        var nights: Set<Coordinate> = []
        var homes: Set<LatticePoint> = []
        let lattice = HexagonalLattice(radius: 2_500)
        func noisy(_ place: Coordinate) -> Coordinate {
            let here = offset(place, east: 16 * (random.unit() - 0.5), north: 16 * (random.unit() - 0.5))
            homes.insert(lattice.nearest(to: here))
            return here
        }
        for day in 0..<30 {
            let sent = journey.sent.count
            journey.live(for: 12 * 3_600, step: 50) { _ in noisy(border) }
            // From the second epoch: the first after a way may still be that of who moves.
            nights.formUnion(journey.sent[(sent + 2)...].map(\.location.coordinate))
            journey.stay(offset(border, east: day % 2 == 0 ? 9_000 : 800, north: 500), for: 12 * 3_600, step: 50)
            if day % 5 == 4 { journey = journey.restarted(after: 60, seed: UInt64(day)) }
        }
        #expect(homes.count == 2, "the lattice alone would have alternated, or this test shows nothing")
        #expect(nights.count == 1)
    }

    @Test("a home on the edge of an older favourite's circle, once it has its own point, keeps it")
    func edge() throws {
        var journey = AccuracyJourney()
        func night(_ error: Double) throws -> Coordinate {
            journey.stay(offset(middle, east: 2_450 + error), for: 8 * 3_600, step: 50)
            let shown = try #require(journey.sent.last?.location.coordinate)
            journey.stay(offset(middle, east: -300), for: 4 * 3_600, step: 50)
            return shown
        }
        journey.stay(offset(middle, east: -300), for: 20_000, step: 50)
        let older = try #require(journey.sent.last?.location.coordinate)
        #expect(try night(-20) == older)
        let own = try night(20)
        #expect(own != older)
        for error in [-20.0, 20, -40, 30, -5] { #expect(try night(error) == own) }
        // The older one keeps what is well within its circle, the newer one's too.
        #expect(journey.sent.last?.location.coordinate == older)
    }

    @Test("a second dwelling on the edge of home's circle does not take home from its point")
    func secondDwelling() throws {
        var journey = AccuracyJourney()
        // Well within its own point's circle, and on the edge of the second one's.
        let home = offset(middle, east: 1_700)
        journey.stay(home, for: 8 * 3_600, step: 50)
        let own = try #require(journey.sent.last?.location.coordinate)
        for error in [20.0, -20, 10, -10, 0] {
            journey.stay(offset(middle, east: 2_450 + error), for: 8 * 3_600, step: 50)
            #expect(journey.sent.last?.location.coordinate != own)
            journey.stay(home, for: 8 * 3_600, step: 50)
            #expect(journey.sent.last?.location.coordinate == own)
        }
    }

    @Test("without having stayed, the lattice decides alone")
    func lattice() {
        var journey = AccuracyJourney()
        journey.stay(offset(border, east: 30), for: 4_000)
        let east = journey.sent.last?.location.coordinate
        journey = AccuracyJourney()
        journey.stay(offset(border, east: -30), for: 4_000)
        #expect(east != journey.sent.last?.location.coordinate)
    }

    @Test("a place within a favourite's circle is told as the favourite")
    func owns() throws {
        var journey = AccuracyJourney()
        journey.stay(middle, for: 5 * 1_800)
        let home = try #require(journey.sent.last?.location.coordinate)
        // Beyond the cell, within the circle; reached in steps too short to count as moving.
        for east in stride(from: 400.0, through: 2_400, by: 400) {
            journey.stay(offset(middle, east: east), for: 2_400)
        }
        #expect(
            HexagonalLattice(radius: 2_500).nearest(to: offset(middle, east: 2_400))
                != HexagonalLattice(radius: 2_500).nearest(to: middle))
        #expect(journey.sent.last?.location.coordinate == home)
        journey.stay(offset(middle, east: 2_460), for: 2_400)
        #expect(journey.sent.last?.location.coordinate != home)
    }

    @Test("a bad receiver that stays is not taken to walk")
    func badReceiver() {
        var random = SeededGenerator(seed: 13)
        var journey = AccuracyJourney()
        journey.live(for: 5 * 86_400, step: 50, accuracy: 300) { _ in
            offset(border, east: 400 * (random.unit() - 0.5), north: 400 * (random.unit() - 0.5))
        }
        #expect(Set(journey.sent.map(\.location.coordinate)).count == 1)
        #expect(Set(journey.sent.map(\.location.level)) == [.double])
    }
}
