import PuckSystem

/// A recorded log of a real receiver, NMEA or binary, played byte for byte on a serial line for a real gpsd to read.
///
/// Of the log's header (lines that start with `#`), only the date is played. gpsd reads the date there, but takes some
/// other lines for sentences of other receivers.
public final class RecordedReceiver {
    private let line: SerialLine
    private let bytes: [UInt8]

    /// The maximum size of a log in bytes.
    private static let longestLog = 16 << 20

    /// Creates a receiver for this recording, plugged in and silent.
    public init(log path: String) throws {
        line = try SerialLine()
        bytes = Self.withoutHeader(try readFile(path, limit: Self.longestLog))
    }

    private static func withoutHeader(_ log: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        var rest = log[...]
        while rest.first == UInt8(ascii: "#") {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            if line.starts(with: Array("# Date:".utf8)) { kept += line + [UInt8(ascii: "\n")] }
            rest = rest.dropFirst(line.count + 1)
        }
        return kept + rest
    }

    /// The receiver's device.
    public var device: String { line.path }

    /// Plays the whole recording, as fast as gpsd reads, for at most `seconds`. gpsd must have opened the device
    /// (`GPSDProcess.waitUntilOpen`), because it discards earlier bytes when it opens the device.
    public func play(within seconds: Double = 30) throws { try line.send(bytes, within: seconds) }
}
