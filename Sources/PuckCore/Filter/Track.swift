/// The position filter's state from its first fix on: the estimate, and the drawn motion.
struct Track: Sendable {
    private let parameters: FilterParameters
    private var plane: LocalPlane
    private var estimator: Estimator
    private var sky: SkyQuality
    private var standstill: StandstillDetector
    private var recent: RecentPositions
    private var rest: Rest?
    private var spread: StandingSpread
    private var course: CourseTrack
    private var correction: CorrectionBlend?
    /// The instant of the newest fix.
    private var newest: Instant
    /// The newest fix's own error estimate, m.
    private var accuracy: Double?
    /// Whether it came with carrier phases fixed.
    private var isCarrierFixed: Bool
    /// Whether it has moved since the first fix.
    private var hasMoved = false
    /// Typical time between fixes, s.
    private(set) var cycle: Double?

    /// After a gap it still stands if it is this near to where it stood: m, and times the error estimate.
    private static let sameStand = (distance: 30.0, estimates: 4.0)
    /// A receiver that leaps more often than this in some minutes is followed with patience while it stands.
    private static let manyLeaps = 2.0
    /// One metre of scatter along an axis raises doubt by one in so many; up to this.
    private static let scatterDoubt = (metres: 1.5, most: 4.0)
    /// A puck that is this near to where it rests, m², is there.
    private static let stillSquared = 0.5e-3 * 0.5e-3
    /// Standard deviation of the speed along an axis, m/s, that is shown at rest: it is below the limit for moving.
    private static let restingDeviation = 0.1
    /// In the first seconds a receiver is steady only if its fixes of the last seconds lie this close, m. (measured)
    private static let steady = (time: 30.0, spread: 1.5)
    /// And settled after this many seconds, or if it has moved faster than this, m/s. (measured)
    private static let settled = (time: 120.0, speed: 1.0)

    init(_ fix: Fix, _ parameters: FilterParameters) {
        self.parameters = parameters
        plane = LocalPlane(origin: fix.coordinate)
        newest = min(fix.instant, fix.arrival)
        accuracy = fix.accuracy
        isCarrierFixed = fix.status == .rtkFixed
        let velocity = fix.velocity(in: plane)
        estimator = Estimator(at: .zero, measured: velocity, accuracy: fix.accuracy, time: newest, parameters)
        sky = SkyQuality(parameters.sky)
        sky.update(fix.accuracy, interval: 0, isStill: false)
        standstill = StandstillDetector(parameters.standstill)
        recent = RecentPositions(memory: parameters.standstill.positionMemory)
        spread = StandingSpread(parameters.spread)
        course = CourseTrack(parameters.course)
        course.take(
            velocity: estimator.velocity, deviation: estimator.velocityVariance.squareRoot(), at: newest, turning: 0,
            now: newest)
    }

    // MARK: Taking fixes

    /// Takes a fix; `now` is the time of the call.
    mutating func take(_ fix: Fix, at now: Instant) -> FilterOutcome {
        let instant = min(fix.instant, fix.arrival)
        let interval = instant.seconds(since: newest)
        guard interval > 0 else { return .refused(interval == 0 ? .repeated : .backwards) }
        recentre(on: fix)
        let before = drawn(at: now)
        newest = instant
        accuracy = fix.accuracy
        isCarrierFixed = fix.status == .rtkFixed
        let position = planar(fix.coordinate)
        let velocity = fix.velocity(in: plane)
        let outcome = estimator.take(
            position, measured: velocity, speed: fix.speed, accuracy: fix.accuracy, cycle: cycle, at: instant)
        if outcome != .newPlace(afterGap: true) || cycle == nil {
            cycle = cycle.map { $0 + 0.1 * (min(interval, 3 * $0) - $0) } ?? interval
        }
        sky.update(fix.accuracy, interval: interval, isStill: standstill.isStill)
        if (fix.speed ?? 0) > Track.settled.speed { hasMoved = true }
        settle(outcome)
        watchStandstill(fix, at: position, velocity: velocity, interval: interval)
        followCourse(now: now)
        return glide(from: before, outcome, interval: interval, now: now)
    }

    /// Applies a new position to a receiver at rest.
    private mutating func settle(_ outcome: Estimator.Outcome) {
        guard case .newPlace(let afterGap) = outcome else { return }
        recent.clear()
        spread.leave()
        guard let place = rest?.place else {
            standstill.restart()
            return
        }
        let near = max(Track.sameStand.distance, Track.sameStand.estimates * (accuracy ?? 0))
        if afterGap {
            guard (place - estimator.position).length >= near else { return }
            rest = nil
            standstill.restart()
        } else if estimator.leaps < Track.manyLeaps {
            rest?.seat(at: estimator.position)
        }
    }

    private mutating func watchStandstill(
        _ fix: Fix, at position: PlaneVector, velocity: PlaneVector?, interval: Double
    ) {
        recent.add(position, at: newest)
        let wasStill = standstill.isStill
        let spread = recent.spread(about: position, at: newest)
        let doubt = max(sky.doubt, min(Track.scatterDoubt.most, estimator.scatter / Track.scatterDoubt.metres))
        let isSteady = estimator.age > Track.steady.time || (spread ?? .infinity) < Track.steady.spread
        standstill.update(
            .init(
                velocity: velocity, speed: fix.speed,
                fromRest: estimator.position - (rest?.place ?? estimator.position), scatter: estimator.scatter,
                spread: spread, doubt: doubt, isSteady: isSteady, interval: interval))
        switch (wasStill, standstill.isStill) {
        case (false, true):
            rest = Rest(at: estimator.position, parameters.rest)
        case (true, false):
            rest = nil
            recent.clear()
        default: break
        }
        self.spread.take(estimator.position, isStill: rest != nil, interval: interval)
        rest?.watch(
            estimator.position, interval: interval,
            receiver: .init(
                accuracy: fix.accuracy, scatter: estimator.scatter, doubt: doubt,
                isSettled: hasMoved || estimator.age > Track.settled.time))
    }

