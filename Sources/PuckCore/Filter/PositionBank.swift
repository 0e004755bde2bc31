/// Rival estimates of the position, and their mean, in which each is weighted by how well it forecast the recent
/// fixes.
///
/// Each member moves on with the receiver's own velocity, and is corrected towards each fix with its own time
/// constant. The first has none: it is the newest fix, so the bank is hardly ever worse than the fixes. If positions
/// scatter, the slow members forecast best; if their errors are correlated, the fix does.
struct PositionBank: Hashable, Sendable {
    /// Constants. (chosen on the 36 tracks of docs/quality.md; the result is flat over a factor of four)
    struct Parameters: Hashable, Sendable {
        /// Time constants of the members, s.
        var timeConstants = [0, 0.4, 0.8, 1.5, 3, 6, 12, 25]
        /// How members are weighted.
        var contest = ForecastContest.Parameters(memory: 60, power: 60)
        /// The initial mean square forecast error, m².
        var expectedError = 9.0
        /// A fix counts less beyond this many of a member's usual innovations.
        var reach = 4.0
        /// Time constant, s, with which a member's usual innovation is learnt.
        var usualMemory = 10.0
        /// The fix itself leads by this much, as a logarithm, while nothing is known …
        var startAdvantage = 6.0
        /// … which is gone after this many seconds: a receiver that was just started slides to where it is.
        var startTime = 20.0
    }

    private struct Member: Hashable, Sendable {
        let timeConstant: Double
        var position: PlaneVector
        /// Variance of the position in units of the noise of one second of fixes.
        var variance = 1.0
        /// Mean square of its innovations, m².
        var usual = 25.0

        /// Corrects it by a fix of that noise, in units of one second's; `share` is how much it counts towards the usual.
        mutating func correct(
            by fix: PlaneVector, noise: Double, interval: Double, share: Double, reach: Double
        ) {
            let innovation = fix - position
            let squared = innovation.lengthSquared
            var gain = 1.0
            if timeConstant > 0 {
                variance += interval / (timeConstant * timeConstant)
                gain = variance / (variance + noise * max(1, squared / (reach * reach * usual)))
                variance *= 1 - gain
            }
            usual = max(0.01, usual + share * (min(squared, 9 * usual) - usual))
            position += gain * innovation
        }
    }

    private let parameters: Parameters
    private var members: [Member]
    private var contest: ForecastContest
    /// The weighted mean of the members, m from the plane's origin.
    private(set) var estimate: PlaneVector

    init(at position: PlaneVector, _ parameters: Parameters) {
        self.parameters = parameters
        members = parameters.timeConstants.map { Member(timeConstant: $0, position: position) }
        contest = ForecastContest(
            rivals: members.count, expected: parameters.expectedError, parameters.contest)
        estimate = position
    }

    /// The slowest member's position, m: the result of many seconds of fixes.
    var slowest: PlaneVector { members[members.count - 1].position }

    /// Puts every member at a position. Knowledge of the receiver is kept.
    mutating func restart(at position: PlaneVector) {
        for i in members.indices {
            members[i].position = position
            members[i].variance = 1
        }
        estimate = position
    }

    /// Carries every member on by `way`, m, over `interval` seconds without a fix that can be used.
    mutating func carry(by way: PlaneVector, interval: Double) {
        for i in members.indices {
            members[i].position += way
            members[i].variance += interval / (members[i].timeConstant * members[i].timeConstant + 1e-4)
        }
        estimate += way
    }

    /// Moves every member on by `way`, m, and corrects it by a fix `interval` seconds after the last. `doubt` is the
    /// receiver's error estimate as a multiple of its usual one.
    mutating func correct(by fix: PlaneVector, way: PlaneVector, interval: Double, doubt: Double) {
        for i in members.indices { members[i].position += way }
        contest.judge(interval: interval, doubt: doubt) { (fix - members[$0].position).lengthSquared }
        let share = 1 - exp(-interval / parameters.usualMemory)
        // Each fix of a fast receiver counts less, so that a time constant means the same at any rate.
        let noise = max(doubt, 0.5) * max(doubt, 0.5) / min(max(interval, 0.05), 1)
        for i in members.indices {
            members[i].correct(by: fix, noise: noise, interval: interval, share: share, reach: parameters.reach)
        }
        let lead = parameters.startAdvantage * max(0, 1 - contest.experience / parameters.startTime)
        contest.weigh { $0 == 0 ? lead : 0 }
        estimate = .zero
        for i in members.indices { estimate += contest.weights[i] * members[i].position }
    }

    /// Moves with the plane's origin.
    mutating func move(by change: PlaneChange) {
        for i in members.indices { members[i].position = change.place(members[i].position) }
        estimate = change.place(estimate)
    }
}
