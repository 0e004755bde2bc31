/// Turns fixes into steady motion: a causal filter, and what is drawn between its fixes.
///
/// A pure value. It works on the host's monotonic instants alone, so neither clock steps nor a receiver's own time
/// disturb it; the same fixes give the same motion.
public struct PositionFilter: Sendable {
    /// Seconds between the frames of a usual screen.
    public static let usualFrameInterval = 1.0 / 60

    private let parameters: FilterParameters
    private let accuracyModel: AccuracyModel
    /// The track since the first fix, where there was one. An array, since what an optional holds is copied to be asked:
    /// two kilobytes for each frame.
    private var track: ContiguousArray<Track> = []
    /// The receiver's usual time between fixes, s; nil before the second fix.
    public var cycle: Double? { track.isEmpty ? nil : track[0].cycle }

    /// A filter for what carries the receiver. `accuracyFloor` is the least 95 % radius ever told, metres.
    public init(profile: Profile, accuracyFloor: Double) {
        self.init(parameters: FilterParameters(profile: profile), accuracyFloor: accuracyFloor)
    }

    init(parameters: FilterParameters, accuracyFloor: Double) {
        self.parameters = parameters
        accuracyModel = AccuracyModel(parameters.accuracy, floor: accuracyFloor)
    }

    /// Takes a fix. `now` is when it is handed over, if later than its arrival: what is drawn goes on from there.
    public mutating func update(_ fix: Fix, at now: Instant? = nil) -> FilterOutcome {
        let fix = fix.withoutNonsense
        guard track.isEmpty else { return track[0].take(fix, at: max(now ?? fix.arrival, fix.arrival)) }
        track = [Track(fix, parameters)]
        return .jumped
    }

    /// What is shown at an instant: the estimate carried forward to it. nil before the first fix.
    ///
    /// `frameInterval` is how long that will be shown, in seconds: corrections are worked in smoothly where frames come
    /// fast enough for a motion to be seen, and at once where they do not (as with one frame a fix).
    public func motion(at instant: Instant, frameInterval: Double = usualFrameInterval) -> Motion? {
        track.isEmpty ? nil : track[0].motion(at: instant, frameInterval: frameInterval, accuracyModel)
    }

    /// Forgets everything, as for another receiver.
    public mutating func reset() {
        track = []
    }
}

extension Fix {
    /// The fix without figures that are none: whatever comes in, no state of the filter becomes NaN.
    fileprivate var withoutNonsense: Fix {
        var fix = self
        fix.speed = speed.flatMap { $0 >= 0 && $0 <= Fix.fastest ? $0 : nil }
        fix.accuracy = accuracy.flatMap { $0 > 0 && $0 <= Fix.leastAccurate ? $0 : nil }
        return fix
    }

    /// No receiver of ours goes faster, m/s: a spacecraft in a low orbit does 7,800.
    private static let fastest = 10_000.0
    /// An error estimate beyond this, m, is none: half round the Earth.
    private static let leastAccurate = 2e7
}
