import Testing

@testable import PuckServer

@Suite struct TurnsTests {
    private func order(_ turns: inout Turns) -> [UInt64] {
        var order: [UInt64] = []
        while let next = turns.next() { order.append(next.number) }
        return order
    }

    @Test("users have turns one after the other, however many clients each has")
    func fair() {
        var turns = Turns()
        for number in 1...4 { turns.add(ClientID(UInt64(number)), of: 1_000) }
        turns.add(ClientID(5), of: 2_000)
        turns.add(ClientID(6), of: 3_000)
        turns.add(ClientID(7), of: 2_000)
        #expect(order(&turns) == [1, 5, 6, 2, 7, 3, 4])
        #expect(turns.isEmpty)
    }

    @Test("a client that has more to say goes to the end of its user's line")
    func again() {
        var turns = Turns()
        turns.add(ClientID(1), of: 1_000)
        turns.add(ClientID(2), of: 1_000)
        turns.add(ClientID(3), of: 2_000)
        #expect(turns.next() == ClientID(1))
        turns.add(ClientID(1), of: 1_000)
        #expect(order(&turns) == [3, 2, 1])
    }

    @Test("a user who rests is passed over, and its clients keep their places")
    func rest() {
        var turns = Turns()
        turns.add(ClientID(1), of: 1_000)
        turns.add(ClientID(2), of: 2_000)
        turns.rest(1_000)
        turns.add(ClientID(3), of: 1_000)
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
