/// What waits to be written to one client.
///
/// Messages are delivered in full and in order. Of frames only the newest waits: a new one takes the old one's place in
/// the memory, but its own place in the order, so that no frame overtakes an answer that came after it. A line that has
/// begun to be written is finished, whatever it is.
struct OutputQueue: Sendable {
    /// What came of putting something in.
    enum Outcome: Equatable {
        case queued
        /// The bound is reached: the client does not read, and what it is owed can't be kept.
        case full
    }

    private struct Entry {
        var bytes: [UInt8]
        var isFrame: Bool
        /// Not counted against the limit.
        var isLarge = false
    }

    private var entries: [Entry] = []
    /// Index of the first entry not yet written whole; entries before it are spent.
    private var head = 0
    /// Bytes of the head entry already written.
    private var written = 0
    /// Bytes that wait, those of spent entries and written parts not counted.
    private(set) var bytes = 0
    /// Frames that a newer one replaced unseen.
    private(set) var replaced: UInt64 = 0
    /// Frames written whole.
    private(set) var framesWritten: UInt64 = 0
    /// How much more may wait since a large answer does, bytes.
    private var allowance = 0
    /// The most that may wait, in bytes; messages only are refused by it, as a frame replaces a frame.
    let limit: Int

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { head == entries.count }

    /// Whether a large answer waits.
    var holdsLarge: Bool { allowance > 0 }

    /// Puts a message in, to be delivered whole and in order.
    mutating func append(_ message: [UInt8]) -> Outcome {
        guard bytes + message.count <= limit + allowance else { return .full }
        put(message, isFrame: false)
        return .queued
    }

    /// Puts an answer in that may be larger than all that else may wait, such as a list of all clients. One at a time: it
    /// is full until the client has read it.
    mutating func appendLarge(_ message: [UInt8]) -> Outcome {
        guard bytes <= limit, !entries[head...].contains(where: \.isLarge) else { return .full }
        entries.append(Entry(bytes: message, isFrame: false, isLarge: true))
        bytes += message.count
        allowance = message.count
        return .queued
    }

    /// Drops all that waits: nobody will read it.
    mutating func removeAll() {
        entries = []
        (head, written, bytes, allowance) = (0, 0, 0, 0)
    }

    /// Puts a frame in, in place of one that waits and is not begun.
    mutating func appendFrame(_ frame: [UInt8]) {
        if dropFrame() { replaced += 1 }
        put(frame, isFrame: true)
    }

    /// Hands a frame to `write` at once where nothing waits; what is not taken then waits, as all does where anything does.
    /// Most clients read in time: for them a frame is never kept.
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

    /// Takes the waiting frame out, where none of it has been written. True where there was one.
    @discardableResult
    mutating func dropFrame() -> Bool {
        guard let i = entries[head...].lastIndex(where: { $0.isFrame }), i > head || written == 0 else { return false }
        bytes -= entries[i].bytes.count
        entries.remove(at: i)
        return true
    }

    /// Empties the queue but for a line that has begun, and puts `last` behind it: what is said before hanging up.
    mutating func replaceAll(with last: [UInt8]) {
        entries.removeSubrange((written > 0 ? min(head + 1, entries.count) : head)...)
        bytes = isEmpty ? 0 : entries[head].bytes.count - written
        if isEmpty || !entries[head].isLarge { allowance = 0 }
        put(last, isFrame: false)
    }

    /// Hands what is next to `write`, which returns how many bytes of it it took; goes on until it takes less than all.
    /// Rethrows what `write` throws.
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

    /// `withUnsafeBytes` by way of a Result, since in Swift 6.0 it does not carry a typed error.
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
