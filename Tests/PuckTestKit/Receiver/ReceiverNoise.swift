import PuckCore
import Glibc

/// The errors of a simulated receiver.
public struct ReceiverNoise: Hashable, Sendable {
    /// The error that is new with each fix, in metres: one standard deviation for each axis.
    public var white: Double
    /// The error that drifts, in metres: one standard deviation for each axis. Most of a real receiver's error is of
    /// this kind.
    public var correlated: Double
    /// The correlation time of the drift in seconds; default 60.
    public var correlationTime: Double
    /// The error of the Doppler velocity in m/s: one standard deviation for each axis.
    public var velocity: Double
    /// The error of a compass in degrees: one standard deviation; default 0.3.
    public var heading: Double

    /// Creates a set of errors.
    public init(
        white: Double, correlated: Double, correlationTime: Double = 60, velocity: Double, heading: Double = 0.3
    ) {
        self.white = white
        self.correlated = correlated
        self.correlationTime = correlationTime
        self.velocity = velocity
        self.heading = heading
    }

    /// No errors.
    public static let none = ReceiverNoise(white: 0, correlated: 0, velocity: 0, heading: 0)
    /// A common modern receiver under an open sky.
    public static let openSky = ReceiverNoise(white: 0.08, correlated: 0.9, velocity: 0.05)
    /// The same receiver between buildings.
    public static let city = ReceiverNoise(white: 0.4, correlated: 4, correlationTime: 25, velocity: 0.15)
}

/// The drifting error of one axis: a first-order Gauss-Markov process.
struct GaussMarkov: Hashable, Sendable {
    private var value: Double?

    /// Returns the error `seconds` after the previous one.
    mutating func advance(
        seconds: Double, deviation: Double, correlationTime: Double, random: inout SeededGenerator
    ) -> Double {
        let kept = value == nil ? 0 : exp(-max(0, seconds) / max(correlationTime, 1e-3))
        let next = kept * (value ?? 0) + (1 - kept * kept).squareRoot() * deviation * random.nextNormal()
        value = next
        return next
    }
}
