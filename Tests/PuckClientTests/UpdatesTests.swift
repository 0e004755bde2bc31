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
        let broadcaster = Broadcaster()
        let both = broadcaster.open([.frames, .events])
        let (frames, events) = (broadcaster.open(.frames), broadcaster.open(.events))
        for update in [frame(1), view(.follow), frame(2), frame(3), view(.none)] { broadcaster.put(update) }
        #expect(await drained(both) == [view(.follow), frame(3), view(.none)])
        #expect(await drained(frames) == [frame(3)])
        #expect(await drained(events) == [view(.follow), view(.none)])
    }

    @Test("a reader that is too slow is told so by the last it reads, and what waits for it is bounded")
    func bounded() async {
        let broadcaster = Broadcaster()
        let updates = broadcaster.open(.events)
        for _ in 0..<(Updates.mostEvents + 500) { broadcaster.put(view(.follow)) }
        let all = await drained(updates)
        #expect(all.count == Updates.mostEvents + 1)
        #expect(all.last == Update(content: .event(.fellBehind)))
        // And can start again with how things stand.
        #expect(await drained(broadcaster.open(.events)) == [view(.follow)])
    }

    @Test("a new reader starts with how things stand on the present connection")
    func present() async {
        let broadcaster = Broadcaster()
        let lost = Update(content: .event(.disconnected(.timedOut, retryIn: 1)))
        for update in [view(.follow), frame(1), view(.none), frame(2)] { broadcaster.put(update) }
        #expect(await drained(broadcaster.open([.frames, .events])) == [view(.none), frame(2)])
        broadcaster.put(lost)
        #expect(await drained(broadcaster.open([.frames, .events])) == [lost])
        broadcaster.end()
        #expect(await drained(broadcaster.open(.frames)) == [])
    }

    @Test("a reader that waits is given what comes, and reads to the end")
    func waiting() async {
        let broadcaster = Broadcaster()
        let updates = broadcaster.open(.events)
        let reading = Task {
            var all: [Update] = []
            for await update in updates { all.append(update) }
            return all
        }
        for mode in [TrackingMode.follow, .none] { broadcaster.put(view(mode)) }
        broadcaster.end()
        #expect(await reading.value == [view(.follow), view(.none)])
    }

    @Test("cancelling the task that reads ends its sequence")
    func cancelled() async {
        let broadcaster = Broadcaster()
        let updates = broadcaster.open(.events)
        let reading = Task {
            for await _ in updates {}
            return Task.isCancelled
        }
        reading.cancel()
        #expect(await reading.value)
    }

    @Test("a reader that nobody holds any more costs nothing")
    func letGo() {
        let broadcaster = Broadcaster()
        weak var updates: Updates?
        do {
            let held = broadcaster.open(.frames)
            updates = held
        }
        broadcaster.put(frame(1))
        #expect(updates == nil)
    }
}
