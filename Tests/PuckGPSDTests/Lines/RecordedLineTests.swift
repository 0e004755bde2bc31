import PuckCore
import Testing

@testable import PuckGPSD

@Suite("Lines of a recording")
struct RecordedLineTests {
    @Test(
        "the arrival stands in front",
        arguments: [
            ("1700000000.123456: {\"a\":1}", 1_700_000_000_123_456_000),
            ("1700000000.1: {\"a\":1}", 1_700_000_000_100_000_000),
            ("1700000000: {\"a\":1}", 1_700_000_000_000_000_000),
            ("0.000001: {\"a\":1}", 1_000),
            ("7258118399.999999: {\"a\":1}", 7_258_118_399_999_999_000),
            // As gpspipe writes it: the date in words first.
            ("2023-11-14 22:13:20 1700000000.000001: {\"a\":1}", 1_700_000_000_000_001_000),
            ("2023-11-14T22:13:20Z 1700000000.000001: {\"a\":1}", 1_700_000_000_000_001_000),
        ])
    func stamped(_ line: String, _ nanoseconds: Int64) {
        let recorded = RecordedLine(bytes(line))
        #expect(recorded.arrival == UTC(nanoseconds: nanoseconds))
        #expect(String(decoding: recorded.json, as: UTF8.self) == "{\"a\":1}")
    }

    @Test(
        "what is no arrival is left out",
        arguments: [
            "{\"a\":1}", " {\"a\":1}", "2023-11-14 22:13:20: {\"a\":1}", "noise {\"a\":1}", ": {\"a\":1}",
            "1700000000.123456 {\"a\":1}", "17000000000000000000.5: {\"a\":1}", "-5.0: {\"a\":1}", "1.: {\"a\":1}",
            ".5: {\"a\":1}", "1.2.3: {\"a\":1}", "1e9: {\"a\":1}", "7258118400: {\"a\":1}", "9223372036.0: {\"a\":1}",
            "9223372037.5: {\"a\":1}", "9999999999.0: {\"a\":1}",
        ])
    func unstamped(_ line: String) {
        let recorded = RecordedLine(bytes(line))
        #expect(recorded.arrival == nil)
        #expect(String(decoding: recorded.json, as: UTF8.self) == "{\"a\":1}")
    }

    @Test("a line without JSON is handed on as it is")
    func noJSON() {
        #expect(RecordedLine(bytes("1700000000.5: GPGGA")).json == bytes("1700000000.5: GPGGA"))
        #expect(RecordedLine(bytes("")).json.isEmpty)
    }
}
