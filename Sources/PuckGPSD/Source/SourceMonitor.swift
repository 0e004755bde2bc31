import PuckCore

/// Derives the state of the receiver from events and the clock. A silent receiver sends nothing, so only the clock
/// reveals it: call `advance(to:)` at `deadline`. Only the monotonic clock counts. Each change of state, receiver or
/// reason is returned once; values that change every second (satellites, driver) are returned at a limited rate.
public struct SourceMonitor: Sendable {
    /// Seconds of silence after which a receiver is lost, by default.
    public static let defaultTimeout = 30.0
    /// Seconds that a new gpsd or receiver has to get ready before `no-device`, `no-data` or `no-fix` is reported: so
    /// a restart is one change, not four.
    static let grace = 2.5
    /// Seconds for which a fix must stay 2D or 3D before the change is reported: some receivers flap.
    static let modeHold = 5.0
    /// Minimum seconds between two reports of values that change every second: satellites, kind of fix, driver.
    static let detailInterval = 2.0
    /// Seconds that gpsd must be unreachable before a second reason is reported: so a restart is one change.
    static let reasonHold = 60.0

    /// The present state.
    public private(set) var status: SourceStatus

    private static let untried = "not connected to gpsd yet"
    private let timeout: Double
    private var lastAdvance: Instant
    private var isConnected = false
    private var hasReceiver = false
    /// The receiver in use or expected, and the last reported one.
    private var receiver: DeviceInfo?
    private var told: DeviceName?
    /// The other values of the last report, and its time.
    private var toldReason: String? = SourceMonitor.untried
    private var toldDetails = Details()
    private var detailsTold: Instant?
    /// The reason why gpsd cannot be reached.
    private var failure: String?
    /// Until when a new gpsd or receiver has time to get ready.
    private var graceEnd: Instant?
    /// Seconds of silence in which the receiver misses two cycles.
    private var silence = Rhythm().silence
    private var lastHeard: Instant?
    private var lastFix: Instant?
    private var lastThreeDimensional: Instant?
    /// The kind of a fix that is not an ordinary one, and the time of its last report: not every report of an epoch
    /// has it.
    private var special: (status: FixStatus, at: Instant)?
    /// Since when the fix has had another mode than the reported one.
    private var otherModeSince: Instant?

    /// gpsd is not connected yet.
    public init(timeout: Double = SourceMonitor.defaultTimeout, at now: Moment) {
        self.timeout = timeout
        status = SourceStatus(state: .noDaemon, since: now)
        status.reason = SourceMonitor.untried
        lastAdvance = now.monotonic
    }

    /// When the state may change with time alone.
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

    /// gpsd is not connected, or the connection failed.
    public mutating func disconnected(reason: String, at now: Moment) -> SourceStatus? {
        isConnected = false
        hasReceiver = false
        receiver = nil
        failure = reason
        forgetReceiver()
        return advance(to: now)
    }

    /// The receiver that is used or expected, and whether gpsd has an open one.
    public mutating func use(_ receiver: DeviceInfo?, hasReceiver: Bool, at now: Moment) -> SourceStatus? {
        let isOther = receiver?.name != self.receiver?.name
        if hasReceiver, isOther || !self.hasReceiver { beginGrace(now) }
        if isOther { forgetReceiver() }
        self.hasReceiver = hasReceiver
        self.receiver = receiver
        return advance(to: now)
    }

    /// The receiver in use has reported. It misses two cycles if it is silent for `silence` seconds.
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

    /// A heading that gpsd does not pass on, by its sentence; nil: none.
    public mutating func report(unreadHeading: String?) { status.unreadHeading = unreadHeading }

    /// Time has passed.
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

    // MARK: the resulting state

    /// The values that change every second.
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

    /// Whether gpsd cannot be reached for another reason than the reported one. The first reason is reported at once.
    private func hasOtherReason(at now: Instant) -> Bool {
        guard status.state == .noDaemon, status.reason != toldReason else { return false }
        return toldReason == SourceMonitor.untried
            || now >= status.since.monotonic.advanced(by: SourceMonitor.reasonHold)
    }

    private func isTimeForDetails(at now: Instant) -> Bool {
        // The values of another receiver are reported together with its name.
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

    /// The state; nil while a new gpsd or receiver gets ready, so that the reported state is kept.
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

    /// The mode to report with a state: that of the last fix; none without a fix.
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
