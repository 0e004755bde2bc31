/// The reason why the saved state cannot be used. The favourites, the last shown point and the count of frames are
/// lost.
public enum CoarsenerStateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Longer than `CoarsenerState.longestText`.
    case tooLong
    /// Another format, or an unknown version of it.
    case unknownFormat
    /// The checksum does not match the text.
    case damaged
    /// A line, counted from 1, has wrong content.
    case malformed(line: Int, expected: String)

    /// A description for people.
    public var description: String {
        switch self {
        case .tooLong: "longer than \(CoarsenerState.longestText) bytes"
        case .unknownFormat: "expected \"\(CoarsenerState.heading)\" in the first line"
        case .damaged: "the checksum in the last line is not that of the text"
        case .malformed(let line, let expected): "line \(line): expected \(expected)"
        }
    }
}

// The state as text: a heading, one value or point on each line in a fixed order, and a checksum. Times are whole
// seconds.
extension CoarsenerState {
    /// The maximum length of the text, bytes: twice the length with all lists full.
    public static let longestText = 8_192
    static let heading = "puckd approximate state 1"

    private static let seconds = -4_000_000_000...4_000_000_000
    private static let days = -50_000...50_000
    private static let sequences = 0...(1 << 53)

    /// The text to save.
    public var text: String {
        var lines = [
            Self.heading, "radius \(radius.metres)",
            "sequence \(Self.bounded(Int(clamping: sequence), Self.sequences))",
            "next \(Self.whole(next.nanoseconds))", "misses \(misses)", "since \(Self.stamp(since))",
        ]
        if let point {
            let place = "\(point.place.row) \(point.place.column)"
            lines.append("point \(point.level.rawValue) \(place) \(Self.stamp(point.epoch))")
        }
        for entry in favourites.owners + favourites.candidates {
            let day = Self.bounded(entry.lastUsed, Self.days)
            lines.append("favourite \(entry.point.row) \(entry.point.column) \(entry.stillEpochs) \(day)")
        }
        return Self.sealed(lines)
    }

    /// Appends the checksum to the lines.
    static func sealed(_ lines: [String]) -> String {
        let body = lines.joined(separator: "\n") + "\n"
        return body + "checksum \(checksum(body.utf8))\n"
    }

    /// The state in `text`.
    public init(text: some Collection<UInt8>) throws(CoarsenerStateError) {
        guard text.count <= Self.longestText else { throw .tooLong }
        var lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.first.map(String.init) == Self.heading else { throw .unknownFormat }
        // The last line ends with a newline, so what follows it is empty.
        guard lines.count > 2, lines.removeLast().isEmpty, let last = lines.popLast() else { throw .damaged }
        let body = lines.joined(separator: "\n") + "\n"
        guard last == "checksum \(Self.checksum(body.utf8))" else { throw .damaged }
        var reader = LineReader(lines: lines)
        try self.init(&reader)
    }

    private init(_ reader: inout LineReader) throws(CoarsenerStateError) {
        let metres = try reader.numbers("radius", [ApproximateRadius.range])[0]
        guard let radius = ApproximateRadius(metres: metres) else { throw reader.malformed("a radius") }
        let geometry = Geometry(radius: radius)
        let sequence = try reader.numbers("sequence", [Self.sequences])[0]
        let next = try reader.numbers("next", [Self.seconds])[0]
        let misses = try reader.numbers("misses", [0...Self.staleMisses])[0]
        let since = try reader.numbers("since", [Self.seconds, Self.seconds])
        self.init(
            radius: radius, sequence: UInt64(sequence), next: UTC(seconds: Double(next)), misses: misses,
            since: Self.moment(since[0], since[1]), point: nil, favourites: Favourites())
        for level in ApproximationLevel.allCases where reader.isNext("point \(level.rawValue)") {
            let values = try reader.numbers(
                "point \(level.rawValue)", geometry.lattice(level).ranges + [Self.seconds, Self.seconds])
            let place = LatticePoint(row: values[0], column: values[1])
            guard geometry.lattice(level).contains(place) else { throw reader.malformed("a point of the lattice") }
            point = Point(place: place, level: level, epoch: Self.moment(values[2], values[3]))
        }
        var owners: [Favourites.Entry] = []
        var candidates: [Favourites.Entry] = []
        while !reader.isAtEnd {
            let values = try reader.numbers(
                "favourite", geometry.lattice(.single).ranges + [1...Favourites.needed, Self.days])
            let place = LatticePoint(row: values[0], column: values[1])
            guard geometry.lattice(.single).contains(place) else { throw reader.malformed("a point of the lattice") }
            guard !(owners + candidates).contains(where: { $0.point == place }) else {
                throw reader.malformed("another point than before")
            }
            let entry = Favourites.Entry(point: place, stillEpochs: values[2], lastUsed: values[3])
            if entry.stillEpochs < Favourites.needed { candidates.append(entry) } else { owners.append(entry) }
            guard max(owners.count, candidates.count) <= Favourites.limit else {
                throw reader.malformed("at most \(Favourites.limit) favourites")
            }
        }
        favourites = Favourites(owners: owners, candidates: candidates)
    }

    private static func moment(_ utc: Int, _ monotonic: Int) -> Moment {
        Moment(monotonic: Instant(seconds: Double(monotonic)), utc: UTC(seconds: Double(utc)))
    }
    private static func stamp(_ moment: Moment) -> String {
        "\(whole(moment.utc.nanoseconds)) \(whole(moment.monotonic.nanoseconds))"
    }
    private static func whole(_ nanoseconds: Int64) -> Int { bounded(Int(nanoseconds / 1_000_000_000), seconds) }
    private static func bounded(_ value: Int, _ range: ClosedRange<Int>) -> Int {
        min(range.upperBound, max(range.lowerBound, value))
    }

    /// FNV-1a of 64 bits, hexadecimal. It detects a torn or edited file, not an adversary.
    private static func checksum(_ bytes: some Sequence<UInt8>) -> String {
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}

/// Reads lines of one or two words and whole numbers. Each number must be within its range.
private struct LineReader {
    private let lines: [Substring]
    private var at = 1

    /// The lines; the first is the heading.
    init(lines: [Substring]) { self.lines = lines }

    var isAtEnd: Bool { at >= lines.count }

    func isNext(_ name: String) -> Bool { !isAtEnd && lines[at].hasPrefix(name + " ") }

    mutating func numbers(_ name: String, _ ranges: [ClosedRange<Int>]) throws(CoarsenerStateError) -> [Int] {
        defer { at += 1 }
        let shape = "\"\(name)\" and \(ranges.map { "\($0.lowerBound)…\($0.upperBound)" }.joined(separator: ", "))"
        guard isNext(name) else { throw .malformed(line: at + 1, expected: shape) }
        let words = lines[at].dropFirst(name.count + 1).split(separator: " ", omittingEmptySubsequences: false)
        let values = zip(words, ranges).compactMap { word, range in Int(word).flatMap { range.contains($0) ? $0 : nil }
        }
        guard words.count == ranges.count, values.count == ranges.count else {
            throw .malformed(line: at + 1, expected: shape)
        }
        return values
    }

    /// The error for the last line read.
    func malformed(_ expected: String) -> CoarsenerStateError { .malformed(line: at, expected: expected) }
}
