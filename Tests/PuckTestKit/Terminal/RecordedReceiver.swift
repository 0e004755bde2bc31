import PuckSystem

/// A recorded log of a real receiver, NMEA or binary, played byte for byte on a serial line for a real gpsd to read.
///
/// Of what its authors wrote above it (lines that begin with `#`) only the date goes along: gpsd reads it there, and
/// takes some of the rest for the words of other receivers.
public final class RecordedReceiver {
    private let line: SerialLine
    private let bytes: [UInt8]

    /// Receivers' logs are small; a file of more bytes is none.
    private static let longestLog = 16 << 20

    /// The receiver of this recording, plugged in and silent.
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

    /// The device that it is plugged in at.
    public var device: String { line.path }

    /// Plays all of it, as fast as gpsd reads, for at most `seconds`. gpsd must have the device open already
    /// (`GPSDProcess.waitUntilOpen`): opening throws away what came before.
    public func play(within seconds: Double = 30) throws { try line.send(bytes, within: seconds) }
}
