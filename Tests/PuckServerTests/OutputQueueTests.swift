import PuckCore
import Testing

@testable import PuckServer

@Suite struct OutputQueueTests {
    private let a = Array("aaaa\n".utf8), b = Array("bbbb\n".utf8), c = Array("cccc\n".utf8)

    /// What a client reads that takes `room` bytes.
    private func read(_ queue: inout OutputQueue, room: Int) -> String {
        var taken: [UInt8] = []
        queue.drain { (bytes: UnsafeRawBufferPointer) -> Int in
            let count = min(bytes.count, room - taken.count)
            taken += bytes.prefix(count)
            return count
        }
        return String(decoding: taken, as: UTF8.self)
    }

    @Test("of frames the newest waits, and keeps its place behind what was said before it")
    func newestFrame() {
        var queue = OutputQueue(limit: 100)
        queue.appendFrame(a)
        #expect(queue.append(b) == .queued)
        queue.appendFrame(c)
        #expect(queue.replaced == 1)
        #expect(read(&queue, room: 100) == "bbbb\ncccc\n")
        #expect(queue.isEmpty && queue.bytes == 0)
    }

    @Test("a line that has begun is finished, also a frame that a newer one follows or that is taken back")
    func begunLine() {
        var queue = OutputQueue(limit: 100)
        queue.appendFrame(a)
        #expect(read(&queue, room: 2) == "aa")
        queue.appendFrame(b)
        queue.appendFrame(c)
        let drops = [queue.dropFrame(), queue.dropFrame()]
        #expect(drops == [true, false])
        queue.replaceAll(with: b)
        #expect(read(&queue, room: 100) == "aa\nbbbb\n")
        #expect(queue.bytes == 0)
    }

    @Test("a frame goes out at once where nothing waits, and what is not taken of it waits", arguments: [0, 2, 5])
    func frameAtOnce(room: Int) {
        var queue = OutputQueue(limit: 100)
        send(b, through: &queue, room: room)
        #expect(queue.bytes == b.count - room && queue.isEmpty == (room == b.count))
        #expect(queue.framesWritten == (room == b.count ? 1 : 0))
        // Where something waits, the next one has to as well; in place of one that has not begun.
        let waits = !queue.isEmpty
        send(c, through: &queue, room: 100)
        #expect(queue.isEmpty == !waits && queue.replaced == (room == 0 ? 1 : 0))
        let rest = room == 0 ? "cccc\n" : room == 2 ? "bb\ncccc\n" : ""
        #expect(read(&queue, room: 100) == rest)
        #expect(queue.bytes == 0 && queue.framesWritten + queue.replaced == 2)
    }

    private func send(_ frame: [UInt8], through queue: inout OutputQueue, room: Int) {
        frame.withUnsafeBytes { bytes in
            queue.sendFrame(bytes) { min(room, $0.count) }
        }
    }

    @Test("messages are refused past the bound; a frame never is")
    func bound() {
        var queue = OutputQueue(limit: 12)
        #expect(queue.append(a) == .queued)
        #expect(queue.append(b) == .queued)
        #expect(queue.append(c) == .full)
        for _ in 0..<1_000 { queue.appendFrame(c) }
        #expect(queue.bytes == 15)
        #expect(read(&queue, room: 100) == "aaaa\nbbbb\ncccc\n")
    }

    @Test("whatever is put in and however it is read, messages come out whole and in order, byte counts agree")
    func anyOrder() {
        var random = SeededGenerator(seed: 7)
        var queue = OutputQueue(limit: 1 << 20)
        var expected = 0
        var text = ""
        for _ in 0..<5_000 {
            switch random.next() % 3 {
            case 0:
                #expect(queue.append(Array("m\(expected)\n".utf8)) == .queued)
                expected += 1
            case 1: queue.appendFrame(Array("frame\n".utf8))
            default: text += read(&queue, room: Int(random.next() % 40))
            }
        }
        text += read(&queue, room: .max)
        let messages = text.split(separator: "\n").filter { $0 != "frame" }
        #expect(messages.elementsEqual((0..<expected).map { "m\($0)" }, by: { $0 == $1 }))
        #expect(queue.bytes == 0)
    }
}
