import PuckCore
import Testing

@Suite("Receiver clock")
struct ClockTests {
    /// Puts `count` epochs of a receiver on the monotonic clock; returns, by epoch, how late its instant is against
    /// the truth and against its arrival (its age), in seconds.
    private func run(
        count: Int = 60, cycle: Double = 1, clock: inout ReceiverClock, hostError: (Double) -> Double = { _ in 0 },
        receiverError: (Double) -> Double = { _ in 0 }, latency: (Int) -> Double
    ) -> [(error: Double, age: Double)] {
        (0..<count).map { i in
            let truth = Double(i) * cycle
            let arrival = truth + latency(i)
            let instant = clock.instant(
                of: Scene.time(truth + receiverError(truth)),
                arrival: Scene.moment(arrival, hostError: hostError(arrival)), cycle: cycle)
            return (instant.seconds(since: Scene.instant(truth)), Scene.instant(arrival).seconds(since: instant))
        }
    }

    @Test("where the host's clock is right, the latency is known from the first epoch, and jitter does not show")
    func trustedHost() {
        var clock = ReceiverClock()
        var random = SeededGenerator(seed: 1)
        let epochs = run(clock: &clock) { _ in 0.1 + Double.random(in: 0..<0.4, using: &random) }
        #expect(epochs.allSatisfy { abs($0.error) < 1e-6 && $0.age >= 0.1 })
    }

    @Test("a fix that comes 0.3 s late is known to be 0.3 s old", arguments: [0.0, 7_200.0, -31_536_000.0])
    func lateFix(_ hostError: Double) {
        var clock = ReceiverClock()
        let epochs = run(clock: &clock, hostError: { _ in hostError }) { $0 == 40 ? 0.3 : 0 }
        #expect(abs(epochs[40].age - 0.3) < 0.01)
        #expect(abs(epochs[40].error) < 0.01)
    }

    @Test(
        "P10 where the host's clock is wrong, instants follow the receiver's time all the same",
        arguments: [-3_600.0, 3_600.0, -0.4, 2.5, -1_728_000_000.0, 18.0, -1.0])
    func wrongHost(_ hostError: Double) {
        var clock = ReceiverClock()
        var random = SeededGenerator(seed: 2)
        let epochs = run(count: 200, clock: &clock, hostError: { _ in hostError }) { _ in
            0.1 + Double.random(in: 0..<0.2, using: &random)
        }
        #expect(epochs.allSatisfy { $0.age >= 0 && $0.age < 0.25 })
        // Arrivals jitter by 0.2 s; instants move only for one quicker than all before it.
        for (earlier, later) in zip(epochs.dropFirst(20), epochs.dropFirst(21)) {
            #expect(abs(later.error - earlier.error) < 0.025)
        }
    }

    @Test(
        "P10 neither clock's step moves an instant by more than the latency",
        arguments: [3_600.0, -3_600.0, 1.0, -1.0, 18.0])
    func step(_ step: Double) {
        for host in [true, false] {
            var clock = ReceiverClock()
            var random = SeededGenerator(seed: 3)
            var lastArrival = -Double.infinity
            for i in 0..<120 {
                let truth = Double(i)
                let stepped = truth >= 60 ? step : 0
                if !host, step < 0, i == 60 { clock.restart() }
                let arrival = truth + 0.1 + Double.random(in: 0..<0.1, using: &random)
                let instant = clock.instant(
                    of: Scene.time(truth + (host ? 0 : stepped)),
                    arrival: Scene.moment(arrival, hostError: host ? stepped : 0), cycle: 0.4)
                let told = instant.seconds(since: Scene.instant(0))
                #expect(told <= arrival)
                #expect(told > lastArrival - 0.2)
                #expect(abs(told - truth) < 0.25)
                lastArrival = arrival
            }
        }
    }

