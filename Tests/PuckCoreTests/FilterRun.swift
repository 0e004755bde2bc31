@testable import PuckCore

/// A filter fed with a made-up receiver's fixes in a plane, and asked in the same plane.
struct FilterRun {
    var filter: PositionFilter
    let plane: LocalPlane
    var noise: SeededGenerator
    /// Slow error of the receiver's positions, m.
    private var slowError = PlaneVector.zero
    private var lastTime: Double?

    init(
        profile: Profile = .auto, origin: (longitude: Double, latitude: Double) = (9.1, 48.7), floor: Double = 1,
        seed: UInt64 = 1
    ) {
        filter = PositionFilter(profile: profile, accuracyFloor: floor)
        plane = LocalPlane(
            origin: Coordinate(wrappingLongitude: origin.longitude, clampingLatitude: origin.latitude))
        noise = SeededGenerator(seed: seed)
    }

    /// A fix of a place and a velocity, exact.
    func fix(
        at time: Double, _ place: PlaneVector, velocity: PlaneVector? = nil, accuracy: Double? = 3,
        latency: Double = 0
    ) -> Fix {
        var fix = Fix(
            device: DeviceName("/dev/ttyUSB0"), time: nil, instant: Instant(seconds: time),
            arrival: Instant(seconds: time + latency), mode: .threeDimensional, coordinate: plane.unproject(place))
        fix.accuracy = accuracy
        if let velocity {
            fix.speed = velocity.length
            fix.course = velocity.direction
        }
        return fix
    }

    /// A fix as a good receiver of today gives it: a slow error of 1.5 m that hangs together over 50 s, 2 cm of its own,
    /// and velocities 3 cm/s off.
    mutating func noisyFix(at time: Double, _ place: PlaneVector, velocity: PlaneVector) -> Fix {
        let keep = lastTime.map { exp(-(time - $0) / 50) } ?? 0
        lastTime = time
        let fresh = 1.5 / 2.0.squareRoot() * (1 - keep * keep).squareRoot()
        slowError = keep * slowError + fresh * noise.vector()
        return fix(
            at: time, place + slowError + 0.02 * noise.vector(), velocity: velocity + 0.03 * noise.vector())
    }

    /// Where the puck is drawn, m.
    func place(at time: Double) -> PlaneVector? {
        guard let motion = filter.motion(at: Instant(seconds: time)) else { return nil }
        let p = plane.project(motion.coordinate)
        return PlaneVector(east: p.east, north: p.north)
    }

    func motion(at time: Double) -> Motion? { filter.motion(at: Instant(seconds: time)) }

    /// Feeds fixes and looks at every frame of 60 a second from `start` on. `look` is given the time, the step from the
    /// frame before, and the motion.
    mutating func play(
        _ fixes: [Fix], from start: Double, to end: Double, look: (Double, PlaneVector, PlaneVector, Motion) -> Void
    ) {
        var next = 0
        var last: PlaneVector?
        for k in Int(start * 60)...Int(end * 60) {
            let time = Double(k) / 60
            while next < fixes.count, fixes[next].arrival.seconds <= time {
                _ = filter.update(fixes[next])
                next += 1
            }
            guard let here = place(at: time), let motion = motion(at: time) else { continue }
            if let last { look(time, here, here - last, motion) }
            last = here
        }
    }
}

extension SeededGenerator {
    /// Nearly normal, of standard deviation 1.
    mutating func normal() -> Double { (0..<12).reduce(-6.0) { sum, _ in sum + unit() } }
    mutating func vector() -> PlaneVector { PlaneVector(east: normal(), north: normal()) }
}
