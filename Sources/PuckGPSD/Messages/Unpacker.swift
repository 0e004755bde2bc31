import CGPS

/// libgps's working memory. It carries nothing from one line to the next: the fields that are read are cleared first.
final class Unpacker {
    /// Nil if the allocation failed; then no line can be unpacked.
    private let pointer = cgps_unpacker_new()

    deinit { cgps_unpacker_free(pointer) }

    /// The values that libgps reads from a sieved line; nil if it reads none. The report's text is valid until the
    /// next line.
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
