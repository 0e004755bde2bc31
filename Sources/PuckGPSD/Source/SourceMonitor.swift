import PuckCore

/// What the receiver's end is doing, as events and the clock tell. A silent receiver sends nothing at all, so that
/// only the clock shows it: call `advance(to:)` at `deadline`. Only the monotonic clock counts. Each change of state,
/// receiver or reason is returned once; what changes by the second (satellites, driver) so often and no more.
public struct SourceMonitor: Sendable {
    /// Seconds of silence after which a receiver is lost, by default.
    public static let defaultTimeout = 30.0
    /// Seconds in which a gpsd or a receiver that has just come may find itself before `no-device`, `no-data` or
    /// `no-fix` is told of it: a restart is then one change, not four.
    static let grace = 2.5
    /// Seconds for which a fix has to stay 2D or 3D until that is told as a change: some receivers flap.
    static let modeHold = 5.0
    /// Seconds between two tellings of what changes by the second: satellites, how the fix came about, the driver.
    static let detailInterval = 2.0
    /// Seconds that gpsd must be away before another reason for it is told: a restart is then one change.
    static let reasonHold = 60.0

    /// What it is doing now.
    public private(set) var status: SourceStatus

    private static let untried = "not connected to gpsd yet"
    private let timeout: Double
    private var lastAdvance: Instant
    private var isConnected = false
    private var hasReceiver = false
    /// The receiver in use or waited for, and the one that was told last.
    private var receiver: DeviceInfo?
    private var told: DeviceName?
    /// What was told last beside it, and when.
    private var toldReason: String? = SourceMonitor.untried
    private var toldDetails = Details()
    private var detailsTold: Instant?
    /// Why gpsd can't be reached.
    private var failure: String?
    /// Until when what has just come may find itself.
    private var graceEnd: Instant?
    /// Seconds of silence in which the receiver misses two cycles.
    private var silence = Rhythm().silence
    private var lastHeard: Instant?
    private var lastFix: Instant?
    private var lastThreeDimensional: Instant?
    /// How a fix that is no ordinary one came about, and when that was last said: not each report of an epoch says it.
    private var special: (status: FixStatus, at: Instant)?
    /// Since when the fix has been of another mode than is told.
    private var otherModeSince: Instant?

    /// gpsd is not connected yet.
    public init(timeout: Double = SourceMonitor.defaultTimeout, at now: Moment) {
        self.timeout = timeout
        status = SourceStatus(state: .noDaemon, since: now)
        status.reason = SourceMonitor.untried
        lastAdvance = now.monotonic
    }

    /// When the clock alone may change it.
    public var deadline: Instant? {
        guard isConnected else { return nil }
        var earliest: Instant?
        func consider(_ since: Instant?, _ seconds: Double) {
            guard let end = since?.advanced(by: seconds), end > lastAdvance else { return }
            earliest = earliest.map { min($0, end) } ?? end
        }
        consider(lastHeard, silence)
        consider(lastFix, silence)
        consider(lastThreeDimensional, silence)
        consider(lastHeard, max(timeout, silence))
        consider(otherModeSince, SourceMonitor.modeHold)
        consider(graceEnd, 0)
        if details != toldDetails, receiver?.name == told { consider(detailsTold, SourceMonitor.detailInterval) }
        return earliest
    }

    /// gpsd is connected.
    public mutating func connected(at now: Moment) -> SourceStatus? {
        isConnected = true
        forgetReceiver()
        beginGrace(now)
        return advance(to: now)
    }

    /// gpsd is not connected, or could not be.
    public mutating func disconnected(reason: String, at now: Moment) -> SourceStatus? {
        isConnected = false
        hasReceiver = false
        receiver = nil
        failure = reason
        forgetReceiver()
        return advance(to: now)
    }

    /// Which receiver is used or waited for, and whether gpsd has any open.
    public mutating func use(_ receiver: DeviceInfo?, hasReceiver: Bool, at now: Moment) -> SourceStatus? {
        let isOther = receiver?.name != self.receiver?.name
        if hasReceiver, isOther || !self.hasReceiver { beginGrace(now) }
        if isOther { forgetReceiver() }
        self.hasReceiver = hasReceiver
        self.receiver = receiver
        return advance(to: now)
    }

    /// The receiver in use said something; it misses two cycles when it is silent for `silence` seconds.
    public mutating func heard(_ report: Report, silence: Double, at now: Moment) -> SourceStatus? {
        let instant = now.monotonic
        self.silence = silence
        lastHeard = instant
        switch report {
        case .position(let position) where position.mode.hasFix:
            lastFix = instant
            if position.mode == .threeDimensional { lastThreeDimensional = instant }
            if position.status != .normal { special = (position.status, instant) }
        case .sky(let sky):
            status.satellitesUsed = sky.used ?? status.satellitesUsed
            status.satellitesVisible = sky.visible ?? status.satellitesVisible
        default: break
        }
        return advance(to: now)
    }

