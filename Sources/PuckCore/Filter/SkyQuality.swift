/// How much worse than usual the receiver's sky is, by its own error estimate: the estimate divided by the best that
/// it usually gives. The size of that estimate is unreliable; its changes are useful.
struct SkyQuality: Hashable, Sendable {
    /// Constants.
    struct Parameters: Hashable, Sendable {
        /// The usual figure rises towards worse ones with this time constant, s, and only on the move: while it stands in
        /// a bad place, the bad place does not become usual …
        var riseTime = 300.0
        /// … and falls towards better ones with this one, s.
        var fallTime = 20.0
        /// Greater ratios count as this.
        var worst = 3.3
        /// Doubt grows with this power of the ratio: large errors of velocity grow faster than errors of position.
        /// (measured)
        var severity = 1.5
    }

    private var parameters: Parameters
    private var usual: Double?
    /// The newest figure divided by the usual one; 1 if the receiver gives none.
    private(set) var ratio = 1.0

    init(_ parameters: Parameters) { self.parameters = parameters }

    /// How much more evidence a movement needs than under the usual sky, at least 1.
    var doubt: Double { ratio > 1 ? pow(min(parameters.worst, ratio), parameters.severity) : 1 }

    /// Takes a fix's own error estimate, m, `interval` seconds after the fix before.
    mutating func update(_ accuracy: Double?, interval: Double, isStill: Bool) {
        guard let accuracy, accuracy > 0, accuracy.isFinite else {
            ratio = 1
            return
        }
        let before = usual ?? accuracy
        let worse = accuracy > before
        let time = worse ? parameters.riseTime : parameters.fallTime
        let now = worse && isStill ? before : before + (1 - exp(-interval / time)) * (accuracy - before)
        usual = now
        ratio = accuracy / now
    }
}
