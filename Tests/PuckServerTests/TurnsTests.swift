import Testing

@testable import PuckServer

@Suite struct TurnsTests {
    private func order(_ turns: inout Turns) -> [UInt64] {
        var order: [UInt64] = []
        while let next = turns.next(standing: { _ in .heavy }) { order.append(next.client.number) }
        return order
    }

    @Test("users have turns one after the other, however many clients each has")
    func fair() {
        var turns = Turns()
        for number in 1...4 { turns.add(ClientID(UInt64(number)), of: 1_000, as: .light) }
        turns.add(ClientID(5), of: 2_000, as: .light)
        turns.add(ClientID(6), of: 3_000, as: .light)
        turns.add(ClientID(7), of: 2_000, as: .light)
        #expect(order(&turns) == [1, 5, 6, 2, 7, 3, 4])
        #expect(turns.isEmpty)
    }

    @Test("a client that has more to say goes to the end of its user's line")
    func again() {
        var turns = Turns()
        turns.add(ClientID(1), of: 1_000, as: .light)
        turns.add(ClientID(2), of: 1_000, as: .light)
        turns.add(ClientID(3), of: 2_000, as: .light)
        #expect(turns.next(standing: { _ in .heavy })?.client == ClientID(1))
        turns.add(ClientID(1), of: 1_000, as: .light)
        #expect(order(&turns) == [3, 2, 1])
    }

    @Test("who asks for little goes before all who ask for much, and before those who are not done")
    func standing() {
        var turns = Turns()
        for user in 1...100 as ClosedRange<UInt32> {
            turns.add(ClientID(UInt64(user)), of: user, as: user < 50 ? .heavy : .medium)
            turns.add(ClientID(UInt64(1_000 + user)), of: user, as: .light)
        }
        turns.add(ClientID(200), of: 200, as: .light)
        #expect(turns.next(standing: { _ in .heavy })?.client == ClientID(200))
        #expect(turns.next(standing: { _ in .heavy })?.client == ClientID(50))
        // Not done, it goes behind all others.
        turns.add(ClientID(50), of: 50, as: .heavy)
        turns.add(ClientID(201), of: 201, as: .light)
        let rest = order(&turns)
        #expect(rest.first == 201)
        #expect(rest[1...50] == Array(51...100)[...])
        #expect(rest.count == 201 && rest.last == 50)
    }

    @Test("a user who rests is passed over, and its clients keep their places")
    func rest() {
        var turns = Turns()
        turns.add(ClientID(1), of: 1_000, as: .light)
        turns.add(ClientID(2), of: 2_000, as: .light)
        turns.rest(1_000)
        turns.add(ClientID(3), of: 1_000, as: .light)
        #expect(order(&turns) == [2])
        #expect(turns.isEmpty)
        turns.wake(1_000)
        turns.wake(1_000)
        #expect(order(&turns) == [1, 3])
        turns.rest(1_000)
        turns.wake(1_000)
        #expect(turns.isEmpty)
    }
}
