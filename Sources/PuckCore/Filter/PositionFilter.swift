/// Turns fixes into steady motion: a causal filter, and the motion drawn between its fixes.
///
/// A pure value. It works on the host's monotonic instants alone, so neither clock steps nor a receiver's own time
/// disturb it; the same fixes give the same motion.
public struct PositionFilter: Sendable {
    /// Seconds between the frames of a usual screen.
    public static let usualFrameInterval = 1.0 / 60

    private let parameters: FilterParameters
    private let accuracyModel: AccuracyModel
    /// The track since the first fix, if there was one. It is an array because reading from an optional would copy
    /// its content: two kilobytes for each frame.
    private var track: ContiguousArray<Track> = []
    /// The receiver's usual time between fixes, s; nil before the second fix.
    public var cycle: Double? { track.isEmpty ? nil : track[0].cycle }

    /// A filter for a kind of vehicle. `accuracyFloor` is the smallest 95 % radius ever reported, metres.
    public init(profile: Profile, accuracyFloor: Double) {
        self.init(parameters: FilterParameters(profile: profile), accuracyFloor: accuracyFloor)
    }

    init(parameters: FilterParameters, accuracyFloor: Double) {
        self.parameters = parameters
        accuracyModel = AccuracyModel(parameters.accuracy, floor: accuracyFloor)
    }

    /// Takes a fix. `now` is the time of the call, if later than the fix's arrival: the drawn motion continues from
    /// there.
    public mutating func update(_ fix: Fix, at now: Instant? = nil) -> FilterOutcome {
        let fix = fix.withoutNonsense
        guard track.isEmpty else { return track[0].take(fix, at: max(now ?? fix.arrival, fix.arrival)) }
        track = [Track(fix, parameters)]
        return .jumped
    }

    /// The motion to show at an instant, extrapolated from the estimate; nil before the first fix.
    ///
    /// `frameInterval` is how long it will be shown, in seconds: corrections are applied smoothly if frames come fast
    /// enough to show a motion, and at once otherwise (as with one frame for each fix).
    public func motion(at instant: Instant, frameInterval: Double = usualFrameInterval) -> Motion? {
        track.isEmpty ? nil : track[0].motion(at: instant, frameInterval: frameInterval, accuracyModel)
    }

    /// Forgets everything, as for another receiver.
    public mutating func reset() {
        track = []
    }
}

extension Fix {
    /// The fix without invalid figures: whatever arrives, no state of the filter becomes NaN.
    fileprivate var withoutNonsense: Fix {
        var fix = self
        fix.speed = speed.flatMap { $0 >= 0 && $0 <= Fix.fastest ? $0 : nil }
        fix.accuracy = accuracy.flatMap { $0 > 0 && $0 <= Fix.leastAccurate ? $0 : nil }
        return fix
    }

    /// The greatest speed, m/s: a spacecraft in a low orbit has 7,800.
    private static let fastest = 10_000.0
    /// An error estimate over this, m, is unknown: half the Earth's circumference.
    private static let leastAccurate = 2e7
}
