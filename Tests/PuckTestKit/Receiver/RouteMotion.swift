import Glibc
import PuckCore

/// The true position and motion on a route.
public struct TruePosition: Hashable, Sendable {
    /// The position.
    public var coordinate: Coordinate
    /// The speed over ground in m/s.
    public var speed: Double
    /// The direction of travel; while standing still, the last one.
    public var course: Direction
}

/// The motion along a route: a closed formula of time for each stretch of constant acceleration on a line or a circle.
struct RouteMotion: Hashable, Sendable {
    private struct Stretch: Hashable, Sendable {
        /// The start in seconds, the duration, and the position, course (radians) and speed at the start.
        var begin: Double
        var duration: Double
        var east: Double
        var north: Double
        var course: Double
        var speed: Double
        /// The acceleration in m/s² along the path.
        var acceleration: Double
        /// The curvature in 1/m to the right; 0 is a straight line.
        var curvature: Double

        func state(after seconds: Double) -> State {
            let way = speed * seconds + acceleration * seconds * seconds / 2
            let now = max(0, speed + acceleration * seconds)
            guard curvature != 0 else {
                return State(
                    east: east + way * sin(course), north: north + way * cos(course), course: course, speed: now)
            }
            let turned = course + way * curvature
            return State(
                east: east + (cos(course) - cos(turned)) / curvature,
                north: north + (sin(turned) - sin(course)) / curvature, course: turned, speed: now)
        }
    }

    /// Metres from the start, the course in radians, and the speed in m/s.
    private struct State {
        var east = 0.0
        var north = 0.0
        var course: Double
        var speed = 0.0
    }

    private let plane: LocalPlane
    private let startCourse: Double
    private let repeats: Bool
    private var stretches: [Stretch] = []

    init(_ route: Route) {
        plane = LocalPlane(origin: route.start)
        startCourse = route.course.degrees * .pi / 180
        repeats = route.repeats
        let speeds = route.legs.map(\.topSpeed)
        for (i, leg) in route.legs.enumerated() {
            // Between two legs, the speed is the highest that both allow. At the ends of a route that does not repeat
            // it is 0.
            let before = i > 0 ? speeds[i - 1] : route.repeats ? speeds[speeds.count - 1] : 0
            let after = i + 1 < speeds.count ? speeds[i + 1] : route.repeats ? speeds[0] : 0
            add(
                leg, from: min(speeds[i], before), to: min(speeds[i], after),
                acceleration: max(route.acceleration, 1e-3))
        }
    }

    /// The duration of all legs in seconds.
    var duration: Double { stretches.last.map { $0.begin + $0.duration } ?? 0 }

    /// Returns the true position a number of seconds after the start. Before the start of a route that does not repeat,
    /// it is the start.
    func position(at seconds: Double) -> TruePosition {
        let whole = duration
        let time =
            repeats && whole > 0 ? seconds - (seconds / whole).rounded(.down) * whole : min(max(0, seconds), whole)
        let stretch = stretches.last { $0.begin <= time } ?? stretches.first
        let now = stretch?.state(after: time - (stretch?.begin ?? 0)) ?? State(course: startCourse)
        return TruePosition(
            coordinate: plane.unproject(east: now.east, north: now.north), speed: now.speed,
            course: Direction(wrapping: now.course * 180 / .pi) ?? .north)
    }

    private mutating func add(_ leg: Route.Leg, from v0: Double, to v1: Double, acceleration a: Double) {
        guard case .stand(let seconds) = leg else {
            for part in speedProfile(length: leg.length, from: v0, to: v1, top: leg.topSpeed, acceleration: a) {
                append(
                    seconds: part.seconds, speed: part.speed, acceleration: part.acceleration, curvature: leg.curvature)
            }
            return
        }
        append(seconds: max(0, seconds), speed: 0, acceleration: 0, curvature: 0)
    }

    private mutating func append(seconds: Double, speed: Double, acceleration: Double, curvature: Double) {
        guard seconds > 0 else { return }
        let end = stretches.last.map { $0.state(after: $0.duration) } ?? State(course: startCourse)
        stretches.append(
            Stretch(
                begin: duration, duration: seconds, east: end.east, north: end.north, course: end.course, speed: speed,
                acceleration: acceleration, curvature: curvature))
    }
}

extension Route.Leg {
    fileprivate var topSpeed: Double {
        switch self {
        case .stand: 0
        case .straight(_, let speed), .turn(_, _, let speed): max(0, speed)
        }
    }
    fileprivate var length: Double {
        switch self {
        case .stand: 0
        case .straight(let metres, _): max(0, metres)
        case .turn(let degrees, let radius, _): degrees.magnitude * .pi / 180 * max(0, radius)
        }
    }
    fileprivate var curvature: Double {
        guard case .turn(let degrees, let radius, _) = self, radius > 0, degrees != 0 else { return 0 }
        return (degrees < 0 ? -1 : 1) / radius
    }
}

/// Returns the parts of a speed profile over `length` metres: accelerate, cruise, decelerate. If the path is too short,
/// the cruise is omitted; if it is still too short, the speed changes at a constant rate.
private func speedProfile(
    length: Double, from v0: Double, to v1: Double, top: Double, acceleration a: Double
) -> [(seconds: Double, speed: Double, acceleration: Double)] {
    guard length > 0, top > 0 else { return [] }
    let peak = min(top, (a * length + (v0 * v0 + v1 * v1) / 2).squareRoot())
    guard peak >= max(v0, v1) else {
        return [(2 * length / (v0 + v1), v0, (v1 * v1 - v0 * v0) / (2 * length))]
    }
    let rise = (peak - v0) / a
    let fall = (peak - v1) / a
    let cruise = length - rise * (v0 + peak) / 2 - fall * (peak + v1) / 2
    return [(rise, v0, a), (max(0, cruise) / peak, peak, 0), (fall, peak, -a)]
}
