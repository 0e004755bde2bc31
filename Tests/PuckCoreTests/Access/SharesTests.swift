import PuckCore
import Testing

@Suite struct SharesTests {
    /// Takes for one user after the other for as long as there is something to have; what each got.
    private func taken(_ shares: Shares, users: Int) -> [Int] {
        var taken = 0
        return (0..<users).map { _ in
            var held = 0
            while shares.admits(held: held, taken: taken, isPrivileged: false) { (held, taken) = (held + 1, taken + 1) }
            return held
        }
    }

    @Test("the less is left, the less a user may take, so that one after the other has some")
    func shrinks() {
        let got = taken(Shares(total: 1_024, perUser: 512), users: 8)
        #expect(got == got.sorted(by: >) && got[0] <= 512 && got.allSatisfy { $0 > 0 }, "\(got)")
        let two = taken(Shares(total: 1_024, perUser: 512), users: 2)
        #expect(two.reduce(0, +) < 960)
    }

    @Test("however many users come, root and administrators have what is kept for them")
    func kept() {
        let shares = Shares(total: 1_024, perUser: 512)
        let got = taken(shares, users: 5_000).reduce(0, +)
        #expect(got == 1_024 - shares.kept)
        #expect(shares.admits(held: 0, taken: got, isPrivileged: true))
        #expect(!shares.admits(held: 0, taken: 1_024, isPrivileged: true))
        #expect(!shares.admits(held: 512, taken: 600, isPrivileged: true))
    }

    @Test("of one thing there is one to have, and of two one is kept")
    func few() {
        #expect(taken(Shares(total: 1, perUser: 1), users: 3) == [1, 0, 0])
        #expect(taken(Shares(total: 2, perUser: 2), users: 3) == [1, 0, 0])
    }
}
