/// How far the estimate strays while the receiver stands still: it is at one place, so that is error, whatever the receiver
/// says of it.
struct StandingSpread: Hashable, Sendable {
    /// Its constants.
    struct Parameters: Hashable, Sendable {
        /// The spread is the mean of so many seconds at rest.
        var memory = 600.0
        /// On the move it is forgotten with this time constant, s: somewhere else the sky is another.
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

    /// Looks at the estimate, m, `interval` seconds after the last.
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

    /// Goes on at another place: what it strayed at the one before is not forgotten.
    mutating func leave() { stood = 0 }

    /// Moves with the plane's origin.
    mutating func move(by change: PlaneChange) { centre = change.place(centre) }
}
