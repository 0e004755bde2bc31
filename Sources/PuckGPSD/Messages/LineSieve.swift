import PuckText

/// Rewrites a line for libgps: an object that begins with its class and has only the members that are read from it,
/// each with the type that libgps expects.
///
/// At the first member with another type than in its table, and at any nested object, libgps stops; it then reports
/// success, and leaves all following members unknown. The sieve removes such a member and keeps the others.
struct LineSieve {
    /// A member that is read through libgps.
    typealias Wanted = (key: StaticString, kind: JSONKind)

    private let opening: [UInt8]
    /// The wanted members by the length of their key: the length alone excludes most of a line.
    private let wanted: [[Wanted]]

    /// A sieve for lines of `className` that keeps its receiver and `wanted`.
    init(_ className: StaticString, _ wanted: [Wanted]) {
        opening = Array("{\"class\":\"\(className)\"".utf8)
        let all = [("device", .string)] + wanted
        let longest = all.map(\.key.utf8CodeUnitCount).max() ?? 0
        self.wanted = (0...longest).map { length in all.filter { $0.key.utf8CodeUnitCount == length } }
    }

    /// Writes the kept part of a line to `output`, with a NUL at the end.
    func sift(_ text: UnsafeBufferPointer<UInt8>, _ members: [JSONMember], into output: inout [UInt8]) {
        output.removeAll(keepingCapacity: true)
        output.append(contentsOf: opening)
        for member in members where keeps(member, of: text) {
            output.append(UInt8(ascii: ","))
            // The quotes are just outside the ranges of a key and of a string.
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

    /// TPV. Without `magtrack`, whose sign is wrong in every libgps; without `velN`, `velE` and `velD`, which 3.22
    /// mistakes for a baseline; and without `eps`, which is meaningless.
    static let position = LineSieve(
        "TPV",
        [
            ("mode", .number), ("status", .number), ("lat", .number), ("lon", .number), ("altHAE", .number),
            ("altMSL", .number), ("alt", .number), ("speed", .number), ("track", .number), ("magvar", .number),
            ("eph", .number), ("epx", .number), ("epy", .number), ("epv", .number),
        ])
    /// ATT. Without `yaw`: u-blox's ESF-ALG puts the mounting angle of the receiver there.
    static let attitude = LineSieve("ATT", [("heading", .number)])
    /// SKY. From 3.25 on, libgps counts satellites only if `nSat` announces some.
    static let sky = LineSieve("SKY", [("hdop", .number), ("nSat", .number), ("satellites", .array)])
    /// SKY if gpsd has counted its satellites.
    static let dilution = LineSieve("SKY", [("hdop", .number)])
    /// GST.
    static let noise = LineSieve("GST", [("lat", .number), ("lon", .number), ("alt", .number)])
}
