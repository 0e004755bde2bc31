// The puck of a placed location.
extension PlacedMotion {
    /// The state at an instant; nil once the location is removed. A moving location ages like a receiver's position;
    /// one at rest is live until it is moved.
    func state(at now: Instant, _ freshness: Freshness) -> PuckState? {
        guard placement.isMoving else { return .live }
        return freshness.state(age: age(at: now), live: liveUntil)
    }

    /// When the state next changes, after `now`; nil if it does not change.
    func nextChange(after now: Instant, _ freshness: Freshness) -> Instant? {
        guard placement.isMoving, let change = freshness.nextChange(after: age(at: now), live: liveUntil) else {
            return nil
        }
        // One nanosecond late, so that rounding cannot call this before the state has changed.
        return instant.advanced(by: change).advanced(byNanoseconds: 1)
    }

    /// The instant whose position is drawn at `now`: the location is extrapolated for a limited time. `staleAfter`:
    /// seconds after which a client wants it held, if sooner.
    func shown(at now: Instant, _ freshness: Freshness, staleAfter: Double? = nil) -> Instant {
        guard placement.isMoving else { return now }
        let held = min(freshness.predictedUntil(live: liveUntil), staleAfter ?? .infinity)
        return min(max(now, instant), instant.advanced(by: held))
    }

    /// The puck at a moment; nil once it is removed. The other arguments are those of `Positioning.precisePuck`.
    func puck(
        at moment: Moment, bearing preference: BearingPreference, staleAfter: Double?, frameInterval: Double,
        settings: Pipeline.Settings
    ) -> Puck? {
        let now = moment.monotonic
        guard var state = state(at: now, settings.freshness) else { return nil }
        if placement.isMoving, let staleAfter, age(at: now) >= staleAfter { state = .stale }
        let reading = motion(
            at: shown(at: now, settings.freshness, staleAfter: staleAfter), frameInterval: frameInterval,
            accuracyFloor: settings.accuracyFloor)
        var puck = Puck(
            state: state, accuracyMode: .precise, coordinate: reading.coordinate, accuracy: reading.accuracy)
        puck.altitude = placement.altitude
        puck.altitudeMSL = placement.altitudeMSL
        puck.altitudeAccuracy = placement.altitudeAccuracy
        if state != .stale {
            puck.speed = reading.speed
            puck.course = reading.course
        }
        puck.drawnCourse = reading.drawnCourse
        puck.heading = reading.heading
        if reading.heading != nil { puck.northReference = .true }
        puck.headingAccuracy = placement.heading == nil ? nil : placement.attitude.headingAccuracy
        puck.pitch = placement.attitude.pitch
        puck.roll = placement.attitude.roll
        puck.point(by: reading, preference)
        puck.stationary = placement.speed.map { $0 == 0 }
        puck.fixTime = moment.at(instant).utc
        puck.age = age(at: now)
        return puck
    }

    private func age(at now: Instant) -> Double { max(0, now.seconds(since: instant)) }
}

extension Puck {
    /// Shows an attitude that was placed without a position instead of the location's own.
    mutating func show(_ reading: BearingReading, tilt: PlacedTilt?, _ preference: BearingPreference) {
        if let heading = reading.heading {
            self.heading = heading
            headingAccuracy = reading.headingAccuracy
            northReference = reading.northReference
            if preference == .auto || preference == .heading { show((heading, .heading)) }
        }
        pitch = tilt?.pitch ?? pitch
        roll = tilt?.roll ?? roll
    }

    /// Sets the arrow's bearing.
    fileprivate mutating func point(by reading: PlacedReading, _ preference: BearingPreference) {
        let course: (Direction?, BearingSource) = (reading.drawnCourse, reading.course == nil ? .held : .course)
        let heading: (Direction?, BearingSource) = (reading.heading, .heading)
        switch preference {
        case .none: break
        case .heading: show(heading)
        case .course: show(course)
        case .auto: show(reading.heading == nil ? course : heading)
        }
    }

    private mutating func show(_ arrow: (direction: Direction?, source: BearingSource)) {
        guard let direction = arrow.direction else { return }
        bearing = direction
        bearingSource = arrow.source
    }
}
