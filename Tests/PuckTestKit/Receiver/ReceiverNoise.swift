import PuckCore
import Glibc

/// How wrong the simulated receiver is.
public struct ReceiverNoise: Hashable, Sendable {
    /// Error that is new with each fix, metres: one standard deviation an axis.
    public var white: Double
    /// Error that wanders, metres: one standard deviation an axis. It is what receivers mostly have.
    public var correlated: Double
    /// How long it takes to wander, seconds.
    public var correlationTime: Double
    /// Error of the Doppler velocity, m/s: one standard deviation an axis.
    public var velocity: Double
    /// Error of a compass, degrees: one standard deviation.
    public var heading: Double

    /// A receiver's errors.
    public init(
        white: Double, correlated: Double, correlationTime: Double = 60, velocity: Double, heading: Double = 0.3
    ) {
        self.white = white
        self.correlated = correlated
        self.correlationTime = correlationTime
        self.velocity = velocity
        self.heading = heading
    }

    /// A receiver that is never wrong.
    public static let none = ReceiverNoise(white: 0, correlated: 0, velocity: 0, heading: 0)
    /// A common modern receiver under an open sky.
    public static let openSky = ReceiverNoise(white: 0.08, correlated: 0.9, velocity: 0.05)
    /// The same between houses.
    public static let city = ReceiverNoise(white: 0.4, correlated: 4, correlationTime: 25, velocity: 0.15)
}

/// The wandering error of one axis: a first-order Gauss-Markov process.
struct GaussMarkov: Hashable, Sendable {
    private var value: Double?

    /// The error `seconds` after the last one.
    mutating func advance(
        seconds: Double, deviation: Double, correlationTime: Double, random: inout SeededGenerator
    ) -> Double {
        let kept = value == nil ? 0 : exp(-max(0, seconds) / max(correlationTime, 1e-3))
        let next = kept * (value ?? 0) + (1 - kept * kept).squareRoot() * deviation * random.nextNormal()
        value = next
        return next
    }
}