    /// A heading that gpsd does not pass on, by its sentence; nil: there is none.
    public mutating func report(unreadHeading: String?) { status.unreadHeading = unreadHeading }

    /// Time has gone on.
    public mutating func advance(to now: Moment) -> SourceStatus? {
        lastAdvance = now.monotonic
        guard let state = state(at: now.monotonic) else { return nil }
        let mode = mode(in: state, at: now.monotonic)
        status.reason = reason(for: state)
        status.driver = receiver?.driver
        status.fixStatus = state == .fix ? fixStatus(at: now.monotonic) : nil
        let isChanged =
            state != status.state || mode != status.fix || receiver?.name != told || hasOtherReason(at: now.monotonic)
        guard isChanged || isTimeForDetails(at: now.monotonic) else { return nil }
        toldReason = status.reason
        toldDetails = details
        detailsTold = now.monotonic
        if state != status.state { status.since = now }
        status.state = state
        status.fix = mode
        status.device = receiver?.name == .unnamed ? nil : receiver?.name
        told = receiver?.name
        return status
    }

    // MARK: what it comes to

    /// What changes by the second.
    private struct Details: Hashable {
        var used: Int?
        var visible: Int?
        var fixStatus: FixStatus?
        var driver: String?
        var unreadHeading: String?
    }

    private var details: Details {
        Details(
            used: status.satellitesUsed, visible: status.satellitesVisible, fixStatus: status.fixStatus,
            driver: status.driver, unreadHeading: status.unreadHeading)
    }

    /// Whether gpsd can't be reached for another reason than was told: the first at once.
    private func hasOtherReason(at now: Instant) -> Bool {
        guard status.state == .noDaemon, status.reason != toldReason else { return false }
        return toldReason == SourceMonitor.untried
            || now >= status.since.monotonic.advanced(by: SourceMonitor.reasonHold)
    }

    private func isTimeForDetails(at now: Instant) -> Bool {
        // Those of another receiver are told with its name.
        guard details != toldDetails, receiver?.name == told else { return false }
        return detailsTold.map { now >= $0.advanced(by: SourceMonitor.detailInterval) } ?? true
    }

    private func fixStatus(at now: Instant) -> FixStatus? {
        guard let special, now < special.at.advanced(by: silence) else { return nil }
        return special.status
    }

    private mutating func beginGrace(_ now: Moment) { graceEnd = now.monotonic.advanced(by: SourceMonitor.grace) }

    private mutating func forgetReceiver() {
        lastHeard = nil
        lastFix = nil
        lastThreeDimensional = nil
        special = nil
        otherModeSince = nil
        silence = Rhythm().silence
        status.satellitesUsed = nil
        status.satellitesVisible = nil
    }

    /// The state; nil while what has just come may still find itself, and what was told stands.
    private func state(at now: Instant) -> SourceState? {
        guard isConnected else { return .noDaemon }
        let isInGrace = graceEnd.map { now < $0 } ?? false
        guard hasReceiver else { return isInGrace && status.state == .noDaemon ? nil : .noDevice }
        guard let lastHeard else { return isInGrace ? nil : .noData }
        if now >= lastHeard.advanced(by: max(timeout, silence)) { return .lost }
        if now >= lastHeard.advanced(by: silence) { return .stale }
        if let lastFix, now < lastFix.advanced(by: silence) { return .fix }
        return isInGrace ? nil : .noFix
    }

    /// The mode to tell with a state: that of the last fix; none where there is none.
    private mutating func mode(in state: SourceState, at now: Instant) -> FixMode? {
        guard state == .fix else {
            otherModeSince = nil
            return state == .noFix ? FixMode.none : state == .stale || state == .lost ? status.fix : nil
        }
        let isThreeDimensional = lastThreeDimensional.map { now < $0.advanced(by: silence) } ?? false
        let mode: FixMode = isThreeDimensional ? .threeDimensional : .twoDimensional
        guard status.state == .fix, let told = status.fix, told != mode else {
            otherModeSince = nil
            return mode
        }
        let since = otherModeSince ?? now
        otherModeSince = since
        guard now >= since.advanced(by: SourceMonitor.modeHold) else { return told }
        otherModeSince = nil
        return mode
    }

    private func reason(for state: SourceState) -> String? {
        switch state {
        case .noDaemon: failure ?? SourceMonitor.untried
        case .noDevice: "gpsd has no receiver open"
        case .noData: "the receiver sends nothing"
        case .noFix: "the receiver has no fix"
        case .fix: nil
        case .stale: "the receiver has been silent for two cycles"
        case .lost: "the receiver has been silent past the time-out"
        }
    }
}
