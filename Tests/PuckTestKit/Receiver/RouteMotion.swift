import Glibc
import PuckCore

/// Where a route's traveller truly is.
public struct TruePosition: Hashable, Sendable {
    /// Position.
    public var coordinate: Coordinate
    /// m/s over ground.
    public var speed: Double
    /// Direction of travel; standing still, the last one.
    public var course: Direction
}

/// A route as motion: a closed formula of time for each stretch of constant acceleration on a line or a circle.
struct RouteMotion: Hashable, Sendable {
    private struct Stretch: Hashable, Sendable {
        /// Seconds, and where, which way (radians) and how fast it begins.
        var begin: Double
        var duration: Double
        var east: Double
        var north: Double
        var course: Double
        var speed: Double
        /// m/s² along the way.
        var acceleration: Double
        /// 1/m, to the right; 0 is a straight line.
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

    /// Metres from the start, the course in radians, m/s.
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
            // Between two legs it goes as fast as both allow; at the ends of a way that does not repeat it stands.
            let before = i > 0 ? speeds[i - 1] : route.repeats ? speeds[speeds.count - 1] : 0
            let after = i + 1 < speeds.count ? speeds[i + 1] : route.repeats ? speeds[0] : 0
            add(
                leg, from: min(speeds[i], before), to: min(speeds[i], after),
                acceleration: max(route.acceleration, 1e-3))
        }
    }

    /// Seconds from the first leg's begin to the last one's end.
    var duration: Double { stretches.last.map { $0.begin + $0.duration } ?? 0 }

    /// The truth so many seconds after the start; before it, the start.
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

/// Speeding up, cruising, slowing down over `length` metres; without the cruise where the way is too short for it, and
/// with one steady change of speed where it is too short for that.
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
