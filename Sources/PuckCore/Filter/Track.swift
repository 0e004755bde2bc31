/// What the position filter knows, from its first fix on.
struct Track: Sendable {
    private let parameters: FilterParameters
    private var plane: LocalPlane
    private var model: SingerModel
    private var noise: PositionNoise
    private var gate: FixGate
    private var sky: SkyQuality
    private var leaps: LeapMemory
    private var standstill: StandstillDetector
    private var anchor: ParkingAnchor?
    private var recent: RecentPositions
    private var course: CourseHold
    private var correction: CorrectionBlend?
    /// When it began, or began anew after a gap.
    private var started: Instant
    /// When the newest fix was true.
    private var newest: Instant
    /// Share of late fixes that came with a velocity.
    private var velocityHabit: Double
    /// The newest fix's own error estimate, m.
    private var accuracy: Double?
    /// Whether it came with carrier phases fixed.
    private var isCarrierFixed: Bool
    /// Typical time between fixes, s.
    private(set) var cycle: Double?

    /// Beyond this distance from its origin, m, the plane is laid anew: its scale is then a part in ten thousand off.
    private static let planeReach = 20_000.0
    /// After this long without a fix, s, the next is taken as it stands. (measured)
    private static let longGap = 12.0
    /// A correction farther than this, m, is a jump, not a glide.
    private static let glideLimit = 60.0
    /// The same after a gap: a puck that was not seen to move may as well appear where it is. (m)
    private static let glideLimitAfterGap = 12.0
    /// What counts as such a gap, s.
    private static let shortGap = 3.0
    /// Standing still, as the model knows it.
    private static let stillness = (position: 1.0, velocity: 0.1, acceleration: 0.3)
    /// Standard deviation, m, of a first position along an axis, where the receiver does not say.
    private static let unknownDeviation = 5.0

    init(_ fix: Fix, _ parameters: FilterParameters) {
        self.parameters = parameters
        plane = LocalPlane(origin: fix.coordinate)
        newest = min(fix.instant, fix.arrival)
        started = newest
        accuracy = fix.accuracy
        isCarrierFixed = fix.status == .rtkFixed
        noise = PositionNoise(parameters.position)
        gate = FixGate(parameters.gate, start: newest)
        sky = SkyQuality(parameters.sky)
        leaps = LeapMemory(parameters.leaps)
        sky.update(fix.accuracy, interval: 0, isStill: false)
        standstill = StandstillDetector(parameters.standstill)
        recent = RecentPositions(memory: parameters.standstill.positionMemory)
        course = CourseHold(parameters.course)
        let velocity = fix.velocity(parameters.velocity)
        velocityHabit = velocity == nil ? 0 : 1
        model = Track.start(at: .zero, velocity: velocity, fix, parameters)
        followCourse()
    }

    private static func start(
        at position: PlaneVector, velocity: PlaneVector?, _ fix: Fix, _ parameters: FilterParameters
    ) -> SingerModel {
        let dynamics = parameters.dynamics
        let deviation = max(2, (fix.accuracy ?? 2 * unknownDeviation) / 2)
        let velocityDeviation = velocity == nil ? dynamics.velocityUnknown : dynamics.velocityMeasured
        return SingerModel(
            position: position, velocity: velocity ?? .zero,
            covariance: .init(
                position: deviation * deviation, velocity: velocityDeviation * velocityDeviation,
                acceleration: dynamics.accelerationUnknown * dynamics.accelerationUnknown))
    }

    // MARK: Taking fixes

    /// Takes a fix that is handed over at `now`.
    mutating func take(_ fix: Fix, at now: Instant) -> FilterOutcome {
        let instant = min(fix.instant, fix.arrival)
        let interval = instant.seconds(since: newest)
        guard interval > 0 else { return .refused(interval == 0 ? .repeated : .backwards) }
        recentre(on: fix)
        let before = drawn(at: now)
        newest = instant
        accuracy = fix.accuracy
        isCarrierFixed = fix.status == .rtkFixed
        var outcome = interval > Track.longGap ? takeAfterGap(fix, interval: interval) : take(fix, interval: interval)
        let after = predicted(at: now)
        let unheard = interval > max(Track.shortGap, 3 * (cycle ?? 0))
        let limit = unheard ? Track.glideLimitAfterGap : Track.glideLimit
        if outcome == .accepted, (before.position - after.position).length > limit { outcome = .jumped }
        correction = outcome == .jumped ? nil : CorrectionBlend(from: before, to: after, at: now, parameters.blend)
        return outcome
    }

