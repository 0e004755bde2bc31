import Glibc
import PuckCore
import Testing

@testable import PuckWire

@Suite("Numbers in decimal")
struct DecimalTests {
    static func text(_ value: Double, _ places: Int) -> String? {
        guard let decimal = Decimal(value, places: places) else { return nil }
        var bytes: [UInt8] = []
        JSONWriter.append(to: &bytes) { $0.append(decimal) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What the C library prints, which rounds the exact value to the nearest, ties to even; without trailing zeros.
    static func reference(_ value: Double, _ places: Int) -> String {
        var text = printed("%.*f", [Int32(places), value])
        if places > 0 {
            while text.hasSuffix("0") { text.removeLast() }
            if text.hasSuffix(".") { text.removeLast() }
        }
        return text == "-0" ? "0" : text
    }

    @Test(
        "by hand",
        arguments: [
            (0.0, 3, "0"), (-0.0, 3, "0"), (-0.0001, 3, "0"), (1, 3, "1"), (-1, 0, "-1"), (0.5, 0, "0"), (1.5, 0, "2"),
            (2.5, 0, "2"),
            (-2.5, 0, "-2"), (0.05, 1, "0.1"), (0.125, 2, "0.12"), (0.375, 2, "0.38"), (1.005, 2, "1"), (100, 2, "100"),
            (0.001, 3, "0.001"),
            (-179.999_999_995, 8, "-179.99999999"), (-179.999_999_996, 8, "-180"),
            (11.576_123_456_78, 8, "11.57612346"), (9.999_5, 3, "9.999"),
            (1e9, 3, "1000000000"),
        ])
    func byHand(value: Double, places: Int, expected: String) {
        #expect(Self.text(value, places) == expected)
        #expect(Self.reference(value, places) == expected, "the reference itself")
    }

    @Test(
        "what is not finite, or too large to be told so finely, is no decimal",
        arguments: [
            Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e9,
        ])
    func none(value: Double) {
        #expect(Decimal(value, places: 9) == nil)
    }

    @Test("the longest there are, wherever in the writer's memory they come to lie")
    func longest() {
        let longest = [
            (Int64.min, 9, "-9223372036.854775808"), (Int64.max, 9, "9223372036.854775807"),
            (Int64.min, 0, "-9223372036854775808"), (-1, 9, "-0.000000001"),
        ]
        for before in 0..<1_100 {
            for (steps, places, text) in longest {
                var bytes: [UInt8] = []
                JSONWriter.append(to: &bytes) { json in
                    for _ in 0..<before { json.append(UInt8(ascii: " ")) }
                    json.append(Decimal(steps: steps, places: places))
                }
                #expect(
                    bytes.count == before + text.utf8.count && bytes.suffix(text.utf8.count).elementsEqual(text.utf8))
            }
        }
    }

    @Test("as the C library rounds, on a hundred thousand values")
    func asTheCLibrary() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<100_000 {
            let places = Int(random.next() % 10)
            let digits = Double(Int64(truncatingIfNeeded: random.next()) >> Int64(random.next() % 60))
            // Half of them within a hair of a tie: whole steps and a half, divided.
            let value =
                random.next() % 2 == 0
                ? (digits / 1e6) : (digits.truncatingRemainder(dividingBy: 1e9) + 0.5) / pow(10, Double(places))
            guard let text = Self.text(value, places) else {
                #expect(value.magnitude * pow(10, Double(places)) >= 4e15)
                continue
            }
            let expected = Self.reference(value, places)
            if text != expected { Issue.record("\(value) to \(places): \(text), not \(expected)") }
        }
    }
}

/// What the C library prints.
func printed(_ format: String, _ arguments: [any CVarArg]) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 400) { buffer in
        let length = withVaList(arguments) { vsnprintf(buffer.baseAddress, buffer.count, format, $0) }
        return String(decoding: buffer[..<Int(length)].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
