/// Distinguishes a false fix from a true leap: a fix far from its expected position is set aside until others agree
/// with it.
struct LeapGate: Hashable, Sendable {
    /// Constants. (chosen on the 36 tracks of docs/quality.md)
    struct Parameters: Hashable, Sendable {
        /// A fix is suspect beyond this many usual innovations. Flat from 6 to 9.
        var usuals = 6.0
        /// And beyond this distance, m, where velocity is measured. Flat from 6 to 30.
        var floor = 8.0
        /// And beyond this distance, m, where only positions are.
        var floorUnaided = 12.0
        /// And beyond this many of the receiver's own error estimates …
        var estimates = 2.0
        /// … which count up to this distance, m.
        var estimateLimit = 60.0
        /// A fix that passes is still a step beyond this many usual innovations …
        var stepUsuals = 4.0
        /// … and beyond this distance, m.
        var stepFloor = 4.0
        /// The first seconds after the start, in which …
        var startTime = 30.0
        /// … fixes up to this distance, m, pass: a receiver that was just started settles.
        var startFloor = 60.0
        /// This many fixes after the start pass, however far.
        var openAtStart = 3
        /// And after a gap.
        var openAfterGap = 1
        /// Without course, or after a position that was said again and again, a fix within this many times the speed × time
        /// of the last new one is no leap …
        var reach = 1.3
        /// … for a speed that may be this much higher, m/s, where the receiver gives none.
        var unknownSpeed = 5.0
        /// At most this many fixes in a row are set aside …
        var most = 3
        /// … or this many after a silence of so many seconds, in which it may have gone far …
        var mostAfterSilence = 2
        var silence = 4.0
        /// … and for less than this many seconds …
        var patience = 4.5
        /// … or if they say one position again and again on the move, for less than this many …
        var patienceWithRepeats = 10.0
        /// … but for at least this many, so that a fast receiver's burst of false fixes does not pass.
        var leastTime = 0.35
        /// Fixes that agree with each other to this share of the leap are believed after one, where …
        var agreement = 0.65
        /// … fewer than this many fixes passed since the start or a gap.
        var youth = 8
        /// A step that passed may be undone as a leap is, if it is longer than this, m.
        var undoFrom = 25.0
        /// A leap that was believed may be undone at once for this many seconds.
        var undoTime = 10.0
        /// Time constant, s, with which the usual innovation is learnt; and its first value, m.
        var memory = 15.0
        var firstUsual = 3.0
    }

    /// The verdict on a fix.
    enum Verdict: Hashable, Sendable {
        /// It fits.
        case passes
        /// It does not fit, and is set aside.
        case suspect
        /// It does not fit, but others agree: the receiver is there.
        case leap
    }

    /// A fix to check.
    struct Candidate: Hashable, Sendable {
        /// Its position, m.
        var position: PlaneVector
        /// Its expected position, m.
        var expected: PlaneVector
        /// The last fix that passed, m, and the seconds since.
        var last: PlaneVector
        var sinceLast: Double
        /// Whether its position is new.
        var news: SaidPosition.News
        /// The receiver's velocity now, m/s; nil if only positions are known.
        var velocity: PlaneVector?
        /// Its speed, m/s, if the receiver gives one; and the speed at the last fix.
        var speed: Double?
        var lastSpeed: Double
        /// The receiver's own error estimate, m.
        var accuracy: Double?
        /// Seconds since the fix before, of any kind.
        var interval: Double
        /// Seconds since the start.
        var age: Double
    }

    /// The position before a leap, extrapolated: the way back.
    private struct Abandoned: Hashable, Sendable {
        var position: PlaneVector
        var velocity: PlaneVector
        var age = 0.0
    }

    private let parameters: Parameters
    /// Root mean square innovation, m.
    private var usual: Double
    private var hasRestarted = false
    private var passes = 0
    private var abandoned: Abandoned?
    /// Leaps that returned, and leaps that lasted.
    private var falseLeaps = 0
    private var trueLeaps = 0
    /// The successive suspects: how many, for how many seconds, and the newest.
    private var suspects = 0
    private var waited = 0.0
    private var suspect = PlaneVector.zero
    private var agreeing = 0
    private var followsSilence = false

    init(_ parameters: Parameters) {
        self.parameters = parameters
        usual = parameters.firstUsual
    }

    /// The receiver's position according to several agreeing suspects, m; nil for fewer than two.
    var rivalPlace: PlaneVector? { agreeing >= 2 ? suspect : nil }

    /// Whether a fix at that distance from its expected position, m, is a step although it may pass: it or the one
    /// before is wrong.
    func isStep(distance: Double) -> Bool { distance > max(parameters.stepUsuals * usual, parameters.stepFloor) }

