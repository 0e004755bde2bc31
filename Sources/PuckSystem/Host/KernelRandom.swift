import CLinux
import Glibc

/// Random numbers straight from the kernel. (getrandom(2))
public struct KernelRandom: RandomNumberGenerator, Sendable {
    /// A generator, which keeps no state.
    public init() {}

    /// 64 random bits.
    public mutating func next() -> UInt64 {
        var value: UInt64 = 0
        let got = withUnsafeMutableBytes(of: &value) { buffer in
            interruptible { getrandom(buffer.baseAddress, buffer.count, 0) }
        }
        // Up to 256 bytes come whole once the kernel's pool is ready, which the call waits for: anything else is a
        // kernel without the call, where nothing that must be random may go on.
        guard case .success(MemoryLayout<UInt64>.size) = got else { fatalError("getrandom(2) gives no random numbers") }
        return value
    }
}
