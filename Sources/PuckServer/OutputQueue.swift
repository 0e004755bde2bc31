/// The output that waits for one client.
///
/// Messages are delivered in full and in order. Of frames only the newest waits: a new one takes the old one's place in
/// the memory, but its own place in the order, so that no frame overtakes an answer that came after it. A line that has
/// begun to be written is finished, whatever it is.
struct OutputQueue: Sendable {
    /// The result of adding an element.
    enum Outcome: Equatable {
        case queued
        /// The queue is full: the client does not read, and its messages cannot be kept.
        case full
    }

    private struct Entry {
        var bytes: [UInt8]
        var isFrame: Bool
        /// Not counted against the limit.
        var isLarge = false
    }

    private var entries: [Entry] = []
    /// Index of the first entry that is not completely written; entries before it are spent.
    private var head = 0
    /// Bytes of the head entry already written.
    private var written = 0
    /// Bytes that wait, without spent entries and written parts.
    private(set) var bytes = 0
    /// Frames that a newer one replaced before they were sent.
    private(set) var replaced: UInt64 = 0
    /// Completely written frames.
    private(set) var framesWritten: UInt64 = 0
    /// Additional bytes that may wait because of a large answer.
    private var allowance = 0
    /// The maximum of waiting bytes. It applies only to messages, because a frame replaces a frame.
    let limit: Int

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { head == entries.count }

    /// Whether a large answer waits.
    var holdsLarge: Bool { allowance > 0 }

    /// Adds a message, which is delivered completely and in order.
    mutating func append(_ message: [UInt8]) -> Outcome {
        guard bytes + message.count <= limit + allowance else { return .full }
        put(message, isFrame: false)
        return .queued
    }

    /// Adds an answer that may exceed the limit, such as a list of all clients. Only one at a time: the queue is full
    /// until the client has read it.
    mutating func appendLarge(_ message: [UInt8]) -> Outcome {
        guard bytes <= limit, !entries[head...].contains(where: \.isLarge) else { return .full }
        entries.append(Entry(bytes: message, isFrame: false, isLarge: true))
        bytes += message.count
        allowance = message.count
        return .queued
    }

    /// Drops all waiting output: nobody will read it.
    mutating func removeAll() {
        entries = []
        (head, written, bytes, allowance) = (0, 0, 0, 0)
    }

    /// Adds a frame. It replaces a waiting one that has not been partly written.
    mutating func appendFrame(_ frame: [UInt8]) {
        if dropFrame() { replaced += 1 }
        put(frame, isFrame: true)
    }

    /// Passes a frame to `write` at once if nothing waits. The part that is not written waits; if other output waits,
    /// so does the frame. Most clients read in time: their frames are never stored.
    mutating func sendFrame(_ frame: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Int) {
        guard isEmpty else { return appendFrame(Array(frame)) }
        let taken = write(frame)
        guard taken < frame.count else {
            framesWritten += 1
            return
        }
        put(Array(frame), isFrame: true)
        written = taken
        bytes -= taken
    }

    /// Removes the waiting frame, unless it has been partly written. True if there was one.
    @discardableResult
    mutating func dropFrame() -> Bool {
        guard let i = entries[head...].lastIndex(where: { $0.isFrame }), i > head || written == 0 else { return false }
        bytes -= entries[i].bytes.count
        entries.remove(at: i)
        return true
    }

    /// Takes the waiting frame out to make room for a newer one. True where there was one.
    mutating func makeRoomForFrame() -> Bool {
        guard dropFrame() else { return false }
        replaced += 1
        return true
    }

    /// Empties the queue but for a line that has begun, and puts `last` behind it: what is said before hanging up.
    mutating func replaceAll(with last: [UInt8]) {
        entries.removeSubrange((written > 0 ? min(head + 1, entries.count) : head)...)
        bytes = isEmpty ? 0 : entries[head].bytes.count - written
        if isEmpty || !entries[head].isLarge { allowance = 0 }
        put(last, isFrame: false)
    }

    /// Passes the next output to `write`, which returns the number of bytes written; continues until it writes less
    /// than all. Rethrows the errors of `write`.
    mutating func drain<Failure: Error>(_ write: (UnsafeRawBufferPointer) throws(Failure) -> Int) throws(Failure) {
        while head < entries.count {
            let entry = entries[head]
            let offset = written
            let count = entry.bytes.count - offset
            let taken = try Self.call(write, entry.bytes, from: offset)
            bytes -= taken
            if taken < count {
                written += taken
                return
            }
            written = 0
            head += 1
            if entry.isFrame { framesWritten += 1 }
            if entry.isLarge { allowance = 0 }
            if head == entries.count || head > 64 {
                entries.removeSubrange(..<head)
                head = 0
            }
        }
    }

    private mutating func put(_ line: [UInt8], isFrame: Bool) {
        entries.append(Entry(bytes: line, isFrame: isFrame))
        bytes += line.count
    }

    /// `withUnsafeBytes` through a Result, because in Swift 6.0 it does not pass on a typed error.
    private static func call<Failure: Error>(
        _ write: (UnsafeRawBufferPointer) throws(Failure) -> Int, _ bytes: [UInt8], from offset: Int
    ) throws(Failure) -> Int {
        try bytes.withUnsafeBytes { all -> Result<Int, Failure> in
            do throws(Failure) {
                return .success(try write(UnsafeRawBufferPointer(rebasing: all[offset...])))
            } catch {
                return .failure(error)
            }
        }.get()
    }
}
