import Testing

@testable import PuckCore

@Suite("Approximate locations: nothing is told that is not on the disk")
struct AccuracyDiskTests {
    /// What was told on a drive.
    private struct Told {
        var points: Set<Coordinate> = []
        /// Those in the small circle.
        var fine: Set<Coordinate> = []
        /// Those told first after the disk began to fail, though they were not on it then.
        var fresh: Set<Coordinate> = []

        mutating func add(_ location: ApproximateLocation, isFresh: Bool) {
            if points.insert(location.coordinate).inserted, isFresh { fresh.insert(location.coordinate) }
            if location.level == .single { fine.insert(location.coordinate) }
        }
    }

    /// Three hours of a drive at 100 m/s, with a restart every so many seconds (nil: none) on a disk that fails from a time on.
    private func drive(
        restarts: Double?, seed: UInt64, from failing: Double = .infinity,
        _ spoil: (inout AccuracyDisk) -> Void = { _ in }
    ) -> Told {
        var journey = AccuracyJourney(seed: seed)
        var told = Told()
        var run = seed
        var isFailing = false
        while journey.now < 3 * 3_600 {
            if !isFailing, journey.now >= failing {
                isFailing = true
                if let kept = shown(by: journey.kept) { told.add(kept, isFresh: false) }
                spoil(&journey.disk)
            }
            let before = journey.sent.count
            // What a client that connects is given.
            if let present = journey.stage.present { told.add(present, isFresh: isFailing) }
            journey.live(for: min(restarts ?? 300, 300)) { offset(middle, east: 100 * $0) }
            for sent in journey.sent[before...] { told.add(sent.location, isFresh: isFailing) }
            if restarts != nil {
                run += 1
                journey = journey.restarted(after: 2, seed: run)
            }
        }
        return told
    }

    private func shown(by state: CoarsenerState?) -> ApproximateLocation? {
        state.flatMap { AccuracyJourney(state: $0, at: 0).stage.present }
    }

    @Test("restarts, however many, tell no more points than none do", arguments: [100.0, 250, 700])
    func restarts(every interval: Double) {
        for seed: UInt64 in [1, 20] {
            let steady = drive(restarts: nil, seed: seed)
            let restarted = drive(restarts: interval, seed: seed)
            #expect(steady.points.count > 5)
            #expect(restarted.points.count <= steady.points.count)
            #expect(restarted.fine.count <= max(1, steady.fine.count))
        }
    }

    @Test(
        "on a disk that fails, restarts tell no new point, wherever saving fails",
        arguments: [AccuracyDisk.Fault.create, .write, .flush, .rename])
    func faults(fault: AccuracyDisk.Fault) {
        for interval in [nil, 100.0, 290] {
            let run = drive(restarts: interval, seed: 4, from: 3_600) { $0.fault = fault }
            #expect(run.fresh.isEmpty)
            #expect(run.points.count >= 2)
            #expect(run.points.count < drive(restarts: interval, seed: 4).points.count)
        }
    }

    @Test("a disk that fails from the start on tells nothing at all", arguments: AccuracyDisk.Fault.allCases)
    func never(fault: AccuracyDisk.Fault) {
        for interval in [nil, 280.0] {
            let run = drive(restarts: interval, seed: 4, from: 0) { $0.fault = fault }
            // A directory that can't be flushed leaves the new file for the next run: an epoch at its time, and not earlier.
            if fault == .flushDirectory, interval != nil { continue }
            #expect(run.points.isEmpty)
        }
    }

    @Test("where it is not known what is on the disk, restarts tell no more points than on a good one")
    func doubtful() {
        for seed: UInt64 in [1, 20] {
            for interval in [100.0, 290] {
                let run = drive(restarts: interval, seed: seed, from: 0) { $0.fault = .flushDirectory }
                #expect(run.points.count <= drive(restarts: nil, seed: seed).points.count)
            }
        }
    }

    @Test(
        "a disk with room for so many bytes tells what finds room, and then keeps to it", arguments: [0, 100, 400, 900])
    func room(bytes: Int) {
        for interval in [nil, 250.0] {
            var isSet = false
            let run = drive(restarts: interval, seed: 9, from: 0) { disk in
                if !isSet { disk.room = bytes }
                isSet = true
            }
            #expect(run.points.count <= bytes / 100)
        }
    }

    @Test("on a full disk the point is stale after two epochs, and a fix counts again once there is room")
    func stale() throws {
        var journey = AccuracyJourney()
        journey.stay(middle, for: 4_000)
        let before = try #require(journey.stage.present)
        journey.disk.fault = .write
        journey.stay(middle, for: 6_000)
        let stale = try #require(journey.stage.present)
        #expect(stale.isStale && stale.coordinate == before.coordinate && stale.sequence == before.sequence + 1)
        journey.disk.fault = nil
        journey.stay(middle, for: 2_300)
        #expect(journey.stage.present?.isStale == false)
    }

    @Test("an epoch that could not be saved is not tried again before the next one's time")
    func noHaste() {
        var journey = AccuracyJourney()
        journey.stay(middle, for: 4_000)
        journey.disk.fault = .write
        let start = journey.now
        journey.live(for: 36_000) { offset(middle, east: 100 * ($0 - start)) }
        // Early candidates of a drive that is far are tried, as long as none has failed.
        #expect(journey.disk.failures <= 36_000 / 1_350 + 1)
        #expect(journey.disk.failures >= 36_000 / 2_250)
    }
}
