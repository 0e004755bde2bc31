import PuckCore
import Testing

@Suite("Time arithmetic")
struct TimeTests {
    /// What receivers, recordings, requests and configurations may say, in seconds.
    static let seconds: [Double] = [
        0, -0.0, 0.5, -0.5, 1, 1e-9, -1e-9, 86_400, 1e9, 9_223_372_036, 9_223_372_036.854775, 9_223_372_037,
        -9_223_372_037,
        9_999_999_999, 1e12, -1e12, 1e300, -1e300, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
        .leastNonzeroMagnitude, .infinity, -.infinity, .nan,
    ]
    static let counts: [Int64] = [0, 1, -1, 1_772_280_000_000_000_000, .max, .max - 1, .min, .min + 1]

    @Test(
        "seconds that do not fit are the nearest time that does, and what is not a number is zero", arguments: seconds)
    func fromSeconds(_ seconds: Double) {
        for nanoseconds in [Instant(seconds: seconds).nanoseconds, UTC(seconds: seconds).nanoseconds] {
            if seconds.isNaN {
                #expect(nanoseconds == 0)
            } else if abs(seconds) < 9_223_372_036 {
                #expect(abs(Double(nanoseconds) / 1e9 - seconds) <= 1e-6)
            } else {
                #expect(nanoseconds >= 9_223_372_036_000_000_000 || nanoseconds <= -9_223_372_036_000_000_000)
                #expect((nanoseconds > 0) == (seconds > 0))
            }
        }
    }

    @Test("later is never earlier, and earlier never later, however far", arguments: seconds)
    func advance(_ seconds: Double) {
        for count in Self.counts {
            let (instant, utc) = (Instant(nanoseconds: count), UTC(nanoseconds: count))
            let (a, b) = (instant.advanced(by: seconds), utc.advanced(by: seconds))
            #expect(a.nanoseconds == b.nanoseconds)
            if seconds >= 0 {
                #expect(a >= instant)
            } else if seconds < 0 {
                #expect(a <= instant)
            } else {
                #expect(a == instant)
            }
            #expect(a.seconds(since: instant).isFinite && b.seconds(since: utc).isFinite)
            let moment = Moment(monotonic: instant, utc: utc)
            #expect(moment.advanced(by: seconds) == Moment(monotonic: a, utc: b))
        }
    }

    @Test("a moment at any instant has a time of day")
    func momentAt() {
        for count in Self.counts {
            for other in Self.counts {
                for third in Self.counts {
                    let moment = Moment(monotonic: Instant(nanoseconds: count), utc: UTC(nanoseconds: other))
                    let later = moment.at(Instant(nanoseconds: third))
                    #expect(later.monotonic.nanoseconds == third)
                    if third >= count { #expect(later.utc >= moment.utc) } else { #expect(later.utc <= moment.utc) }
                    #expect(
                        moment.advanced(byNanoseconds: third).monotonic.nanoseconds >= min(count, third) || third < 0)
                }
            }
        }
    }

    @Test("usual times are exact to the nanosecond")
    func exact() {
        let instant = Instant(nanoseconds: 1_000_000_000_123)
        #expect(instant.advanced(by: 0.1).nanoseconds == 1_000_100_000_123)
        #expect(instant.advanced(byNanoseconds: -123).nanoseconds == 1_000_000_000_000)
        #expect(instant.advanced(by: -1e-9).nanoseconds == 1_000_000_000_122)
    }

    @Test("P10 the receiver's clock takes any time, on any host")
    func receiverClock() {
        for time in Self.counts {
            for host in Self.counts {
                for arrival in Self.counts {
                    var clock = ReceiverClock()
                    let moment = Moment(monotonic: Instant(nanoseconds: arrival), utc: UTC(nanoseconds: host))
                    for cycle in [nil, 0.1, 1e300, .infinity] as [Double?] {
                        let instant = clock.instant(of: UTC(nanoseconds: time), arrival: moment, cycle: cycle)
                        #expect(instant <= moment.monotonic)
                        #expect(clock.instant(of: nil, arrival: moment, cycle: cycle) <= moment.monotonic)
                    }
                }
            }
        }
    }

    @Test("P16 after an hour's sleep a position is not live, and is as old as it is", arguments: [300, 86_400.0])
    func slept(loseAfter: Double) throws {
        var pipeline = Pipeline(settings: Pipeline.Settings(freshness: Freshness(loseAfter: loseAfter)))
        for second in 0..<30 {
            let moment = Scene.moment(Double(second))
            _ = pipeline.receive(.position(Scene.tpv(Double(second), speed: 0, course: nil)), at: moment)
            _ = pipeline.advance(to: moment)
        }
        #expect(pipeline.puck(at: Scene.moment(29), bearing: .auto)?.state == .live)
        // Nothing ran meanwhile; what comes first may be the timer, or anything else.
        let awake = Scene.moment(29 + 3_600)
        if loseAfter < 3_600 {
            #expect(pipeline.puck(at: awake, bearing: .auto) == nil)
        } else {
            let puck = try #require(pipeline.puck(at: awake, bearing: .auto))
            #expect(puck.state == .stale)
            #expect(try #require(puck.age) >= 3_600)
        }
        #expect(pipeline.advance(to: awake) == [.aged])
        #expect(pipeline.deadline.map { $0 > awake.monotonic } ?? true)
        // The next fix is of now.
        let next = Scene.moment(29 + 3_601)
        _ = pipeline.receive(.position(Scene.tpv(29 + 3_601, speed: 0, course: nil)), at: next)
        _ = pipeline.advance(to: next.advanced(by: 0.3))
        #expect(pipeline.puck(at: next.advanced(by: 0.3), bearing: .auto)?.state == .live)
    }

    @Test("a time is cut to the minute, once or twice alike")
    func flooredToMinute() {
        for nanoseconds in [0, 59_999_999_999, 60_000_000_000, -1, Int64.max, Int64.min] as [Int64] {
            let once = UTC(nanoseconds: nanoseconds).flooredToMinute
            #expect(once.flooredToMinute == once)
            #expect(once.nanoseconds % 60_000_000_000 == 0)
        }
        #expect(UTC(nanoseconds: -1).flooredToMinute == UTC(nanoseconds: -60_000_000_000))
        #expect(Instant(nanoseconds: 119_999_999_999).flooredToMinute == Instant(nanoseconds: 60_000_000_000))
    }
}
