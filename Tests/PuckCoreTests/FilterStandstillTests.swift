import Testing

@testable import PuckCore

@Suite("Position filter: standing still")
struct FilterStandstillTests {
    /// Drives east at 10 m/s for 30 s, brakes, and stands from `stop` on.
    private func arrive(_ run: inout FilterRun) -> (place: PlaneVector, time: Int) {
        var place = PlaneVector.zero
        for k in 0..<36 {
            let speed = min(10, 2 * Double(max(0, 35 - k)))
            place += PlaneVector(east: speed, north: 0)
            _ = run.filter.update(run.noisyFix(at: Double(k), place, velocity: PlaneVector(east: speed, north: 0)))
        }
        return (place, 36)
    }

    @Test("P3 Ten minutes of noise: no turning, no speed, hardly a path, and frames rest", arguments: 1...5)
    func standing(seed: Int) throws {
        var run = FilterRun(seed: UInt64(seed))
        let (place, stop) = arrive(&run)
        for k in stop..<(stop + 60) { _ = run.filter.update(run.noisyFix(at: Double(k), place, velocity: .zero)) }
        let bearing = try #require(run.motion(at: Double(stop + 60))?.drawnCourse)
        #expect(abs(bearing.turn(to: try #require(Direction(90)))) < 5)
        // From a minute after the stop, as the recorded tracks are measured too.
        var path = 0.0
        var last = try #require(run.place(at: Double(stop + 59)))
        var resting = 0
        for k in (stop + 60)..<(stop + 660) {
            _ = run.filter.update(run.noisyFix(at: Double(k), place, velocity: .zero))
            let motion = try #require(run.motion(at: Double(k) + 0.9))
            #expect(motion.stationary && motion.speed == 0 && motion.course == nil)
            #expect(abs(bearing.turn(to: try #require(motion.drawnCourse))) < 2)
            let here = try #require(run.place(at: Double(k) + 0.9))
            path += (here - last).length
            if (here - last).length < 0.001 { resting += 1 }
            last = here
        }
        #expect(path < 5.0 / 6, "more than 5 m an hour")
        #expect(resting > 500)
    }

    @Test("P3 A stop from speed is known within six seconds, however fast one came", arguments: 1...5)
    func stopping(seed: Int) throws {
        var run = FilterRun(seed: UInt64(seed))
        let (place, stop) = arrive(&run)
        for k in stop..<(stop + 6) { _ = run.filter.update(run.noisyFix(at: Double(k), place, velocity: .zero)) }
        #expect(try #require(run.motion(at: Double(stop + 5))).stationary)
    }

    @Test("P3 A walk at 3 km/h moves within 3 s", arguments: 1...5)
    func walkingOff(seed: Int) throws {
        var run = FilterRun(seed: UInt64(seed))
        let (place, stop) = arrive(&run)
        for k in stop..<(stop + 60) { _ = run.filter.update(run.noisyFix(at: Double(k), place, velocity: .zero)) }
        let start = Double(stop + 59)
        let from = try #require(run.place(at: start))
        let velocity = PlaneVector(east: 0, north: 3 / 3.6)
        for k in 1...3 {
            _ = run.filter.update(run.noisyFix(at: start + Double(k), place + Double(k) * velocity, velocity: velocity))
        }
        let motion = try #require(run.motion(at: start + 3))
        #expect(!motion.stationary)
        #expect(motion.speed > 0.5)
        #expect((try #require(run.place(at: start + 3.5)) - from).north > 0.5)
    }

    @Test("One wild velocity does not set it off")
    func wildVelocity() throws {
        var run = FilterRun()
        let (place, stop) = arrive(&run)
        for k in stop..<(stop + 60) { _ = run.filter.update(run.noisyFix(at: Double(k), place, velocity: .zero)) }
        let before = try #require(run.place(at: Double(stop + 59)))
        _ = run.filter.update(run.noisyFix(at: Double(stop + 60), place, velocity: PlaneVector(east: 0, north: 170)))
        #expect(try #require(run.motion(at: Double(stop + 60))).stationary)
        #expect((try #require(run.place(at: Double(stop + 60))) - before).length < 1)
    }

    @Test("A receiver that slides after its start is followed")
    func slidingStart() throws {
        var run = FilterRun()
        for k in 0..<90 {
            let place = PlaneVector(east: 180 - 3 * Double(min(k, 60)), north: 0)
            _ = run.filter.update(run.fix(at: Double(k), place, velocity: .zero))
            #expect((try #require(run.place(at: Double(k) + 0.9)) - place).length < 30)
        }
        #expect(try #require(run.place(at: 90)).length < 15)
    }

    @Test("Parked before a gap and near it after: one wild velocity does not set it off, two do")
    func wokenWild() throws {
        var run = FilterRun()
        let (place, stop) = arrive(&run)
        for k in stop..<(stop + 60) { _ = run.filter.update(run.noisyFix(at: Double(k), place, velocity: .zero)) }
        let before = try #require(run.place(at: Double(stop + 59)))
        let velocity = PlaneVector(east: 6, north: 0)
        let wake = Double(stop + 90)
        _ = run.filter.update(run.fix(at: wake, place, velocity: velocity))
        #expect(try #require(run.motion(at: wake + 0.9)).stationary)
        #expect((try #require(run.place(at: wake + 10)) - before).length < 3)
        _ = run.filter.update(run.fix(at: wake + 1, place + velocity, velocity: velocity))
        #expect(try !#require(run.motion(at: wake + 1)).stationary)
    }

    @Test("With positions only, going away slowly is not taken for their scatter")
    func leavingSlowly() throws {
        var run = FilterRun()
        for k in 0..<60 { _ = run.filter.update(run.fix(at: Double(k), .zero)) }
        #expect(try #require(run.motion(at: 59)).stationary)
        for k in 1...20 {
            _ = run.filter.update(run.fix(at: 59 + Double(k), PlaneVector(east: 0.5 * Double(k), north: 0)))
        }
        #expect(try !#require(run.motion(at: 79)).stationary)
        #expect((try #require(run.place(at: 79)) - PlaneVector(east: 10, north: 0)).length < 1)
    }

    @Test("With profile boat nothing is ever frozen")
    func boat() throws {
        var run = FilterRun(profile: .boat)
        for k in 0..<60 { _ = run.filter.update(run.fix(at: Double(k), .zero, velocity: .zero)) }
        #expect(try #require(run.motion(at: 60)).stationary == false)
    }

    @Test("A boat adrift at 0.25 m/s is followed with profile auto")
    func adrift() throws {
        var run = FilterRun()
        let velocity = PlaneVector(east: 0.25, north: 0)
        for k in 0..<300 {
            let place = Double(k) * velocity
            _ = run.filter.update(run.fix(at: Double(k), place, velocity: velocity))
            #expect((try #require(run.place(at: Double(k))) - place).length < 4)
        }
    }
}
