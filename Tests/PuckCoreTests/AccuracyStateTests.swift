import Testing

@testable import PuckCore

@Suite("Approximate locations: what is kept over a restart")
struct AccuracyStateTests {
    /// A state with all that there can be in one.
    static let rich: CoarsenerState = {
        var journey = AccuracyJourney()
        for day in 0..<4 { journey.stay(offset(middle, east: Double(day) * 12_000), for: 5 * 3_600, step: 50) }
        journey.stay(offset(middle, north: 9_000), for: 3 * 1_800)
        return journey.kept ?? AccuracyJourney.fallback
    }()

    @Test("a restart keeps the schedule to the second, the point, the count and every byte")
    func restart() throws {
        var journey = AccuracyJourney()
        journey.stay(middle, for: 10_000)
        var next = journey.restarted(after: 20)
        #expect(next.stage.present == journey.stage.present)
        #expect(next.stage.source == journey.stage.source)
        let planned = try #require(journey.kept).next
        next.stay(middle, for: 4_000)
        let epoch = try #require(next.epochs.first)
        #expect(abs(AccuracyJourney.moment(epoch.time).utc.seconds(since: planned)) < 1)
        #expect(next.sources.isEmpty)
        #expect(next.sent.first?.location.sequence == (journey.sent.last?.location.sequence ?? 0) + 1)
        #expect(next.sent.first?.location.coordinate == journey.sent.last?.location.coordinate)
    }

    @Test("restarts between two epochs, however many, make none")
    func restarts() throws {
        var journey = AccuracyJourney()
        journey.stay(middle, for: 4_000)
        let before = try #require(journey.stage.present)
        let planned = try #require(journey.kept).next.seconds - AccuracyJourney.standard.utc.seconds
        var state = journey.kept
        var now = journey.now
        while now + 100 < planned {
            var again = AccuracyJourney(state: state, at: now, seed: UInt64(now))
            again.stay(middle, for: 8)
            #expect(again.actions.isEmpty)
            #expect(again.stage.present == before)
            state = again.kept ?? state
            now += 100
        }
    }

