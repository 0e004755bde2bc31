/// Writes JSON directly into bytes, through a buffer on the stack. The last byte decides whether a comma is needed:
/// not at the start, and not after `{`, `[` and `:`.
struct JSONWriter {
    /// The buffer from which bytes are passed on together: more than most lines have.
    private let scratch: UnsafeMutableBufferPointer<UInt8>
    private var end = 0
    private var lastFlushed: UInt8?
    private var sink: [UInt8] = []

    /// Bytes of stack; a typical frame has 600. Swift allocates more than this on the heap.
    private static let scratchSize = 1_024

    private init(scratch: UnsafeMutableBufferPointer<UInt8>) { self.scratch = scratch }

    /// Appends the output of `body` to `bytes`.
    static func append(to bytes: inout [UInt8], _ body: (inout JSONWriter) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: scratchSize) { scratch in
            var writer = JSONWriter(scratch: scratch)
            // Lent for the time, not copied.
            swap(&writer.sink, &bytes)
            body(&writer)
            writer.flush()
            swap(&writer.sink, &bytes)
        }
    }

    private mutating func flush() {
        if end > 0 { lastFlushed = scratch[end - 1] }
        sink.append(contentsOf: UnsafeBufferPointer(rebasing: scratch[..<end]))
        end = 0
    }

    /// Lets `body` write up to `most` bytes, at most `scratchSize`, and return how many it wrote.
    @inline(__always)
    mutating func piece(atMost most: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
        precondition(most <= Self.scratchSize)
        if end + most > Self.scratchSize { flush() }
        guard let start = scratch.baseAddress else { return }
        end += body(start + end)
    }
    mutating func append(_ byte: UInt8) {
        if end == scratch.count { flush() }
        scratch[end] = byte
        end += 1
    }
    mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        if end + text.count > scratch.count { flush() }
        guard text.count <= scratch.count else {
            lastFlushed = text.last
            return sink.append(contentsOf: text)
        }
        _ = UnsafeMutableBufferPointer(rebasing: scratch[end...]).update(fromContentsOf: text)
        end += text.count
    }
    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append($0) }
    }
    /// Writes text unchanged: for text that needs neither quotes nor escapes.
    mutating func append(raw text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }
    private var needsComma: Bool {
        switch end > 0 ? scratch[end - 1] : lastFlushed {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): false
        default: true
        }
    }
    /// A comma, unless the next value is the first.
    mutating func comma() {
        if needsComma { append(UInt8(ascii: ",")) }
    }
    /// A member's name, in one piece: frames consist mostly of these.
    mutating func name(_ name: StaticString) {
        let comma = needsComma
        let length = name.utf8CodeUnitCount
        piece(atMost: length + 4) { text in
            var end = text
            if comma { end.put(UInt8(ascii: ",")) }
            end.put(UInt8(ascii: "\""))
            end.update(from: name.utf8Start, count: length)
            end += length
            end.put(UInt8(ascii: "\""))
            end.put(UInt8(ascii: ":"))
            return end - text
        }
    }

    /// A string in quotes, with the escapes that JSON requires.
    mutating func string(_ text: String) {
        append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            for (index, byte) in utf8.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
                append(UnsafeBufferPointer(rebasing: utf8[start..<index]))
                escape(byte)
                start = index + 1
            }
            append(UnsafeBufferPointer(rebasing: utf8[start...]))
        }
        append(UInt8(ascii: "\""))
    }
    private mutating func escape(_ byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case 0x22, 0x5C: append(byte)
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        default:
            append("u00")
            append(UInt8(ascii: "0") + byte >> 4)
            let low = byte & 0xF
            append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
        }
    }
}

extension UnsafeMutablePointer<UInt8> {
    /// Writes a byte, and advances.
    @inline(__always)
    mutating func put(_ byte: UInt8) {
        pointee = byte
        self += 1
    }
}
