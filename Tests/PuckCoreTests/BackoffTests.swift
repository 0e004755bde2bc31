import Testing

@testable import PuckCore

@Suite("Waiting between attempts")
struct BackoffTests {
    @Test("the first retry is quick, each wait doubles, and none is over the ceiling")
    func doubling() {
        var backoff = Backoff()
        #expect((0..<6).map { _ in backoff.next(random: 1) } == [0.25, 0.5, 1, 2, 2, 2])
        for _ in 0..<1_000 { #expect(backoff.next(random: 1) == Backoff.ceiling) }
        #expect(Backoff.ceiling <= 4)
        backoff.reset()
        #expect(backoff.next(random: 1) == 0.25)
    }

    @Test("chance takes up to half of a wait, and what is no share takes nothing", arguments: [0, 0.25, 0.5, 1])
    func jitter(_ random: Double) {
        var backoff = Backoff()
        #expect(backoff.next(random: random) == 0.25 * (0.5 + 0.5 * random))
        var odd = Backoff()
        #expect(odd.next(random: .nan) == 0.25)
        #expect(odd.next(random: -5) == 0.5)
        #expect(odd.next(random: 7) == 1)
    }
}
