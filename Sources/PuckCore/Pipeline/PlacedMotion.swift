/// The motion of a placed location between placements: along its speed and course, like a receiver's puck between
/// fixes. A correction is applied over some tenths of a second; a large one is a jump.
///
/// A placement is neither filtered nor checked, and no speed is estimated from positions.
struct PlacedMotion: Sendable {
    /// The filter's constants, which also apply to placements.
    private static let coasting = Coasting()
    private static let blend = CorrectionBlend.Parameters()
    private static let accuracy = AccuracyModel.Parameters()
    /// The hardest braking, m/s²; a greater change of speed is a new speed. (tyres on dry asphalt)
    private static let hardestBraking = 10.0
    /// The fastest turn of any vehicle, degrees a second.
    private static let fastestTurn = 120.0

    /// The newest placement.
    private(set) var placement: Placement
    /// The instant of the newest placement.
    private(set) var instant: Instant
    /// The usual interval between placements, seconds; nil before it is known.
    var usualSilence: Double? { arrivals.usualSilence }
    /// The age, in seconds, up to which the newest placement is live.
    var liveUntil: Double { arrivals.liveUntil }

    /// The local plane; its origin is the newest placement.
    private var plane: LocalPlane
    private var correction: CorrectionBlend?
    private var speedTrend = PlacedTrend()
    private var courseTrend = PlacedTrend()
    private var headingTrend = PlacedTrend()
    private var course: TurningAngle?
    private var heading: TurningAngle?
    private var rhythm = CycleEstimator()
    /// The delay of the newest placement, seconds. The next one is expected to have the same.
    private var delay: Double
    private var arrivals = ArrivalRhythm()

    /// The newest placed position.
    var coordinate: Coordinate { plane.origin }

    /// Starts at a position for `instant` that arrives at `now`.
    init(_ placement: Placement, to coordinate: Coordinate, at instant: Instant, now: Instant) {
        self.placement = placement
        self.instant = instant
        plane = LocalPlane(origin: coordinate)
        course = placement.course.map { TurningAngle($0.degrees, at: instant) }
        heading = placement.heading.map { TurningAngle($0.degrees, at: instant) }
        delay = now.seconds(since: instant)
        arrivals.receive(age: delay, interval: nil, at: now, cycle: nil)
    }

    // MARK: Taking placements

    /// Takes the next placement. `shown`: the instant whose position is drawn at `now`, within the limit of
    /// extrapolation. Returns whether the puck jumps.
    mutating func take(
        _ next: Placement, to coordinate: Coordinate, at instant: Instant, now: Instant, shown: Instant
    ) -> Bool {
        let (last, start) = (placement, self.coordinate)
        let interval = instant.seconds(since: self.instant)
        var before = drawn(at: shown, frameInterval: 0)
        let place = plane.unproject(before.position)
        let turn = plane.convergence(at: place)
        placement = next
        self.instant = instant
        plane = LocalPlane(origin: coordinate)
        rhythm.receive(interval: interval)
        delay = now.seconds(since: instant)
        arrivals.receive(age: delay, interval: interval, at: now, cycle: rhythm.cycle)
        learn(from: last, interval: interval)
        before.position = PlaneVector(plane.project(place))
        before.velocity = before.velocity.turned(by: plane.convergence(at: place) - turn)
        let after = predicted(at: now)
        let isFar =
            (before.position - after.position).length > GlideLimit.metres(after: interval, cycle: rhythm.cycle)
        correction = isFar ? nil : CorrectionBlend(from: before, to: after, at: now, Self.blend)
        turnAngles(from: start, now: now)
        if isFar { stopTurning() }
        return isFar
    }

    private mutating func learn(from last: Placement, interval: Double) {
        if let old = last.speed, let new = placement.speed {
            speedTrend.take(new - old, in: interval, most: Self.hardestBraking)
            // A braking vehicle continues to brake. One that sped up once may have started at full speed.
            if new < old { speedTrend.trust() }
        } else {
            speedTrend.forget()
        }
        if let old = last.course, let new = placement.course {
            courseTrend.take(old.turn(to: new), in: interval, most: Self.fastestTurn)
        } else {
            courseTrend.forget()
        }
    }

    private mutating func turnAngles(from start: Coordinate, now: Instant) {
        course.follow(placement.course, courseTrend, during: turning, at: instant, now: now)
        let pointed = placement.heading ?? directionOfMove(from: start)
        if let old = heading, let pointed {
            let change = shortestTurn(from: old.angle, to: pointed.degrees)
            headingTrend.take(change, in: instant.seconds(since: old.instant), most: Self.fastestTurn)
        } else {
            headingTrend.forget()
        }
        heading.follow(pointed, headingTrend, during: turning, at: instant, now: now)
    }

    /// Forgets all trends after a jump.
    private mutating func stopTurning() {
        speedTrend.forget()
        courseTrend.forget()
        headingTrend.forget()
        course?.jump()
        heading?.jump()
    }

