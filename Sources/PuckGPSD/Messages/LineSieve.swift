import PuckText

/// Makes of a line what libgps can be given: an object that begins with its class, and has those members alone that
/// are read from it, each of the kind that libgps expects.
///
/// libgps stops at the first member of another kind than its table says, and at any object within; it then tells
/// success, and leaves all that follows unknown. Here such a member is left out, and the others stay.
struct LineSieve {
    /// A member that is read through libgps.
    typealias Wanted = (key: StaticString, kind: JSONKind)

    private let opening: [UInt8]
    /// What is wanted, by the length of its key: most of a line is passed over by that alone.
    private let wanted: [[Wanted]]

    /// A sieve for lines of `className` that keeps its receiver and `wanted`.
    init(_ className: StaticString, _ wanted: [Wanted]) {
        opening = Array("{\"class\":\"\(className)\"".utf8)
        let all = [("device", .string)] + wanted
        let longest = all.map(\.key.utf8CodeUnitCount).max() ?? 0
        self.wanted = (0...longest).map { length in all.filter { $0.key.utf8CodeUnitCount == length } }
    }

    /// Writes what is kept of a line to `output`, with a NUL at the end.
    func sift(_ text: UnsafeBufferPointer<UInt8>, _ members: [JSONMember], into output: inout [UInt8]) {
        output.removeAll(keepingCapacity: true)
        output.append(contentsOf: opening)
        for member in members where keeps(member, of: text) {
            output.append(UInt8(ascii: ","))
            // The quotes stand just outside the ranges of a key and of a string.
            output.append(contentsOf: text[(member.key.lowerBound - 1)..<(member.key.upperBound + 1)])
            output.append(UInt8(ascii: ":"))
            let quotes = member.kind == .string ? 1 : 0
            output.append(contentsOf: text[(member.value.lowerBound - quotes)..<(member.value.upperBound + quotes)])
        }
        output.append(UInt8(ascii: "}"))
        output.append(0)
    }

    private func keeps(_ member: JSONMember, of text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard member.key.count < wanted.count else { return false }
        for (key, kind) in wanted[member.key.count] where text.says(key, in: member.key) { return member.kind == kind }
        return false
    }

    /// TPV. Not `magtrack`, whose sign is wrong in every libgps; not `velN`, `velE` and `velD`, which 3.22 takes for a
    /// baseline; not `eps`, which means nothing.
    static let position = LineSieve(
        "TPV",
        [
            ("mode", .number), ("status", .number), ("lat", .number), ("lon", .number), ("altHAE", .number),
            ("altMSL", .number), ("alt", .number), ("speed", .number), ("track", .number), ("magvar", .number),
            ("eph", .number), ("epx", .number), ("epy", .number), ("epv", .number),
        ])
    /// ATT. Not `yaw`: u-blox's ESF-ALG puts the angle there at which the receiver is mounted.
    static let attitude = LineSieve("ATT", [("heading", .number)])
    /// SKY. libgps from 3.25 on counts satellites only where `nSat` says that there are any.
    static let sky = LineSieve("SKY", [("hdop", .number), ("nSat", .number), ("satellites", .array)])
    /// SKY where gpsd has counted its satellites.
    static let dilution = LineSieve("SKY", [("hdop", .number)])
    /// GST.
    static let noise = LineSieve("GST", [("lat", .number), ("lon", .number), ("alt", .number)])
}
