/// How far the estimate wanders while the receiver stands still. The receiver is at one place, so all of the wander
/// is error, whatever the receiver reports.
struct StandingSpread: Hashable, Sendable {
    /// Constants.
    struct Parameters: Hashable, Sendable {
        /// The spread is the mean of this many seconds at rest.
        var memory = 600.0
        /// While moving, it is forgotten with this time constant, s: the sky differs elsewhere.
        var forgetting = 60.0
    }

    private let parameters: Parameters
    private var centre = PlaneVector.zero
    /// Seconds at rest that the centre, and the spread, were learnt from.
    private var stood = 0.0
    private var learnt = 0.0
    /// Mean square distance of the estimate from its mean while at rest, m².
    private(set) var squared = 0.0

    init(_ parameters: Parameters) { self.parameters = parameters }

    /// Takes the estimate, m, `interval` seconds after the last.
    mutating func take(_ estimate: PlaneVector, isStill: Bool, interval: Double) {
        guard isStill else {
            stood = 0
            let left = exp(-interval / parameters.forgetting)
            squared *= left
            learnt *= left
            return
        }
        if stood == 0 { centre = estimate }
        stood = min(parameters.memory, stood + interval)
        learnt = min(parameters.memory, learnt + interval)
        let distance = (estimate - centre).lengthSquared
        centre += min(1, interval / stood) * (estimate - centre)
        squared += min(1, interval / learnt) * (distance - squared)
    }

    /// Continues at another place, and keeps the wander seen so far.
    mutating func leave() { stood = 0 }

    /// Moves with the plane's origin.
    mutating func move(by change: PlaneChange) { centre = change.place(centre) }
}
