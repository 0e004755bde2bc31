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
    public mutating func withLine<Result>(
        numbered sequence: UInt64, _ use: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        bytes.withUnsafeMutableBytes { line in
            var start = Self.room
            func put(_ byte: UInt8) {
                start -= 1
                line[start] = byte
            }
            put(Self.behind)
            var digits = sequence
            repeat {
                put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digits % 10))
                digits /= 10
            } while digits > 0
            start -= Self.front.utf8CodeUnitCount
            Self.front.withUTF8Buffer { front in
                UnsafeMutableRawBufferPointer(rebasing: line[start...]).copyBytes(from: front)
            }
            return use(UnsafeRawBufferPointer(rebasing: line[start...]))
        }
    }
}
