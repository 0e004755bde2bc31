/// The line of a frame, for one client after another: the body, which is the same for all, is put down once, and each
/// client's head right in front of it.
public struct FrameLine {
    /// Room for a head, and the body behind it.
    private var bytes: [UInt8]

    /// What stands in a head before and after the number.
    private static let front: StaticString = "{\"type\":\"frame\",\"seq\":"
    private static let behind = UInt8(ascii: ",")
    /// Bytes of the longest head: a UInt64 has up to 20 digits.
    private static let room = front.utf8CodeUnitCount + 21

    /// A line without a body.
    public init() { bytes = [UInt8](repeating: 0, count: Self.room) }

    /// Goes on with the frame of this body (`FrameEncoder.appendBody`).
    public mutating func hold(_ body: [UInt8]) {
        bytes.removeSubrange(Self.room...)
        bytes.append(contentsOf: body)
    }

    /// Lends the line under a number to `use`.
    public mutating func withLine(numbered sequence: UInt64, _ use: (UnsafeRawBufferPointer) -> Void) {
        let digits = Digits.count(of: sequence)
        let number = Self.room - 1 - digits
        let start = number - Self.front.utf8CodeUnitCount
        bytes.withUnsafeMutableBufferPointer { line in
            guard let text = line.baseAddress else { return }
            (text + start).update(from: Self.front.utf8Start, count: Self.front.utf8CodeUnitCount)
            Digits.write(sequence, digits: digits, at: text + number)
            text[Self.room - 1] = Self.behind
            use(UnsafeRawBufferPointer(start: text + start, count: line.count - start))
        }
    }
}
