import CLinux
import Glibc

/// A generator of random numbers from the kernel. See getrandom(2).
public struct KernelRandom: RandomNumberGenerator, Sendable {
    /// Creates a generator. It has no state.
    public init() {}

    /// Returns 64 random bits. Stops the program if the kernel does not provide them.
    public mutating func next() -> UInt64 {
        var value: UInt64 = 0
        let got = withUnsafeMutableBytes(of: &value) { buffer in
            interruptible { getrandom(buffer.baseAddress, buffer.count, 0) }
        }
        // The call waits until the kernel's pool is ready, and then returns up to 256 bytes at once. Any other result
        // means that the kernel lacks the call, and code that needs randomness must not continue.
        guard case .success(MemoryLayout<UInt64>.size) = got else { fatalError("getrandom(2) gives no random numbers") }
        return value
    }
}
