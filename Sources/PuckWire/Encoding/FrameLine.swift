/// The line of a frame, for one client after another: the body, which is the same for all, is put down once, and each
/// client's head right in front of it.
///
/// A line has a width: spaces before its newline fill it up. Any user of the host can ask the kernel how many bytes wait
/// in a socket (sock_diag(7)), and by the length of its frames would see whether a precise client moves.
public struct FrameLine {
    /// Room for a head, and the body behind it, in place of its newline the spaces.
    private var bytes: [UInt8]
    /// Where the body ends, its newline not counted.
    private var end = Self.room
    /// Bytes that the line has at least, its newline counted.
    private var width = 0

    /// The parts of a head before and after the number.
    private static let front: StaticString = "{\"type\":\"frame\",\"seq\":"
    private static let behind = UInt8(ascii: ",")
    /// Bytes of the longest head: a UInt64 has up to 20 digits.
    static let room = front.utf8CodeUnitCount + 21

    /// A line without a body.
    public init() { bytes = [UInt8](repeating: 0, count: Self.room) }

    /// Goes on with the frame of this body (`FrameEncoder.appendBody`), whose lines are `width` bytes long at least.
    public mutating func hold(_ body: [UInt8], width: Int = 0) {
        self.width = width
        bytes.removeSubrange(Self.room...)
        bytes.append(contentsOf: body)
        guard width > 0 else { return end = bytes.count }
        end = bytes.count - 1
        bytes[end] = UInt8(ascii: " ")
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: max(0, width - body.count)))
    }

    /// Lends the line under a number to `use`.
    public mutating func withLine(numbered sequence: UInt64, _ use: (UnsafeRawBufferPointer) -> Void) {
        let digits = Digits.count(of: sequence)
        let number = Self.room - 1 - digits
        let start = number - Self.front.utf8CodeUnitCount
        let last = width > 0 ? max(end, start + width - 1) : end - 1
        bytes.withUnsafeMutableBufferPointer { line in
            guard let text = line.baseAddress else { return }
            (text + start).update(from: Self.front.utf8Start, count: Self.front.utf8CodeUnitCount)
            Digits.write(sequence, digits: digits, at: text + number)
            text[Self.room - 1] = Self.behind
            let spaceOrNewline = text[last]
            text[last] = UInt8(ascii: "\n")
            use(UnsafeRawBufferPointer(start: text + start, count: last + 1 - start))
            text[last] = spaceOrNewline
        }
    }
}