    private mutating func take(_ fix: Fix, interval: Double) -> FilterOutcome {
        sky.update(fix.accuracy, interval: interval, isStill: standstill.isStill)
        let position = planar(fix.coordinate)
        let velocity = fix.velocity(parameters.velocity)
        velocityHabit += parameters.velocity.habitWeight * ((velocity == nil ? 0 : 1) - velocityHabit)
        cycle = cycle.map { $0 + 0.1 * (min(interval, 3 * $0) - $0) } ?? interval

        let unaided = velocity == nil && !isAided
        let dynamics = parameters.dynamics
        model.advance(
            by: interval, acceleration: unaided ? dynamics.accelerationUnaided : dynamics.acceleration,
            time: dynamics.correlation, wander: dynamics.wander)
        if anchor == nil { correctVelocity(by: fix, velocity) }
        let outcome = anchor == nil ? correctPosition(position, interval: interval, unaided: unaided) : .accepted
        watchStandstill(fix, at: position, velocity: velocity, interval: interval)
        followCourse()
        return outcome
    }

    /// Whether the receiver measures velocity.
    private var isAided: Bool { velocityHabit >= parameters.velocity.habit }

    private mutating func takeAfterGap(_ fix: Fix, interval: Double) -> FilterOutcome {
        let position = planar(fix.coordinate)
        let velocity = fix.velocity(parameters.velocity)
        recent.clear()
        gate = FixGate(parameters.gate, start: newest)
        if let anchor {
            let near = max(30, 4 * (fix.accuracy ?? 0))
            if (position - anchor.place).length < near {
                // It stands where it stood, or sets off: judged as after any other fix.
                watchStandstill(fix, at: position, velocity: velocity, interval: cycle ?? 1)
                followCourse()
                return .accepted
            }
        }
        leaveAnchor()
        if interval > parameters.anchor.settlingGap { started = newest }
        standstill.restart()
        model = Track.start(at: position, velocity: velocity, fix, parameters)
        followCourse()
        return .accepted
    }

    private mutating func correctVelocity(by fix: Fix, _ velocity: PlaneVector?) {
        let rules = parameters.velocity
        if let velocity {
            let innovation = velocity - model.velocity
            let variance = rules.variance(of: innovation, predicted: model.velocityVariance)
            model.correctVelocity(innovation: innovation, covariance: PlaneMatrix(diagonal: variance))
        } else if let speed = fix.speed, speed < rules.slowWithoutCourse {
            let deviation = max(rules.slowDeviation, speed)
            model.correctVelocity(
                innovation: .zero - model.velocity, covariance: PlaneMatrix(diagonal: deviation * deviation))
        } else if let speed = fix.speed {
            correctSpeed(by: speed)
        }
    }

    /// A speed without course corrects the velocity along its own direction, once that is known well enough.
    private mutating func correctSpeed(by speed: Double) {
        let length = model.velocity.length
        guard length > 2 * model.velocityVariance.squareRoot(), length > 0 else { return }
        let along = (1 / length) * model.velocity
        let innovation = (speed - length) * along
        let variance = parameters.velocity.variance(of: innovation, predicted: model.velocityVariance)
        model.correctVelocity(
            innovation: innovation,
            covariance: .along(along, variance, across: parameters.velocity.unmeasuredVariance))
    }

    private mutating func correctPosition(_ position: PlaneVector, interval: Double, unaided: Bool) -> FilterOutcome {
        let innovation = position - model.position
        let squared = innovation.lengthSquared
        let believed = noise.believed(unaided: unaided)
        let total = model.positionVariance + believed
        let settling = gate.isSettling(at: newest)
        let isReturning = gate.isRefusing
        leaps.update(squaredInnovation: squared, variance: total, interval: interval)
        switch gate.judge(
            innovation: innovation, variance: total, at: newest, interval: interval, unaided: unaided)
        {
        case .passes:
            // Where velocity is reckoned from positions, a leap of them must not be taken for a speed.
            if (settling || unaided) && squared > 25 * total || unaided && isReturning {
                model.loosenPosition(variance: max(squared, model.positionVariance))
            }
            noise.learn(squaredInnovation: squared, predicted: model.positionVariance, interval: interval)
            model.correctPosition(innovation: innovation, covariance: PlaneMatrix(diagonal: believed))
            return .accepted
        case .suspect:
            noise.learnRefused(squaredInnovation: squared, interval: interval)
            return .refused(.outlier)
        case .newPlace:
            model.position = position
            model.loosenPosition(variance: believed)
            if unaided {
                model.loosenVelocity(by: parameters.dynamics.velocityUnknown * parameters.dynamics.velocityUnknown)
            }
            return .jumped
        }
    }

