import Glibc
import PuckCore
import Testing

@testable import PuckWire

@Suite("Times on the wire")
struct TimestampTests {
    static func text(_ time: UTC) -> String {
        var bytes: [UInt8] = []
        JSONWriter.append(to: &bytes) { $0.member("t", time) }
        return String(decoding: bytes.dropFirst(5).dropLast(), as: UTF8.self)
    }

    @Test(
        "by hand",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (999_999, "1970-01-01T00:00:00.000Z"),
            (1_000_000, "1970-01-01T00:00:00.001Z"),
            (-1, "1969-12-31T23:59:59.999Z"), (951_782_399_999_000_000, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
            (4_107_542_400_000_000_000, "2100-03-01T00:00:00.000Z"),
            (Int64.max, "2262-04-11T23:47:16.854Z"), (Int64.min, "1677-09-21T00:12:43.145Z"),
        ])
    func byHand(nanoseconds: Int64, expected: String) {
        #expect(Self.text(UTC(nanoseconds: nanoseconds)) == expected)
    }

    @Test("as the C library reckons, and read back the same, on fifty thousand times")
    func asTheCLibrary() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<50_000 {
            let time = UTC(nanoseconds: Int64(truncatingIfNeeded: random.next()) / 1_000_000 * 1_000_000)
            var seconds = time_t(time.nanoseconds / 1_000_000_000)
            var milliseconds = time.nanoseconds % 1_000_000_000 / 1_000_000
            if milliseconds < 0 {
                seconds -= 1
                milliseconds += 1_000
            }
            var date = tm()
            gmtime_r(&seconds, &date)
            let expected = printed(
                "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ",
                [
                    date.tm_year + 1900, date.tm_mon + 1, date.tm_mday, date.tm_hour, date.tm_min, date.tm_sec,
                    Int32(milliseconds),
                ])
            let text = Self.text(time)
            if text != expected { Issue.record("\(text), not \(expected)") }
            // The first and last year are not read back whole.
            if 1678...2261 ~= date.tm_year + 1900, UTC(rfc3339: text) != time {
                Issue.record("\(text) is not read back")
            }
        }
    }
}
