/// A way along positions, by the shortest line from each to the next.
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
    /// Metres in all.
    public let length: Double

    /// The track through these positions. Of two that are nearly antipodes no line is the shortest: it goes on from the
    /// second.
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

    /// Where one is after so many metres, and in which direction one goes on; nil where there is none, at the end of a
    /// track of one position. Before the start it is the start, after the end the end. A track of no position is at
    /// (0, 0).
    public func position(after distance: Double) -> (coordinate: Coordinate, direction: Direction?) {
        guard let last = legs.last else {
            return (first ?? Coordinate(wrappingLongitude: 0, clampingLatitude: 0), nil)
        }
        // The leg that it is in: the last that starts no later. (bisection)
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
