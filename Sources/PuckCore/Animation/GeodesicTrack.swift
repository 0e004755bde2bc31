/// A path along positions, with the shortest line from each to the next.
public struct GeodesicTrack: Hashable, Sendable {
    private struct Leg: Hashable, Sendable {
        let start: Coordinate
        let end: Coordinate
        let azimuth: Direction
        /// Metres from the track's start to the leg's.
        let before: Double
        let length: Double
    }
    private let first: Coordinate?
    private let legs: [Leg]
    /// Total length, metres.
    public let length: Double

    /// The track through these positions. Between two that are nearly antipodes no line is the shortest: the track
    /// continues from the second.
    public init(_ positions: [Coordinate]) {
        var legs: [Leg] = []
        var length = 0.0
        for (start, end) in zip(positions, positions.dropFirst()) {
            guard let way = Geodesic(from: start, to: end), let azimuth = way.azimuth else { continue }
            legs.append(Leg(start: start, end: end, azimuth: azimuth, before: length, length: way.distance))
            length += way.distance
        }
        first = positions.first
        self.legs = legs
        self.length = length
    }

    /// The position and the direction of travel after a distance in metres. The direction is nil if there is none, at
    /// the end of a track with one position. Before the start it is the start, after the end the end. A track without
    /// positions is at (0, 0).
    public func position(after distance: Double) -> (coordinate: Coordinate, direction: Direction?) {
        guard let last = legs.last else {
            return (first ?? Coordinate(wrappingLongitude: 0, clampingLatitude: 0), nil)
        }
        // The leg of that position: the last one that starts no later. (bisection)
        var (low, high) = (0, legs.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if legs[middle].before <= distance { low = middle } else { high = middle }
        }
        let leg = legs[low]
        let way = distance - leg.before
        guard way > 0 else { return (leg.start, leg.azimuth) }
        guard way < leg.length else { return (last.end, direction(to: last.end, on: last)) }
        let here = Geodesic.destination(from: leg.start, azimuth: leg.azimuth, distance: way)
        return (here, Geodesic(from: here, to: leg.end)?.azimuth ?? leg.azimuth)
    }

    /// The direction in which a leg arrives: opposite to the way back.
    private func direction(to end: Coordinate, on leg: Leg) -> Direction {
        Geodesic(from: end, to: leg.start)?.azimuth?.turned(by: 180) ?? leg.azimuth
    }
}
