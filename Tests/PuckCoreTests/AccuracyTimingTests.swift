import Testing

@testable import PuckCore

@Suite("Approximate locations: when they are told")
struct AccuracyTimingTests {
    /// Seconds between neighbours.
    private func gaps(_ times: [Double]) -> [Double] { zip(times, times.dropFirst()).map { $1 - $0 } }

    @Test("standing still, epochs are 1,800 s apart, a quarter more or less, each drawn anew")
    func intervals() {
        var journey = AccuracyJourney()
        journey.stay(middle, for: 10 * 86_400, step: 30)
        let gaps = gaps(journey.epochs.map(\.time))
        #expect(gaps.dropFirst().allSatisfy { $0 >= 1_350 && $0 <= 2_250 })
        #expect(abs(gaps.reduce(0, +) / Double(gaps.count) - 1_800) < 60)
        #expect((gaps.max() ?? 0) > 2_200 && (gaps.min() ?? 0) < 1_400)
    }

    @Test("each burst comes within 10 s of its epoch, after what has to be kept of it")
    func delivery() {
        var journey = AccuracyJourney()
        journey.stay(middle, for: 10 * 86_400, step: 30)
        let delays = zip(journey.sent, journey.epochs).map { $0.time - $1.time }
        #expect(delays.allSatisfy { $0 >= 0 && $0 < 10 })
        #expect((delays.max() ?? 0) > 9 && (delays.min() ?? 10) < 1)
        var kept: UInt64 = 0
        for action in journey.actions {
            switch action {
            case .save(let state): kept = state.sequence
            case .publish(let location): #expect(location.sequence <= kept)
            case .source, .withdraw: break
            }
        }
    }

