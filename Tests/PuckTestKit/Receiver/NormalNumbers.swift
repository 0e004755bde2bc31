import Glibc
import PuckCore

extension SeededGenerator {
    /// Returns a number from the normal distribution with mean 0 and standard deviation 1, by the method of Box and
    /// Muller.
    mutating func nextNormal() -> Double {
        let inUnit = { (bits: UInt64) in (Double(bits >> 11) + 0.5) / 9_007_199_254_740_992 }
        let u = inUnit(next())
        let v = inUnit(next())
        return (-2 * log(u)).squareRoot() * cos(2 * .pi * v)
    }
}
