import PuckCore
import Testing

@testable import PuckGPSD

@Suite("A receiver's rhythm")
struct RhythmTests {
    private func rhythm(arrivals: [Double], timed: Bool = true) -> Rhythm {
        var rhythm = Rhythm()
        for arrival in arrivals {
            rhythm.heard(timed ? UTC(seconds: 1_700_000_000 + arrival) : nil, at: Instant(seconds: arrival))
        }
        return rhythm
    }

    @Test("it is learnt at any rate", arguments: [0.05, 0.1, 0.2, 1, 5, 10])
    func rates(_ period: Double) throws {
        let rhythm = rhythm(arrivals: (0..<12).map { Double($0) * period })
        #expect(abs(try #require(rhythm.cycle) - period) < 1e-6)
        #expect(abs(rhythm.silence - max(1, 2 * period)) < 1e-6)
    }

    @Test("it is not known from fewer than five epochs, and silence is then 5 s or two of the longest")
    func unknown() {
        #expect(Rhythm().cycle == nil)
        #expect(Rhythm().silence == 5)
        #expect(rhythm(arrivals: [0, 1, 2, 3]).silence == 5)
        #expect(rhythm(arrivals: [0, 10]).silence == 20)
        #expect(rhythm(arrivals: [0, 1, 2, 3, 4]).cycle == 1)
    }

    @Test("several reports of one epoch are one, and those without a time too where they come at once")
    func oneEpoch() {
        var timed = Rhythm()
        var untimed = Rhythm()
        for second in 0..<8 {
            for part in 0..<4 {
                let instant = Instant(seconds: Double(second) + Double(part) * 0.005)
                timed.heard(UTC(seconds: Double(second)), at: instant)
                untimed.heard(nil, at: instant)
            }
        }
        #expect(timed.cycle == 1)
        #expect(abs((untimed.cycle ?? 0) - 1) < 0.03)
    }

    @Test("one gap is not the rhythm, and a new rhythm is from its second interval on")
    func gapsAndChanges() {
        #expect(rhythm(arrivals: [0, 1, 2, 3, 4, 64, 65, 66]).cycle == 1)
        #expect(rhythm(arrivals: [0, 1, 2, 3, 4, 9, 14]).cycle == 5)
        let uneven = rhythm(arrivals: [0, 0.03, 2, 2.5, 4.4, 4.5, 6.4, 7])
        #expect((uneven.cycle ?? 0) > 1.8)
    }

    @Test("intervals that are long twice a minute are a habit for a minute, and outages are none")
    func habits() {
        var mixed: [Double] = [0]
        for count in 1...60 { mixed.append((mixed.last ?? 0) + (count.isMultiple(of: 12) ? 5 : 2)) }
        #expect(rhythm(arrivals: mixed).cycle == 5)
        // A minute and a half of the shorter intervals alone.
        let end = mixed.last ?? 0
        #expect(rhythm(arrivals: mixed + (1...45).map { end + Double($0) * 2 }).cycle == 2)
        let outages: [Double] = [0, 1, 2, 3, 4, 40, 41, 42, 43, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90]
        #expect(rhythm(arrivals: outages).cycle == 1)
    }

    @Test("epochs that come in one backlog, and clocks that stand still, say nothing")
    func backlog() {
        var rhythm = rhythm(arrivals: [0, 1, 2, 3, 4, 5])
        for epoch in 6..<60 { rhythm.heard(UTC(seconds: Double(epoch)), at: Instant(seconds: 60)) }
        #expect(rhythm.cycle == 1)
    }
}