    @Test("between the epoch and its burst a new client is given what the others have")
    func present() throws {
        var stage = Coarsener(
            radius: .standard, state: nil, at: AccuracyJourney.moment(0), random: SeededGenerator(seed: 1))
        let epoch = AccuracyJourney.standard.at(try #require(stage.deadline))
        stage.observe(middle, accuracy: 5, at: epoch)
        #expect(stage.advance(to: epoch).count == 1)
        // Until it is on the disk nothing is due.
        #expect(stage.deadline == nil)
        stage.saved(isKept: true, at: epoch)
        #expect(stage.present == nil)
        #expect(stage.source.state == .noFix)
        let actions = stage.advance(to: epoch.at(try #require(stage.deadline)))
        #expect(actions.last == stage.present.map(CoarsenerAction.publish))
        #expect(stage.present != nil)
        #expect(stage.source.state == .fix)
    }

    @Test(
        "the first epoch comes about a minute after the start, whenever the first fix came", arguments: [1.0, 20, 44])
    func first(fix: Double) throws {
        var journey = AccuracyJourney()
        journey.live(for: 100, step: 1) { $0 < fix ? nil : middle }
        let first = try #require(journey.epochs.first)
        var other = AccuracyJourney()
        other.stay(middle, for: 100, step: 1)
        #expect(first.time == other.epochs.first?.time)
        #expect(first.time >= 45 && first.time <= 75)
    }

    @Test(
        "an early epoch comes only far from the last one, and at a time that motion does not choose",
        arguments: [
            (2_500, 3_000.0), (5_000, 5_000),
        ])
    func early(radius: Int, distance: Double) {
        var early: [Double] = []
        for seed in 1...20 {
            var journey = AccuracyJourney(radius: radius, seed: UInt64(seed))
            journey.stay(middle, for: 3_600)
            let start = journey.now
            journey.live(for: 3 * 3_600) { offset(middle, east: 15 * ($0 - start)) }
            for (last, next) in zip(journey.epochs, journey.epochs.dropFirst()) where next.time - last.time < 1_350 {
                guard let a = last.place, let b = next.place else { continue }
                #expect(chord(a, b) >= distance)
                #expect(next.time - last.time >= 225)
                early.append(chord(a, b))
            }
        }
        #expect(early.count > 100)
        // Were the distance what sets it off, all would be just over it.
        #expect((early.max() ?? 0) > distance + 2_000)
    }

    @Test("a step under the distance makes no early epoch")
    func noEarly() {
        var journey = AccuracyJourney()
        journey.stay(middle, for: 3_600)
        let before = journey.epochs.count
        journey.stay(offset(middle, east: 2_900), for: 1_300)
        #expect(journey.epochs.count - before <= 1)
    }

    @Test("looking at it, and however often, changes nothing of it")
    func observersDoNotMatter() throws {
        func run(_ looks: Int) throws -> [CoarsenerAction] {
            var stage = Coarsener(
                radius: .standard, state: nil, at: AccuracyJourney.moment(0), random: SeededGenerator(seed: 5))
            var actions: [CoarsenerAction] = []
            for second in 0..<20_000 {
                let now = AccuracyJourney.moment(Double(second))
                stage.observe(middle, accuracy: 5, at: now)
                for _ in 0..<looks {
                    _ = stage.present
                    _ = stage.source
                    // Woken by something else, with nothing due.
                    if try #require(stage.deadline) > now.monotonic { actions += stage.advance(to: now) }
                }
                if try #require(stage.deadline) <= now.monotonic { actions += stage.advance(to: now) }
                stage.saved(isKept: true, at: now)
            }
            return actions
        }
        #expect(try run(0) == run(3))
    }

    @Test("without a fix: the source says so at the next epoch, the point is stale at the one after, once each")
    func noFix() {
        var journey = AccuracyJourney()
        journey.stay(middle, for: 4_000)
        let live = journey.sent.count
        let epochs = journey.epochs.count
        journey.beBlind(for: 20_000)
        #expect(journey.sources.map(\.state) == [.fix, .noFix])
        #expect(journey.sent.count == live + 1)
        guard let stale = journey.sent.last?.location else { return }
        #expect(stale.isStale && Location.approximate(stale).puck.state == .stale)
        #expect(stale.epoch == journey.sent[live - 1].location.epoch, "nothing old is told as new")
        #expect(stale.sequence == journey.sent[live - 1].location.sequence + 1)
        #expect(journey.stage.present == stale)
        let since = journey.sources[1].since.utc.seconds - AccuracyJourney.standard.utc.seconds
        #expect(since <= journey.epochs[epochs].time && journey.epochs[epochs].time - since < 60)
        #expect(journey.sent[live].time - journey.epochs[epochs + 1].time < 10)
        #expect(journey.sent[live].time >= journey.epochs[epochs + 1].time)
    }

    @Test("a fix that comes back is not told when it comes, but within candidates' time")
    func back() {
        var delays: [Double] = []
        for seed in 1...40 {
            var journey = AccuracyJourney(seed: UInt64(seed))
            journey.stay(middle, for: 4_000)
            journey.beBlind(for: 6_000)
            let back = journey.now
            journey.stay(middle, for: 500, step: 1)
            guard let epoch = journey.epochs.last else { continue }
            delays.append(epoch.time - back)
            #expect(journey.stage.source.state == .fix)
            #expect(journey.stage.present?.isStale == false)
        }
        #expect(delays.allSatisfy { $0 >= 0 && $0 <= 375 })
        // Spread over the whole of it.
        #expect((delays.min() ?? 400) < 60 && (delays.max() ?? 0) > 240)
    }

    @Test("the host's clock set by an hour either way: no epoch more or less", arguments: [3_600.0, -3_600])
    func clockStep(step: Double) {
        func run(_ step: Double) -> ([Instant], [Bool]) {
            var stage = Coarsener(
                radius: .standard, state: nil, at: AccuracyJourney.moment(0), random: SeededGenerator(seed: 9))
            var epochs: [Instant] = []
            var stale: [Bool] = []
            for second in 0..<40_000 {
                var now = AccuracyJourney.moment(Double(second))
                if second >= 20_000 { now.utc = now.utc.advanced(by: step) }
                stage.observe(middle, accuracy: 5, at: now)
                for action in stage.advance(to: now) {
                    switch action {
                    case .save:
                        epochs.append(now.monotonic)
                        stage.saved(isKept: true, at: now)
                    case .publish(let location): stale.append(location.isStale)
                    case .source, .withdraw: break
                    }
                }
            }
            return (epochs, stale)
        }
        let stepped = run(step)
        #expect(stepped.0 == run(0).0)
        #expect(!stepped.1.contains(true))
    }

    @Test("what was seen before the host slept is not told as seen after")
    func sleep() throws {
        var stage = Coarsener(
            radius: .standard, state: nil, at: AccuracyJourney.moment(0), random: SeededGenerator(seed: 9))
        var now = AccuracyJourney.moment(0)
        stage.observe(middle, accuracy: 5, at: now)
        // Eight hours by the wall clock, none by the monotonic one.
        now = now.at(try #require(stage.deadline))
        now.utc = now.utc.advanced(by: 8 * 3_600)
        #expect(stage.advance(to: now).isEmpty)
        #expect(stage.present == nil)
    }

    @Test("a late call makes one late epoch, not all that were missed")
    func late() throws {
        var stage = Coarsener(
            radius: .standard, state: nil, at: AccuracyJourney.moment(0), random: SeededGenerator(seed: 9))
        let now = AccuracyJourney.moment(100_000)
        stage.observe(middle, accuracy: 5, at: now)
        #expect(stage.advance(to: now).count == 1)
        stage.saved(isKept: true, at: now)
        #expect(try #require(stage.deadline) > now.monotonic)
    }

    @Test("an older location does not replace a newer one")
    func order() throws {
        var stage = Coarsener(
            radius: .standard, state: nil, at: AccuracyJourney.moment(0), random: SeededGenerator(seed: 9))
        let now = AccuracyJourney.standard.at(try #require(stage.deadline))
        stage.observe(middle, accuracy: 5, at: now)
        stage.observe(offset(middle, east: 90_000), accuracy: 5, at: now.advanced(by: -1))
        _ = stage.advance(to: now)
        stage.saved(isKept: true, at: now)
        _ = stage.advance(to: now.at(try #require(stage.deadline)))
        #expect(stage.present.map { chord($0.coordinate, middle) < 5_000 } == true)
    }
}
