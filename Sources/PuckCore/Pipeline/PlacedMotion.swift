/// How a placed location moves between placements: along its speed and course, as a receiver's puck does between fixes.
/// What a placement corrects is worked in over some tenths of a second; where it is far, that is a jump.
///
/// A placement is taken at its word: it is neither filtered nor doubted, and no speed is made up from positions.
struct PlacedMotion: Sendable {
    /// Constants of the filter, which hold for placements too.
    private static let coasting = Coasting()
    private static let blend = CorrectionBlend.Parameters()
    private static let accuracy = AccuracyModel.Parameters()
    /// The hardest braking that is one and not another speed placed at once, m/s². (tyres on dry asphalt)
    private static let hardestBraking = 10.0
    /// No vehicle turns faster, degrees a second.
    private static let fastestTurn = 120.0

    /// What was placed last.
    private(set) var placement: Placement
    /// When that was true.
    private(set) var instant: Instant
    /// Seconds for which placements are usually apart; nil before that is learnt.
    var usualSilence: Double? { arrivals.usualSilence }
    /// Until which age, in seconds, the newest placement is live.
    var liveUntil: Double { arrivals.liveUntil }

    /// With the newest placement at its origin.
    private var plane: LocalPlane
    private var correction: CorrectionBlend?
    private var speedTrend = PlacedTrend()
    private var courseTrend = PlacedTrend()
    private var headingTrend = PlacedTrend()
    private var course: TurningAngle?
    private var heading: TurningAngle?
    private var rhythm = CycleEstimator()
    /// Seconds by which the newest placement came late, as the next one will.
    private var delay: Double
    private var arrivals = ArrivalRhythm()

    /// The position that was placed last.
    var coordinate: Coordinate { plane.origin }

    /// Starts at a position that was true at `instant` and is handed over at `now`.
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

    /// Takes the next placement. `shown`: the instant whose place is drawn at `now`, as far as it is carried forward.
    /// Returns whether the puck jumps.
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
            // A vehicle that brakes goes on braking. One that sped up once may have been set going.
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

    /// After a jump nothing goes on as it did before.
    private mutating func stopTurning() {
        speedTrend.forget()
        courseTrend.forget()
        headingTrend.forget()
        course?.jump()
        heading?.jump()
    }

    /// Where a placement moves to that does not say where it points: along its course, else straight from the last one. nil
    /// where it does not move.
    private func directionOfMove(from start: Coordinate) -> Direction? {
        guard let azimuth = Geodesic(from: start, to: coordinate)?.azimuth else { return nil }
        return placement.course ?? azimuth
    }

    // MARK: Drawing

    /// For how long a turn goes on after a placement, seconds.
    private var turning: Double { Self.coasting.change(cycle: rhythm.cycle) + delay }

    /// What is predicted at an instant, before corrections are worked in: an arc while it turns, then straight on.
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

    /// How far it has gone along its way after `age` seconds, metres, and how fast it then is, m/s.
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

    /// What is shown at an instant: place, radius, speed and course. `frameInterval`: how long that will be shown, seconds.
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
        // Of a location that gives no course nothing is carried forward: its speed is what was said.
        reading.speed = placement.course == nil ? placement.speed : placement.speed.map { _ in ahead.velocity.length }
        let turn = plane.convergence(at: coordinate)
        reading.drawnCourse = direction(course, at: instant, frameInterval)?.turned(by: -turn)
        reading.course = placement.course == nil ? nil : reading.drawnCourse
        reading.heading = direction(heading, at: instant, frameInterval)
        return reading
    }

    /// As with positions, corrections show at once where frames are too few for a turn to be seen.
    private func direction(_ angle: TurningAngle?, at instant: Instant, _ frameInterval: Double) -> Direction? {
        guard let angle else { return nil }
        let isSeen = frameInterval <= Self.blend.longestFrame
        return Direction(wrapping: isSeen ? angle.degrees(at: instant) : angle.predicted(at: instant))
    }

    /// By how much the truth may be elsewhere for want of the next placement, metres.
    private func growth(at instant: Instant) -> Double {
        let age = instant.seconds(since: self.instant)
        guard placement.isMoving, let speed = placement.speed, age > turning else { return 0 }
        return Self.accuracy.wandering(for: age, speed: speed)
    }
}

/// What a placed location shows at an instant.
struct PlacedReading: Sendable {
    /// Position.
    var coordinate: Coordinate
    /// 95 % radius, metres; nil: not known.
    var accuracy: Double?
    /// Over ground, m/s; nil: not known.
    var speed: Double?
    /// Direction of travel; nil: not known.
    var course: Direction?
    /// The last one.
    var drawnCourse: Direction?
    /// Where the vehicle points.
    var heading: Direction?

    init(coordinate: Coordinate) { self.coordinate = coordinate }
}

extension Optional<TurningAngle> {
    /// Turns to a direction, or keeps what is drawn where there is none.
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