    @Test("P10 the age is never negative and instants never go back, whatever both clocks say")
    func anything() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<50 {
            var clock = ReceiverClock()
            var last: Instant?
            var now = 0.0
            for _ in 0..<100 {
                now += Double.random(in: 0..<2, using: &random)
                let wild = Double.random(in: -1..<1, using: &random)
                let time = Bool.random(using: &random) ? Scene.time(now + wild * wild * wild * 1e8) : nil
                let arrival = Scene.moment(now, hostError: Bool.random(using: &random) ? 0 : wild * 1e7)
                let instant = clock.instant(of: time, arrival: arrival, cycle: Bool.random(using: &random) ? 1 : nil)
                #expect(instant <= arrival.monotonic)
                if let last { #expect(instant >= last) }
                last = instant
                if Int.random(in: 0..<20, using: &random) == 0 { clock.restart() }
            }
        }
    }

    @Test("a latency that is too long for the cycle, once that is known, was the host's error")
    func tooLongForTheCycle() {
        var clock = ReceiverClock()
        for i in 0..<40 {
            let truth = Double(i) / 10
            let instant = clock.instant(
                of: Scene.time(truth), arrival: Scene.moment(truth + 0.05, hostError: 1.5), cycle: i < 4 ? nil : 0.1)
            if i > 20 { #expect(abs(instant.seconds(since: Scene.instant(truth))) <= 0.051) }
        }
    }

    @Test("a host's clock that is set at last is followed without a jump")
    func setAtLast() {
        var clock = ReceiverClock()
        let epochs = run(count: 120, clock: &clock, hostError: { $0 < 60 ? -1.7e9 : 0 }) { _ in 0.3 }
        #expect(epochs.first.map { abs($0.error - 0.3) < 1e-6 } == true)
        #expect(epochs.last.map { abs($0.error) < 1e-6 } == true)
        for (earlier, later) in zip(epochs, epochs.dropFirst()) { #expect(abs(later.error - earlier.error) < 0.006) }
    }

    @Test("P10 a slow receiver's clock that was set back by less than its cycle is found out in three epochs")
    func setBackByLess() {
        var clock = ReceiverClock()
        let epochs = run(
            count: 40, cycle: 10, clock: &clock, hostError: { _ in 600 }, receiverError: { $0 < 200 ? 0 : -4 }
        ) { _ in 0.1 }
        for (i, epoch) in epochs.enumerated() { #expect(epoch.age < (i == 20 || i == 21 ? 4.1 : 0.1)) }
    }

    @Test("a backlog that comes at once is as old as its times say", arguments: [0.0, 600.0])
    func backlog(_ hostError: Double) {
        var clock = ReceiverClock()
        // From 4.0 s on nothing comes until 6.0 s, then all at once.
        let epochs = run(count: 100, cycle: 0.1, clock: &clock, hostError: { _ in hostError }) { i in
            i < 40 || i > 60 ? 0.05 : 2.05 - Double(i - 40) / 10
        }
        for (i, epoch) in epochs.enumerated() { #expect(abs(epoch.error) < 0.06, "\(i)") }
    }

    @Test("without a time an epoch is true when it arrives")
    func timeless() {
        var clock = ReceiverClock()
        for i in 0..<5 {
            let moment = Scene.moment(Double(i) * 0.7)
            #expect(clock.instant(of: nil, arrival: moment, cycle: 0.7) == moment.monotonic)
        }
    }

    @Test("after the host slept, the first fix is where it belongs")
    func slept() {
        var clock = ReceiverClock()
        _ = run(count: 10, clock: &clock) { _ in 0.2 }
        // Eight hours in which CLOCK_MONOTONIC stood still.
        let arrival = Moment(monotonic: Scene.instant(11), utc: Scene.time(11 + 28_800))
        let instant = clock.instant(of: Scene.time(11 + 28_800 - 0.2), arrival: arrival, cycle: 1)
        #expect(abs(Scene.instant(11).seconds(since: instant) - 0.2) < 1e-6)
    }
}