    private mutating func followCourse(now: Instant) {
        guard rest == nil else {
            course.stop(at: now)
            return
        }
        course.take(
            velocity: estimator.velocity, deviation: estimator.velocityVariance.squareRoot(), at: newest,
            turning: parameters.coasting.change(cycle: cycle), now: now)
    }

    private mutating func glide(
        from before: Coasting.Point, _ outcome: Estimator.Outcome, interval: Double, now: Instant
    ) -> FilterOutcome {
        let after = predicted(at: now)
        if (before.position - after.position).length > GlideLimit.metres(after: interval, cycle: cycle) {
            correction = nil
            course.jump()
            return .jumped
        }
        correction = CorrectionBlend(from: before, to: after, at: now, parameters.blend)
        return outcome == .setAside ? .refused(.outlier) : .accepted
    }

    // MARK: Drawing

    /// The predicted motion at an instant, without corrections.
    private func predicted(at instant: Instant) -> Coasting.Point {
        if let rest { return Coasting.Point(position: rest.place, velocity: .zero) }
        return carriedOn(to: instant)
    }

    private func carriedOn(to instant: Instant) -> Coasting.Point {
        parameters.coasting.point(
            from: .init(position: estimator.position, velocity: estimator.velocity),
            acceleration: estimator.acceleration, age: instant.seconds(since: newest), cycle: cycle)
    }

    /// The drawn motion at an instant, in the plane.
    private func drawn(at instant: Instant) -> Coasting.Point {
        let ahead = predicted(at: instant)
        return correction?.applied(to: ahead, at: instant, frameInterval: 0) ?? ahead
    }

    func motion(at instant: Instant, frameInterval: Double, _ accuracyModel: AccuracyModel) -> Motion {
        let ahead = predicted(at: instant)
        let point = correction?.applied(to: ahead, at: instant, frameInterval: frameInterval) ?? ahead
        let speed = ahead.velocity.length
        let deviation = rest == nil ? estimator.velocityVariance.squareRoot() : Track.restingDeviation
        var motion = Motion(
            coordinate: plane.unproject(point.position),
            accuracy: radius(of: point.position, ahead: ahead, at: instant, accuracyModel), speed: speed,
            speedAccuracy: 2 * deviation, stationary: rest != nil)
        motion.isGliding = rest != nil && (point.position - ahead.position).lengthSquared > Track.stillSquared
        let turn = plane.convergence(at: motion.coordinate)
        let direction = course.direction(at: instant)?.turned(by: -turn)
        motion.drawnCourse = direction?.turned(by: course.left(at: instant))
        if course.isBelieved, let direction {
            motion.course = direction
            let accuracy = speed > 0 ? min(180, degrees(atan2(2 * deviation, speed))) : 180
            motion.courseAccuracy = max(accuracy, min(180, 2 * course.deviation))
        }
        return motion
    }

    private func radius(
        of shown: PlaneVector, ahead: Coasting.Point, at instant: Instant, _ accuracyModel: AccuracyModel
    ) -> Double {
        let hidden = rest?.hidden ?? 0
        let rival = estimator.rivalPlace.map { ($0 - shown).length } ?? 0
        return accuracyModel.radius(
            .init(
                accuracy: accuracy, ratio: sky.ratio, isFixed: isCarrierFixed, hasVelocity: estimator.isAided,
                scatter: estimator.scatter, slowError: estimator.slowError, leap: estimator.leap,
                strayed: spread.squared.squareRoot(), forecastError: estimator.forecastError, cycle: cycle ?? 1),
            age: instant.seconds(since: newest), speed: rest == nil ? estimator.velocity.length : nil,
            hidden: max((shown - ahead.position).length + hidden, rival))
    }

    // MARK: The plane

    private func planar(_ coordinate: Coordinate) -> PlaneVector {
        let p = plane.project(coordinate)
        return PlaneVector(east: p.east, north: p.north)
    }

    private mutating func recentre(on fix: Fix) {
        guard planar(fix.coordinate).length > plane.reach else { return }
        let old = plane
        plane = LocalPlane(origin: fix.coordinate)
        let change = PlaneChange(from: old, to: plane, about: estimator.position)
        estimator.move(by: change)
        rest?.move(by: change)
        spread.move(by: change)
        recent.move(by: change)
        correction?.move(by: change)
        course.turn(by: change.turn)
    }
}

extension LocalPlane {
    func unproject(_ place: PlaneVector) -> Coordinate { unproject(east: place.east, north: place.north) }
}

extension Fix {
    /// Below this speed, m/s, a course is meaningless, and the velocity is zero: receivers repeat their last course.
    private static let directionless = 0.05

    /// Its velocity in the plane, m/s; nil if it has none with a direction.
    func velocity(in plane: LocalPlane) -> PlaneVector? {
        guard let speed, speed.isFinite else { return nil }
        if speed < Fix.directionless { return .zero }
        guard let course else { return nil }
        return PlaneVector(length: speed, direction: course.turned(by: plane.convergence(at: coordinate)))
    }
}
