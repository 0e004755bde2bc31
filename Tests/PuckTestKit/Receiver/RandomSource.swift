import Glibc

/// Random numbers that are the same for the same seed, on every machine and with every toolchain. (SplitMix64)
public struct RandomSource: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    /// The numbers of this seed.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
    /// The next number of a normal distribution of mean 0 and standard deviation 1. (Box and Muller)
    public mutating func nextNormal() -> Double {
        let inUnit = { (bits: UInt64) in (Double(bits >> 11) + 0.5) / 9_007_199_254_740_992 }
        let u = inUnit(next())
        let v = inUnit(next())
        return (-2 * log(u)).squareRoot() * cos(2 * .pi * v)
    }
}
