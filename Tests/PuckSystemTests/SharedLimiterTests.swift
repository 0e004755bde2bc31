import PuckCore
import PuckSystem
import Testing

@Suite("Shares of the journal")
struct SharedLimiterTests {
    private let start = Instant(nanoseconds: 0)

    @Test("many users can't fill it, root still has its part, and what was held back is reported once")
    func many() {
        var limiter = SharedLimiter(shares: Shares(total: 3_000, perUser: 1_000), interval: 30)
        var written = 0
        for _ in 0..<100 {
            for user in 1...300 where limiter.admit(user: UInt32(user), isPrivileged: false, at: start) {
                written += 1
            }
        }
        #expect(written < 3_000)
        let isRootAdmitted = limiter.admit(user: 0, isPrivileged: true, at: start)
        #expect(isRootAdmitted)
        let held = [29.0, 30, 31].map { limiter.takeHeldBack(at: start.advanced(by: $0)) }
        #expect(held == [nil, 30_000 - written, nil] && limiter.deadline == nil)
        let isAdmittedAgain = limiter.admit(user: 1, isPrivileged: false, at: start.advanced(by: 30))
        #expect(isAdmittedAgain)
    }

    @Test("one user leaves the others theirs")
    func one() {
        var limiter = SharedLimiter(shares: Shares(total: 3_000, perUser: 1_000), interval: 30)
        var written = 0
        for _ in 0..<10_000 where limiter.admit(user: 1, isPrivileged: false, at: start) { written += 1 }
        #expect(written > 900 && written <= 1_000)
        let isOtherAdmitted = limiter.admit(user: 2, isPrivileged: false, at: start)
        #expect(isOtherAdmitted)
    }
}
