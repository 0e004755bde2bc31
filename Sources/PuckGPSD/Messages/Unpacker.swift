import CGPS

/// libgps's scratch memory. It carries nothing from one line to the next: what is read of it is cleared before each.
final class Unpacker {
    /// Nil where there was no memory for it; then no line can be unpacked.
    private let pointer = cgps_unpacker_new()

    deinit { cgps_unpacker_free(pointer) }

    /// What libgps reads from a sieved line; nil where it reads nothing. The report's text lasts until the next line.
    func unpack(_ line: inout [UInt8], as kind: cgps_kind) -> cgps_report? {
        guard let pointer else { return nil }
        var report = cgps_report()
        let found = line.withUnsafeMutableBytes { bytes -> cgps_kind in
            guard let start = bytes.baseAddress else { return CGPS_NOTHING }
            return cgps_unpack(pointer, start.assumingMemoryBound(to: CChar.self), &report)
        }
        return found == kind ? report : nil
    }
}

/// The API version of the libgps that puckd was built with, such as `14.0`.
public var libgpsVersion: String { String(cString: cgps_api_version()) }