    /// Checks a fix.
    mutating func judge(_ candidate: Candidate) -> Verdict {
        let distance = (candidate.position - candidate.expected).length
        let limit = limit(for: candidate)
        let isBack = returnsToAbandoned(candidate, distance: distance, limit: limit)
        guard distance > limit else {
            pass(distance, candidate)
            // After repeats, the fixes before them do not show the receiver's position.
            if case .newAfter = candidate.news, distance > parameters.floor { return .leap }
            return .passes
        }
        let stays = addSuspect(candidate, distance: distance)
        if !isBack, !stays { return .suspect }
        abandoned = isBack ? nil : Abandoned(position: candidate.expected, velocity: candidate.velocity ?? .zero)
        trueLeaps += 1
        return .leap
    }

    /// Starts again, after a leap or a gap.
    mutating func restart(afterGap: Bool) {
        if afterGap { hasRestarted = true }
        passes = 0
        forgetSuspects()
    }

    /// Moves with the plane's origin.
    mutating func move(by change: PlaneChange) {
        if let left = abandoned {
            abandoned?.position = change.place(left.position)
            abandoned?.velocity = change.vector(left.velocity)
        }
        suspect = change.place(suspect)
    }

    private func limit(for candidate: Candidate) -> Double {
        if passes < (hasRestarted ? parameters.openAfterGap : parameters.openAtStart) { return .infinity }
        let floor = candidate.velocity == nil ? parameters.floorUnaided : parameters.floor
        var limit = max(parameters.usuals * usual, floor)
        if let accuracy = candidate.accuracy {
            limit = max(limit, min(parameters.estimates * accuracy, parameters.estimateLimit))
        }
        if candidate.age < parameters.startTime { limit = max(limit, parameters.startFloor) }
        return isWithinReach(candidate) ? .infinity : limit
    }

    /// Whether the receiver may have moved there, if the velocity does not show its path.
    private func isWithinReach(_ candidate: Candidate) -> Bool {
        var since = candidate.sinceLast
        if case .newAfter(let seconds) = candidate.news {
            since = seconds
        } else if candidate.velocity != nil {
            return false
        }
        let speed = candidate.speed ?? candidate.lastSpeed + parameters.unknownSpeed
        let reach = parameters.reach * speed * since + max(3 * usual, 5)
        return (candidate.position - candidate.last).length <= reach
    }

    /// Whether the fix is back at the position before an accepted leap.
    private mutating func returnsToAbandoned(_ candidate: Candidate, distance: Double, limit: Double) -> Bool {
        guard var place = abandoned else { return false }
        place.position += candidate.interval * (candidate.velocity ?? place.velocity)
        place.age += candidate.interval
        abandoned = place.age > parameters.undoTime ? nil : place
        return abandoned != nil && distance > limit && (candidate.position - place.position).length < 0.5 * distance
    }

    private mutating func pass(_ distance: Double, _ candidate: Candidate) {
        if suspects > 0, candidate.news == .new { falseLeaps += 1 }
        forgetSuspects()
        passes += 1
        if distance > parameters.undoFrom {
            abandoned = Abandoned(position: candidate.expected, velocity: candidate.velocity ?? .zero)
        }
        let counted = min(distance, 4 * usual)
        let left = exp(-candidate.interval / parameters.memory)
        usual = max(0.01, left * usual * usual + (1 - left) * counted * counted).squareRoot()
    }

    private mutating func forgetSuspects() {
        suspects = 0
        agreeing = 0
        waited = 0
    }

    /// Counts a suspect; true if there are too many for a false one.
    private mutating func addSuspect(_ candidate: Candidate, distance: Double) -> Bool {
        if suspects > 0 {
            waited += candidate.interval
        } else {
            followsSilence = candidate.interval >= parameters.silence
        }
        let expected = suspect + candidate.interval * (candidate.velocity ?? .zero)
        let agrees = suspects > 0 && (candidate.position - expected).length < parameters.agreement * distance
        agreeing = agrees ? agreeing + 1 : 1
        suspects += 1
        suspect = candidate.position
        // A receiver whose leaps are usually true is accepted sooner, and so is one that has just started.
        let isYoung = passes < parameters.youth && agrees
        let usualMost = followsSilence ? parameters.mostAfterSilence : parameters.most
        let most = trueLeaps > falseLeaps + 1 || isYoung ? 1 : usualMost
        if candidate.news == .repeated { return waited >= parameters.patienceWithRepeats }
        return suspects > most && waited >= parameters.leastTime || waited >= parameters.patience
    }
}