    /// The direction of a moving placement without a heading: its course, or else the line from the last position.
    /// nil if it does not move.
    private func directionOfMove(from start: Coordinate) -> Direction? {
        guard let azimuth = Geodesic(from: start, to: coordinate)?.azimuth else { return nil }
        return placement.course ?? azimuth
    }

    // MARK: Drawing

    /// How long a turn continues after a placement, seconds.
    private var turning: Double { Self.coasting.change(cycle: rhythm.cycle) + delay }

    /// The predicted position at an instant, without corrections: an arc while the vehicle turns, then a straight
    /// line.
    private func predicted(at instant: Instant) -> Coasting.Point {
        guard placement.isMoving, let course = placement.course else { return .init(position: .zero, velocity: .zero) }
        let age = max(0, instant.seconds(since: self.instant))
        let inTurn = min(age, turning)
        let half = radians(courseTrend.rate * inTurn) / 2
        let chord = half.magnitude > 1e-6 ? sin(half) / half : 1
        let turned = along(for: inTurn)
        let whole = along(for: age)
        let end = course.turned(by: courseTrend.rate * inTurn)
        return Coasting.Point(
            position: PlaneVector(length: chord * turned.way, direction: course.turned(by: degrees(half)))
                + PlaneVector(length: whole.way - turned.way, direction: end),
            velocity: PlaneVector(length: whole.speed, direction: end))
    }

    /// The distance along the path after `age` seconds, metres, and the speed then, m/s.
    private func along(for age: Double) -> (way: Double, speed: Double) {
        let start = Coasting.Point(position: .zero, velocity: PlaneVector(east: placement.speed ?? 0, north: 0))
        let point = Self.coasting.point(
            from: start, acceleration: PlaneVector(east: speedTrend.rate, north: 0), age: age, cycle: rhythm.cycle)
        return (point.position.east, point.velocity.east)
    }

    private func drawn(at instant: Instant, frameInterval: Double) -> Coasting.Point {
        let ahead = predicted(at: instant)
        return correction?.applied(to: ahead, at: instant, frameInterval: frameInterval) ?? ahead
    }

    /// The values to show at an instant: position, radius, speed and course. `frameInterval`: how long they will be
    /// shown, seconds.
    func motion(at instant: Instant, frameInterval: Double, accuracyFloor: Double) -> PlacedReading {
        let ahead = predicted(at: instant)
        let point = correction?.applied(to: ahead, at: instant, frameInterval: frameInterval) ?? ahead
        let coordinate = plane.unproject(point.position)
        var reading = PlacedReading(coordinate: coordinate)
        reading.accuracy = placement.accuracy.map {
            let grown = growth(at: instant)
            return max(accuracyFloor, ($0 * $0 + grown * grown).squareRoot())
                + (point.position - ahead.position).length
        }
        // A location without a course is not extrapolated: its speed is the placed one.
        reading.speed = placement.course == nil ? placement.speed : placement.speed.map { _ in ahead.velocity.length }
        let turn = plane.convergence(at: coordinate)
        reading.drawnCourse = direction(course, at: instant, frameInterval)?.turned(by: -turn)
        reading.course = placement.course == nil ? nil : reading.drawnCourse
        reading.heading = direction(heading, at: instant, frameInterval)
        return reading
    }

    /// As with positions, a correction is shown at once if the frames are too rare to show a turn.
    private func direction(_ angle: TurningAngle?, at instant: Instant, _ frameInterval: Double) -> Direction? {
        guard let angle else { return nil }
        let isSeen = frameInterval <= Self.blend.longestFrame
        return Direction(wrapping: isSeen ? angle.degrees(at: instant) : angle.predicted(at: instant))
    }

    /// The growth of the error while the next placement is missing, metres.
    private func growth(at instant: Instant) -> Double {
        let age = instant.seconds(since: self.instant)
        guard placement.isMoving, let speed = placement.speed, age > turning else { return 0 }
        return Self.accuracy.wandering(for: age, speed: speed)
    }
}

/// The values of a placed location at an instant.
struct PlacedReading: Sendable {
    /// Position.
    var coordinate: Coordinate
    /// 95 % radius, metres; nil if unknown.
    var accuracy: Double?
    /// Over ground, m/s; nil if unknown.
    var speed: Double?
    /// Direction of travel; nil if unknown.
    var course: Direction?
    /// The last known course, as drawn.
    var drawnCourse: Direction?
    /// The direction in which the vehicle points.
    var heading: Direction?

    init(coordinate: Coordinate) { self.coordinate = coordinate }
}

extension Optional<TurningAngle> {
    /// Turns to a direction; keeps the drawn one if it is nil.
    fileprivate mutating func follow(
        _ direction: Direction?, _ trend: PlacedTrend, during turning: Double, at instant: Instant, now: Instant
    ) {
        guard let direction else {
            self?.stop(at: now)
            return
        }
        guard self != nil else {
            self = TurningAngle(direction.degrees, at: instant)
            return
        }
        self?.take(direction.degrees, turn: trend.rate, for: turning, at: instant, now: now)
    }
}
