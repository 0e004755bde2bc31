// Reading words and strings where a JSONScanner found them.

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes of `range` are just `word`.
    func says(_ word: StaticString, in range: Range<Int>) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        for index in 0..<range.count where self[range.lowerBound + index] != word.utf8Start[index] { return false }
        return true
    }

    /// The string whose JSON stands in `range`, without its quotes; what is not UTF-8 becomes U+FFFD.
    func string(in range: Range<Int>) -> String {
        let raw = self[range]
        guard raw.contains(UInt8(ascii: "\\")) else { return String(decoding: raw, as: UTF8.self) }
        var units: [UInt16] = []
        var rest = String(decoding: raw, as: UTF8.self).utf16[...]
        while let unit = rest.popFirst() {
            guard unit == UInt16(UInt8(ascii: "\\")), let escaped = rest.popFirst() else {
                units.append(unit)
                continue
            }
            units.append(unescaped(escaped, followedBy: &rest))
        }
        return String(decoding: units, as: UTF16.self)
    }
}

private func unescaped(_ unit: UInt16, followedBy rest: inout String.UTF16View.SubSequence) -> UInt16 {
    switch UInt8(truncatingIfNeeded: unit) {
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "u"):
        var value: UInt16 = 0
        for digit in rest.prefix(4) {
            value = value << 4 | UInt16(truncatingIfNeeded: hexValue(UInt8(truncatingIfNeeded: digit)) ?? 0)
        }
        rest = rest.dropFirst(4)
        return value
    default: return unit
    }
}