    private mutating func watchStandstill(
        _ fix: Fix, at position: PlaneVector, velocity: PlaneVector?, interval: Double
    ) {
        recent.add(position, at: newest)
        let wasStill = standstill.isStill
        standstill.update(
            .init(
                velocity: velocity, speed: fix.speed, fromAnchor: position - (anchor?.place ?? model.position),
                scatter: anchor?.scatter ?? noise.deviation, spread: recent.spread(about: position, at: newest),
                doubt: sky.doubt, interval: interval))
        switch (wasStill, standstill.isStill) {
        case (false, true):
            let spread = recent.spread(about: position, at: newest)
            anchor = ParkingAnchor(at: model.position, spread: spread, parameters.anchor)
        case (true, false):
            leaveAnchor()
            model = Track.start(at: position, velocity: velocity, fix, parameters)
        default: break
        }
        if anchor != nil {
            anchor?.update(
                position, creep: interval * standstill.creep, interval: interval,
                trackAge: newest.seconds(since: started), doubt: sky.doubt)
            let still = Track.stillness
            model.halt(
                at: anchor?.shown ?? position,
                covariance: .init(
                    position: still.position, velocity: still.velocity, acceleration: still.acceleration))
        }
    }

    private mutating func leaveAnchor() {
        anchor = nil
        recent.clear()
    }

    private mutating func followCourse() {
        if anchor == nil {
            course.update(velocity: model.velocity, deviation: model.velocityVariance.squareRoot())
        } else {
            course.stop()
        }
    }

    // MARK: Drawing

    /// What is predicted at an instant, before corrections are worked in.
    private func predicted(at instant: Instant) -> Coasting.Point {
        if let anchor { return Coasting.Point(position: anchor.shown, velocity: .zero) }
        return parameters.coasting.point(of: model, age: instant.seconds(since: newest))
    }

    /// What is drawn at an instant, in the plane.
    private func drawn(at instant: Instant) -> Coasting.Point {
        let ahead = predicted(at: instant)
        return correction?.applied(to: ahead, at: instant, frameInterval: 0) ?? ahead
    }

    func motion(at instant: Instant, frameInterval: Double, _ accuracyModel: AccuracyModel) -> Motion {
        let ahead = predicted(at: instant)
        let point = correction?.applied(to: ahead, at: instant, frameInterval: frameInterval) ?? ahead
        let age = instant.seconds(since: newest)
        let still = anchor != nil
        let speed = ahead.velocity.length
        let speedDeviation = model.velocityVariance.squareRoot()
        let radius = accuracyModel.radius(
            sky: .init(
                accuracy: accuracy, ratio: sky.ratio, isFixed: isCarrierFixed, hasVelocity: isAided,
                leap: leaps.distance),
            variance: model.positionVariance,
            scatter: max(noise.variance, anchor?.scatterVariance ?? 0), age: age,
            speed: still ? nil : model.velocity.length)
        var motion = Motion(
            coordinate: plane.unproject(point.position), accuracy: radius, speed: speed,
            speedAccuracy: 2 * speedDeviation, stationary: still)
        motion.heldCourse = course.held
        if course.isBelieved, let held = course.held {
            motion.course = held
            motion.courseAccuracy = speed > 0 ? min(180, degrees(atan2(2 * speedDeviation, speed))) : 180
        }
        return motion
    }

    // MARK: The plane

    private func planar(_ coordinate: Coordinate) -> PlaneVector {
        let p = plane.project(coordinate)
        return PlaneVector(east: p.east, north: p.north)
    }

    private mutating func recentre(on fix: Fix) {
        guard planar(fix.coordinate).length > Track.planeReach else { return }
        let old = plane
        plane = LocalPlane(origin: fix.coordinate)
        func moved(_ place: PlaneVector) -> PlaneVector { planar(old.unproject(place)) }
        let shift = moved(model.position) - model.position
        model.position += shift
        anchor?.translate(by: shift)
        recent.translate(by: shift)
    }
}

extension LocalPlane {
    func unproject(_ place: PlaneVector) -> Coordinate { unproject(east: place.east, north: place.north) }
}

extension Fix {
    /// Its velocity in the plane, m/s; nil where it has none with a direction.
    func velocity(_ rules: FilterParameters.VelocityNoise) -> PlaneVector? {
        guard let speed, speed.isFinite else { return nil }
        if speed < rules.directionless { return .zero }
        guard let course else { return nil }
        return PlaneVector(length: speed, direction: course)
    }
}
