import PuckCore

/// A line of a recording: gpsd's JSON, and in front of it, where `gpspipe -w -uu` wrote it, when it arrived:
/// `SECONDS.MICROSECONDS: {…}`, with or without a date in words before the seconds.
public struct RecordedLine: Hashable, Sendable {
    /// When it arrived, by the recording host's clock; nil if the line does not say, or says a year outside 1970 to 2199.
    public let arrival: UTC?
    /// The JSON.
    public let json: ArraySlice<UInt8>

    /// The parts of a line. Text before the first brace that is not an arrival time is ignored.
    public init(_ line: ArraySlice<UInt8>) {
        guard let brace = line.firstIndex(of: UInt8(ascii: "{")) else {
            arrival = nil
            json = line
            return
        }
        json = line[brace...]
        arrival = RecordedLine.stamp(line[..<brace])
    }

    /// The time in `… SECONDS.MICROSECONDS: `.
    private static func stamp(_ front: ArraySlice<UInt8>) -> UTC? {
        let space = UInt8(ascii: " ")
        guard let end = front.lastIndex(where: { $0 != space }), front[end] == UInt8(ascii: ":") else { return nil }
        let words = front[..<end]
        let number = words[(words.lastIndex(of: space).map { $0 + 1 } ?? words.startIndex)...]
        let parts = number.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, let seconds = decimal(whole), seconds < Plausible.year2200 else { return nil }
        guard parts.count == 2 else { return UTC(nanoseconds: seconds * 1_000_000_000) }
        guard let fraction = nanosecondsOfFraction(parts[1]) else { return nil }
        return UTC(nanoseconds: seconds * 1_000_000_000 + fraction)
    }
}
