/// Where the puck is shown while it stands still. The place rests; the estimate goes on underneath, and moves the place
/// when it has left it.
struct Rest: Hashable, Sendable {
    /// Its constants. (chosen on the 36 tracks of docs/quality.md)
    struct Parameters: Hashable, Sendable {
        /// The estimate may be this far from the place, m, …
        var floor = 0.1
        /// … or this many times the scatter of its fixes beyond a usual one, m.
        var scatterShare = 2.0
        var usualScatter = 2.0
        /// But no farther than this, m.
        var most = 30.0
        /// After this many seconds, and some more, …
        var settled = 45.0
        var settling = 5.0
        /// … it may also wander by this many times the receiver's error estimate, …
        var wanderShare = 1.7
        /// … up to this, m; and by this, m, where it gives none.
        var wanderMost = 8.0
        var wanderUnknown = 0.3
        /// Doubt widens the leash at most this many times.
        var mostDoubt = 8.0
        /// The place moves when the estimate has been off for this many seconds, and one more for each metre of scatter, up to …
        var patience = 0.5
        var mostPatience = 10.0
        /// While it is off, and the scatter is over this, m, …
        var calm = 2.5
        /// … it must stay within this share of the leash, or this distance, m, of itself …
        var agreement = 0.5
        var leastAgreement = 1.0
        /// … for at most this many seconds.
        var longest = 30.0
        /// Time constant, s, with which a distance between the two is forgotten.
        var hiddenMemory = 120.0
        /// The new place is the mean of the last seconds.
        var mean = 5.0
    }

    /// What is known of the receiver.
    struct Receiver: Hashable, Sendable {
        /// Its own error estimate, m.
        var accuracy: Double?
        /// Scatter of its fixes along one axis, m.
        var scatter: Double
        /// How much less than usual it can be believed, from 1.
        var doubt: Double
        /// Whether it has been in use for long, or has moved: one that was just started settles.
        var isSettled: Bool
    }

    private let parameters: Parameters
    private var stood = 0.0
    private var off = 0.0
    private var agreeing = 0.0
    private var elsewhere = PlaneVector.zero
    /// How far the estimate has lately been from the place, m: never less than it is, and slow to shrink, so that a circle
    /// that holds it rests too.
    private(set) var hidden = 0.0
    /// Metres from the plane's origin.
    private(set) var place: PlaneVector

    init(at place: PlaneVector, _ parameters: Parameters) {
        self.parameters = parameters
        self.place = place
    }

    /// Looks at the estimate, m, `interval` seconds after the last.
    mutating func watch(_ estimate: PlaneVector, interval: Double, receiver: Receiver) {
        stood += interval
        defer { hidden = max((estimate - place).length, hidden * exp(-interval / parameters.hiddenMemory)) }
        let leash = leash(receiver)
        guard (estimate - place).length > leash else {
            off = 0
            agreeing = 0
            return
        }
        let isCalm = receiver.scatter < parameters.calm
        let near = isCalm ? .infinity : max(parameters.leastAgreement, parameters.agreement * leash)
        off += interval
        if agreeing > 0, (estimate - elsewhere).length > near, off < parameters.longest { agreeing = 0 }
        elsewhere =
            agreeing == 0
            ? estimate
            : elsewhere + min(1, interval / min(agreeing + interval, parameters.mean)) * (estimate - elsewhere)
        agreeing += interval
        let patience = parameters.patience + min(parameters.mostPatience, receiver.scatter)
        if agreeing > patience { seat(at: elsewhere) }
    }

    /// Moves the place at once.
    mutating func seat(at place: PlaneVector) {
        self.place = place
        off = 0
        agreeing = 0
        hidden = 0
    }

    /// Moves with the plane's origin.
    mutating func move(by change: PlaneChange) {
        place = change.place(place)
        elsewhere = change.place(elsewhere)
    }

    private func leash(_ receiver: Receiver) -> Double {
        let scattered = parameters.scatterShare * max(0, receiver.scatter - parameters.usualScatter)
        let close = max(parameters.floor, scattered)
        let wander = receiver.accuracy.map { parameters.wanderShare * $0 } ?? parameters.wanderUnknown
        let over = receiver.isSettled ? max(0, stood - parameters.settled) / parameters.settling : 0
        let grown = (1 - exp(-over * over)) * min(parameters.wanderMost, wander)
        return min(parameters.most, close * min(receiver.doubt, parameters.mostDoubt) + grown)
    }
}
