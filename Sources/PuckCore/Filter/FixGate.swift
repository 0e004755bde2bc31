/// Tells false fixes from a new place: a fix far from the prediction is left out, until others agree with it.
struct FixGate: Hashable, Sendable {
    /// Its constants.
    struct Parameters: Hashable, Sendable {
        /// A fix is suspect beyond this many standard deviations of the innovation. (measured)
        var deviations = 5.0
        /// And beyond this distance, m, where velocity is measured. (measured)
        var floor = 6.0
        /// And beyond this distance, m, where only positions are. (measured)
        var floorUnaided = 12.0
        /// The gate opens by this much, m/s, while no fix passes it.
        var opening = 2.0
        /// A new place is taken after this many fixes in a row that agree with each other.
        var agreeing = 4
        /// And after this many seconds, so that a fast receiver's burst of false fixes does not pass. (bursts of three are
        /// common at any rate)
        var agreeingTime = 2.5
        /// After a gap of this many seconds, a new place is likely.
        var gap = 4.0
        /// And is taken after this many fixes that agree. (P7)
        var agreeingAfterGap = 3
        /// Fixes agree where they move apart from the prediction by less than this, m/s …
        var agreement = 5.0
        /// … or by less than this share of the distance.
        var agreementShare = 0.1
        /// A refusal that lasts longer than this, s, ends whether they agree or not.
        var patience = 10.0
        /// A receiver that wakes settles: in the first seconds …
        var grace = 6.0
        /// … this many fixes that agree are a new place, …
        var agreeingAtStart = 2
        /// … over this many seconds.
        var agreeingTimeAtStart = 0.9
    }

    /// What to do with a fix.
    enum Verdict: Hashable, Sendable {
        /// Within the gate.
        case passes
        /// Outside it.
        case suspect
        /// Outside it, and one of several that agree.
        case newPlace
    }

    private struct Suspect: Hashable, Sendable {
        var instant: Instant
        var innovation: PlaneVector
    }

    private var parameters: Parameters
    private var started: Instant
    private var passed: Instant
    private var count = 0
    private var first: Suspect?
    private var last: Suspect?
    /// When the present run of fixes that agree began, and how many they are.
    private var runStart: Instant?
    private var run = 0

    init(_ parameters: Parameters, start: Instant) {
        self.parameters = parameters
        started = start
        passed = start
    }

    /// Whether it is so early that nothing is left out.
    func isSettling(at instant: Instant) -> Bool { instant.seconds(since: started) < parameters.grace }

    /// Whether the fix before was left out.
    var isRefusing: Bool { count > 0 }

    /// Judges a fix by its innovation (m) and that innovation's variance along one axis (m²), `interval` seconds after
    /// the fix before.
    mutating func judge(
        innovation: PlaneVector, variance: Double, at instant: Instant, interval: Double, unaided: Bool
    ) -> Verdict {
        let floor = unaided ? parameters.floorUnaided : parameters.floor
        let waited = max(0, instant.seconds(since: passed) - interval)
        let limit = max(parameters.deviations * variance.squareRoot(), floor) + parameters.opening * waited
        if innovation.length <= limit {
            pass(at: instant)
            return .passes
        }
        note(Suspect(instant: instant, innovation: innovation))
        let afterGap = (runStart ?? instant).seconds(since: passed) > parameters.gap && interval < parameters.gap
        let lasted = instant.seconds(since: runStart ?? instant)
        let agree =
            if isSettling(at: instant) {
                run >= parameters.agreeingAtStart && lasted >= parameters.agreeingTimeAtStart
            } else if afterGap {
                run >= parameters.agreeingAfterGap
            } else {
                run >= parameters.agreeing && (unaided || lasted >= parameters.agreeingTime)
            }
        let outOfPatience = instant.seconds(since: first?.instant ?? instant) > parameters.patience
        guard agree || (outOfPatience && count >= parameters.agreeing) else { return .suspect }
        pass(at: instant)
        return .newPlace
    }

    /// Takes a fix as it stands.
    mutating func pass(at instant: Instant) {
        passed = instant
        count = 0
        run = 0
        first = nil
        last = nil
        runStart = nil
    }

    private mutating func note(_ suspect: Suspect) {
        if let last {
            let step = (suspect.innovation - last.innovation).length
            let seconds = suspect.instant.seconds(since: last.instant)
            let limit = max(parameters.agreement, parameters.agreementShare * suspect.innovation.length)
            if step <= limit * max(1, seconds) {
                run += 1
            } else {
                run = 1
                runStart = suspect.instant
            }
        } else {
            first = suspect
            run = 1
            runStart = suspect.instant
        }
        count += 1
        last = suspect
    }
}