    @Test("a restart between an epoch and its burst loses nothing: who connects is given it")
    func beforeBurst() throws {
        var stage = Coarsener(
            radius: .standard, state: nil, at: AccuracyJourney.moment(0), random: SeededGenerator(seed: 2))
        let now = AccuracyJourney.standard.at(try #require(stage.deadline))
        stage.observe(middle, accuracy: 5, at: now)
        guard case .save(let state) = stage.advance(to: now).first else {
            Issue.record("an epoch has something to keep")
            return
        }
        stage.saved(isKept: true, at: now)
        let next = Coarsener(
            radius: .standard, state: state, at: now.advanced(by: 1), random: SeededGenerator(seed: 3))
        _ = stage.advance(to: now.at(try #require(stage.deadline)))
        #expect(next.present == stage.present)
        #expect(next.source == stage.source)
    }

    @Test("after a restart on the way the circle stays large until it is known that one stays")
    func restartOnTheWay() throws {
        var journey = AccuracyJourney()
        journey.stay(middle, for: 4_000)
        journey = journey.restarted(after: 5)
        let start = journey.now
        journey.live(for: 2_400) { offset(middle, east: 12 * ($0 - start)) }
        #expect(try #require(journey.sent.first).location.level == .moving)
        // And a restart once it moves does not make it fine either.
        var again = journey.restarted(after: 5)
        again.live(for: 2_400) { offset(middle, east: 12 * ($0 - start)) }
        #expect(try #require(again.sent.first).location.level == .moving)
    }

    @Test("an overdue epoch comes as a first one does, and the point tells its age until then")
    func overdue() throws {
        var journey = AccuracyJourney()
        journey.stay(middle, for: 4_000)
        let last = try #require(journey.stage.present)
        let missed = journey.restarted(after: 2_250)
        #expect(missed.stage.source.state == .noFix)
        #expect(missed.stage.present == last)
        var later = journey.restarted(after: 8 * 3_600)
        #expect(later.stage.present?.isStale == true)
        #expect(later.stage.present?.epoch.utc == last.epoch.utc)
        #expect(later.stage.present?.sequence == last.sequence + 1)
        let start = later.now
        later.stay(offset(middle, east: 40_000), for: 100, step: 1)
        #expect(try #require(later.epochs.first).time - start >= 45)
        #expect(later.stage.present?.level == .single)
        #expect(later.stage.present?.sequence == last.sequence + 2)
        #expect(later.sources.map(\.state) == [.fix])
    }

    @Test("a state from the future waits a whole interval, and its point is stale")
    func future() throws {
        var journey = AccuracyJourney()
        journey.stay(middle, for: 100_000)
        var past = AccuracyJourney(state: journey.kept, at: 1_000)
        #expect(past.stage.present?.isStale == true)
        past.stay(middle, for: 1_300)
        #expect(past.epochs.isEmpty)
        past.stay(middle, for: 1_000)
        #expect(past.epochs.count == 1)
        #expect(past.stage.present?.isStale == false)
    }

    @Test("over a reboot the epoch keeps its UTC, and its monotonic time says its age by the new clock")
    func reboot() throws {
        var journey = AccuracyJourney()
        journey.stay(middle, for: 4_000)
        let last = try #require(journey.stage.present)
        let start = Moment(monotonic: Instant(seconds: 30), utc: AccuracyJourney.moment(journey.now + 60).utc)
        let stage = Coarsener(
            radius: try #require(ApproximateRadius(metres: 2_500)), state: journey.kept, at: start,
            random: SeededGenerator(seed: 1))
        let shown = try #require(stage.present)
        #expect(shown.epoch.utc == last.epoch.utc)
        let age = start.monotonic.seconds(since: shown.epoch.monotonic)
        #expect(abs(age - start.utc.seconds(since: shown.epoch.utc)) <= 60)
        #expect(shown.epoch.monotonic.nanoseconds % 60_000_000_000 == 0)
    }

    @Test("favourites outlive the restart")
    func favourites() throws {
        var journey = AccuracyJourney()
        journey.stay(offset(border, east: -20), for: 9_000)
        let home = try #require(journey.sent.last?.location.coordinate)
        var next = journey.restarted(after: 86_400)
        next.stay(offset(border, east: 20), for: 4_000)
        #expect(next.sent.last?.location.coordinate == home)
    }

    @Test("another radius starts anew, but for the count of frames")
    func otherRadius() throws {
        let state = Self.rich
        let stage = Coarsener(
            radius: .standard, state: state, at: AccuracyJourney.moment(100_000), random: SeededGenerator(seed: 1))
        #expect(stage.present == nil)
        #expect(stage.source.state == .noFix)
        var journey = AccuracyJourney(radius: 5_000, state: state, at: 100_000)
        journey.stay(middle, for: 100)
        #expect(journey.sent.first?.location.sequence == state.sequence + 1)
        #expect(journey.kept?.favourites.owners.isEmpty == true)
    }

    @Test("the text gives back the state")
    func text() throws {
        let state = Self.rich
        #expect(state.favourites.owners.count > 2 && !state.favourites.candidates.isEmpty && state.point != nil)
        #expect(try CoarsenerState(text: state.text.utf8) == state)
        let bare = AccuracyJourney.fallback
        #expect(try CoarsenerState(text: bare.text.utf8) == bare)
        var full = state
        full.favourites = Favourites(
            owners: (0..<32).map {
                .init(point: LatticePoint(row: 2_000, column: 9_000 - $0), stillEpochs: 4, lastUsed: 19_999)
            },
            candidates: (0..<32).map {
                .init(point: LatticePoint(row: 2_001, column: 9_000 - $0), stillEpochs: 3, lastUsed: 19_999)
            })
        #expect(full.text.utf8.count < CoarsenerState.longestText / 2)
    }

    @Test("the text has no number that a coordinate could hide in: whole ones, of points, counts and times")
    func noCoordinate() {
        let text = Self.rich.text
        #expect(!text.contains("."))
        let names = Set(text.split(separator: "\n").dropFirst().compactMap { $0.split(separator: " ").first })
        #expect(names == ["radius", "sequence", "next", "misses", "since", "point", "favourite", "checksum"])
    }

    @Test("any byte changed, cut off or added is noticed")
    func damaged() {
        let text = Array(Self.rich.text.utf8)
        for index in text.indices {
            var bytes = text
            bytes[index] ^= [1, 0x20, 0x80][index % 3]
            #expect(throws: CoarsenerStateError.self) { try CoarsenerState(text: bytes) }
            #expect(throws: CoarsenerStateError.self) { try CoarsenerState(text: text[..<index]) }
        }
        #expect(throws: CoarsenerStateError.damaged) { try CoarsenerState(text: text + [10]) }
        #expect(throws: CoarsenerStateError.unknownFormat) { try CoarsenerState(text: []) }
        #expect(throws: CoarsenerStateError.tooLong) {
            try CoarsenerState(text: [UInt8](repeating: 10, count: CoarsenerState.longestText + 1))
        }
    }

    @Test(
        "well-formed nonsense under a right checksum is refused by line, and says what was expected",
        arguments: [
            ("radius 2500", "radius 1999", 2), ("radius 2500", "radius 99999999999999999999", 2),
            ("radius 2500", "radius 2500 1", 2), ("radius 2500", "Radius 2500", 2), ("misses 0", "misses 3", 5),
            ("misses 0", "misses -1", 5), ("next 1700", "next 9999999991700", 4),
            ("sequence ", "sequence 99999999999999", 3), ("favourite ", "favourite 99", 8),
            ("favourite ", "favourite -", 8),
            (" 4 19", " 5 19", 8), (" 4 19", " 0 19", 8), ("point single", "point many", 7),
            ("favourite ", "favourites ", 8),
        ])
    func nonsense(from: String, to: String, line: Int) throws {
        var lines = Self.rich.text.split(separator: "\n").dropLast().map(String.init)
        let index = try #require(lines.firstIndex { $0.contains(from) })
        let at = try #require(lines[index].firstRange(of: from))
        lines[index].replaceSubrange(at, with: to)
        do throws(CoarsenerStateError) {
            _ = try CoarsenerState(text: CoarsenerState.sealed(lines).utf8)
            Issue.record("taken")
        } catch {
            guard case .malformed(let number, let expected) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(number == line)
            #expect(!expected.isEmpty)
        }
    }

    @Test("a favourite twice, or one too many, is refused")
    func tooMany() {
        let lines = Self.rich.text.split(separator: "\n").dropLast().map(String.init)
        let twice = lines + [lines.last ?? ""]
        #expect(throws: CoarsenerStateError.self) { try CoarsenerState(text: CoarsenerState.sealed(twice).utf8) }
        let many = lines.prefix(7) + (0..<33).map { "favourite 3000 \($0) 4 19000" }
        #expect(throws: CoarsenerStateError.self) {
            try CoarsenerState(text: CoarsenerState.sealed(Array(many)).utf8)
        }
    }

    @Test("a point at the lattice's last row and column is taken, one beyond is not")
    func edges() throws {
        let lattice = HexagonalLattice(radius: 2_500)
        let lines = Self.rich.text.split(separator: "\n").dropLast().map(String.init).prefix(7)
        let row = lattice.columns.count / 2
        let last = lattice.columns[row] - 1
        #expect(throws: Never.self) {
            try CoarsenerState(text: CoarsenerState.sealed(lines + ["favourite \(row) \(last) 4 19000"]).utf8)
        }
        #expect(throws: CoarsenerStateError.self) {
            try CoarsenerState(text: CoarsenerState.sealed(lines + ["favourite 0 2 4 19000"]).utf8)
        }
    }

    @Test("the state a stage could never have made does not crash it either")
    func extremes() throws {
        for (next, since) in [(4_000_000_000, -4_000_000_000), (-4_000_000_000, 4_000_000_000)] {
            let text = CoarsenerState.sealed([
                CoarsenerState.heading, "radius 2500", "sequence \(1 << 53)", "next \(next)", "misses 2",
                "since \(since) \(next)", "point moving 0 0 \(since) \(since)", "favourite 0 1 1 -50000",
            ])
            var journey = AccuracyJourney(state: try CoarsenerState(text: text.utf8))
            journey.stay(middle, for: 10_000)
            #expect(journey.stage.present?.isStale == false)
            #expect(throws: Never.self) { try CoarsenerState(text: journey.kept?.text.utf8 ?? "".utf8) }
        }
    }
}

extension AccuracyJourney {
    /// A state with as little as there can be in one.
    static var fallback: CoarsenerState {
        var journey = AccuracyJourney()
        journey.beBlind(for: 3_000)
        return journey.kept
            ?? CoarsenerState(
                radius: .standard, sequence: 0, next: standard.utc, misses: 1, since: standard.flooredToMinute,
                point: nil,
                favourites: Favourites())
    }
}
