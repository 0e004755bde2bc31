import PuckCore

/// The route of a simulated receiver: a start and a sequence of legs.
public struct Route: Hashable, Sendable {
    /// A leg of the route.
    public enum Leg: Hashable, Sendable {
        /// Stands still for this number of seconds.
        case stand(seconds: Double)
        /// Goes straight for a number of metres, with a maximum speed in m/s.
        case straight(metres: Double, speed: Double)
        /// Turns on a circle: degrees clockwise (negative is left), radius in metres, and a maximum speed in m/s.
        case turn(degrees: Double, radius: Double, speed: Double)
    }

    /// The start.
    public var start: Coordinate
    /// The course at the start, from true north.
    public var course: Direction
    /// The legs.
    public var legs: [Leg]
    /// The acceleration and deceleration in m/s²; default 1.5.
    public var acceleration: Double
    /// Whether the route starts again after its end; default false. Such a route must end at its start, in the same
    /// direction.
    public var repeats: Bool

    /// Creates a route from its legs.
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

    /// A place on land, far from the equator, the poles and the antimeridian.
    public static let defaultStart = Coordinate(wrappingLongitude: 11.5755, clampingLatitude: 48.1374)

    /// Round a block of 400 m by 250 m at 50 km/h, with a stop at two traffic lights.
    public static func city(start: Coordinate = Route.defaultStart) -> Route {
        let street = 50 / 3.6
        let corner = Leg.turn(degrees: 90, radius: 12, speed: 5)
        let half: [Leg] = [
            .straight(metres: 400, speed: street), corner, .straight(metres: 250, speed: street), corner,
            .stand(seconds: 10),
        ]
        return Route(start: start, legs: half + half, repeats: true)
    }

    /// Along 2 km of a country road at 80 km/h and back, repeatedly.
    public static func straight(start: Coordinate = Route.defaultStart) -> Route {
        let there: [Leg] = [
            .straight(metres: 2000, speed: 80 / 3.6), .turn(degrees: 180, radius: 15, speed: 5),
        ]
        return Route(start: start, course: Direction(wrapping: 60) ?? .north, legs: there + there, repeats: true)
    }

    /// Standing still forever.
    public static func park(start: Coordinate = Route.defaultStart) -> Route { Route(start: start, legs: []) }

    /// A wide circle on a lake at 5 knots, without a stop.
    public static func boat(
        start: Coordinate = Coordinate(wrappingLongitude: 9.35, clampingLatitude: 47.62)
    ) -> Route {
        Route(
            start: start, legs: [.turn(degrees: 360, radius: 300, speed: 2.6)], acceleration: 0.1, repeats: true)
    }
}
