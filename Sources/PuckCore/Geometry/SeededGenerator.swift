extension RandomNumberGenerator {
    /// Uniform in [0, 1), by 53 bits: the same from the same generator with every version of the standard library.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}

/// A generator whose numbers depend only on its seed, for replays and tests. Never use it in the daemon: its times
/// would be predictable. (SplitMix64, Steele et al. 2014)
public struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    /// The generator for that seed.
    public init(seed: UInt64) { state = seed }
    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
