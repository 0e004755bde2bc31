import PuckCore

/// Where the simulated receiver is carried: legs, one after the other, from a start.
public struct Route: Hashable, Sendable {
    /// One part of the way.
    public enum Leg: Hashable, Sendable {
        /// Standing still, seconds.
        case stand(seconds: Double)
        /// Straight ahead: metres, at most so many m/s.
        case straight(metres: Double, speed: Double)
        /// A turn on a circle: degrees clockwise (negative: to the left), radius in metres, at most so many m/s.
        case turn(degrees: Double, radius: Double, speed: Double)
    }

    /// Where it begins.
    public var start: Coordinate
    /// Course at the start, from true north.
    public var course: Direction
    /// The parts of the way.
    public var legs: [Leg]
    /// How fast it gains and loses speed, m/s².
    public var acceleration: Double
    /// Whether it begins again after its end; for a route that ends where, and pointing as, it began.
    public var repeats: Bool

    /// A route of its legs.
    public init(
        start: Coordinate = Route.defaultStart, course: Direction = .north, legs: [Leg], acceleration: Double = 1.5,
        repeats: Bool = false
    ) {
        self.start = start
        self.course = course
        self.legs = legs
        self.acceleration = acceleration
        self.repeats = repeats
    }

    /// A place on land, far from the equator, a pole and the date line.
    public static let defaultStart = Coordinate(wrappingLongitude: 11.5755, clampingLatitude: 48.1374)

    /// Round a block of 400 m by 250 m at 50 km/h, waiting at two lights.
    public static func city(start: Coordinate = Route.defaultStart) -> Route {
        let street = 50 / 3.6
        let corner = Leg.turn(degrees: 90, radius: 12, speed: 5)
        let half: [Leg] = [
            .stand(seconds: 10), .straight(metres: 400, speed: street), corner, .straight(metres: 250, speed: street),
            corner,
        ]
        return Route(start: start, legs: half + half, repeats: true)
    }

    /// Two kilometres of country road at 80 km/h and back, again and again.
    public static func straight(start: Coordinate = Route.defaultStart) -> Route {
        let there: [Leg] = [
            .straight(metres: 2000, speed: 80 / 3.6), .turn(degrees: 180, radius: 15, speed: 5),
        ]
        return Route(start: start, course: Direction(wrapping: 60) ?? .north, legs: there + there, repeats: true)
    }

    /// Standing still for ever.
    public static func park(start: Coordinate = Route.defaultStart) -> Route { Route(start: start, legs: []) }

    /// A wide circle on a lake at 5 knots, never standing.
    public static func boat(
        start: Coordinate = Coordinate(wrappingLongitude: 9.35, clampingLatitude: 47.62)
    ) -> Route {
        Route(
            start: start, legs: [.turn(degrees: 360, radius: 300, speed: 2.6)], acceleration: 0.1, repeats: true)
    }
}
