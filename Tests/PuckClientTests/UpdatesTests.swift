import PuckCore
import PuckWire
import Testing

@testable import PuckClient

@Suite("What waits for a reader") struct UpdatesTests {
    private func frame(_ number: UInt64) -> Update {
        let moment = Moment(monotonic: Instant(seconds: 1), utc: UTC(seconds: 1))
        return Update(content: .frame(Frame(sequence: number, moment: moment, view: "")))
    }
    private func view(_ mode: TrackingMode) -> Update {
        Update(content: .event(.view(ViewMessage(view: "", mode: mode, status: .idle, reason: .idleRequested))))
    }
    private func drained(_ updates: Updates) async -> [Update] {
        updates.end()
        var all: [Update] = []
        for await update in updates { all.append(update) }
        return all
    }

    @Test("of frames the newest waits, of all else everything, in order")
    func newest() async {
        let readers = Readers()
        let both = readers.open([.frames, .events])
        let (frames, events) = (readers.open(.frames), readers.open(.events))
        for update in [frame(1), view(.follow), frame(2), frame(3), view(.none)] { readers.put(update) }
        #expect(await drained(both) == [view(.follow), frame(3), view(.none)])
        #expect(await drained(frames) == [frame(3)])
        #expect(await drained(events) == [view(.follow), view(.none)])
    }

    @Test("a reader that is too slow is told so by the last it reads, and what waits for it is bounded")
    func bounded() async {
        let readers = Readers()
        let updates = readers.open(.events)
        for _ in 0..<(Updates.mostEvents + 500) { readers.put(view(.follow)) }
        let all = await drained(updates)
        #expect(all.count == Updates.mostEvents + 1)
        #expect(all.last == Update(content: .event(.fellBehind)))
        // And can start again with how things stand.
        #expect(await drained(readers.open(.events)) == [view(.follow)])
    }

    @Test("a new reader starts with how things stand on the present connection")
    func present() async {
        let readers = Readers()
        let lost = Update(content: .event(.disconnected(.timedOut, retryIn: 1)))
        for update in [view(.follow), frame(1), view(.none), frame(2)] { readers.put(update) }
        #expect(await drained(readers.open([.frames, .events])) == [view(.none), frame(2)])
        readers.put(lost)
        #expect(await drained(readers.open([.frames, .events])) == [lost])
        readers.end()
        #expect(await drained(readers.open(.frames)) == [])
    }

    @Test("a reader that waits is given what comes, and reads to the end")
    func waiting() async {
        let readers = Readers()
        let updates = readers.open(.events)
        let reading = Task {
            var all: [Update] = []
            for await update in updates { all.append(update) }
            return all
        }
        for mode in [TrackingMode.follow, .none] { readers.put(view(mode)) }
        readers.end()
        #expect(await reading.value == [view(.follow), view(.none)])
    }

    @Test("cancelling the task that reads ends its sequence")
    func cancelled() async {
        let readers = Readers()
        let updates = readers.open(.events)
        let reading = Task {
            for await _ in updates {}
            return Task.isCancelled
        }
        reading.cancel()
        #expect(await reading.value)
    }

    @Test("a reader that nobody holds any more costs nothing")
    func letGo() {
        let readers = Readers()
        weak var updates: Updates?
        do {
            let held = readers.open(.frames)
            updates = held
        }
        readers.put(frame(1))
        #expect(updates == nil)
    }
}
