// Writing JSON straight into bytes. Whether a comma is needed is seen from the last byte: after `{`, `[` and `:` none.
extension [UInt8] {
    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }
    mutating func comma() {
        guard let last, last != UInt8(ascii: "{"), last != UInt8(ascii: "["), last != UInt8(ascii: ":") else { return }
        append(UInt8(ascii: ","))
    }
    /// A member's name.
    mutating func name(_ name: StaticString) {
        comma()
        append(UInt8(ascii: "\""))
        append(name)
        append(UInt8(ascii: "\""))
        append(UInt8(ascii: ":"))
    }
    /// A member's name that is not ours.
    mutating func name(_ name: String) {
        comma()
        string(name)
        append(UInt8(ascii: ":"))
    }
    /// A member that is a string; nil writes nothing.
    mutating func member(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        self.name(name)
        string(text)
    }
    /// A member that is one of a fixed set of words.
    mutating func member<Word: RawRepresentable>(_ name: StaticString, word: Word?) where Word.RawValue == String {
        member(name, word?.rawValue)
    }
    /// A member that is a number; nil, and what can't be written as a number, writes nothing.
    mutating func member(_ name: StaticString, _ value: Double?, places: Int) {
        guard let value, let decimal = Decimal(value, places: places) else { return }
        self.name(name)
        decimal.append(to: &self)
    }
    /// A member that is a whole number; nil writes nothing.
    mutating func member(_ name: StaticString, whole value: (some BinaryInteger)?) {
        guard let value else { return }
        self.name(name)
        Decimal(steps: Int64(clamping: value), places: 0).append(to: &self)
    }
    /// A member that is `true`; false writes nothing.
    mutating func member(_ name: StaticString, ifTrue truth: Bool) {
        guard truth else { return }
        self.name(name)
        append("true")
    }
    /// A member that is an object.
    mutating func object(_ name: StaticString, _ members: (inout [UInt8]) -> Void) {
        self.name(name)
        append(UInt8(ascii: "{"))
        members(&self)
        append(UInt8(ascii: "}"))
    }
    /// A member that is an array.
    mutating func array<Item>(
        _ name: StaticString, _ items: some Sequence<Item>, _ item: (inout [UInt8], Item) -> Void
    ) {
        self.name(name)
        append(UInt8(ascii: "["))
        for value in items {
            comma()
            item(&self, value)
        }
        append(UInt8(ascii: "]"))
    }

    /// A string in quotes, with escapes where JSON wants them.
    mutating func string(_ text: String) {
        append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            for (index, byte) in utf8.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
                append(contentsOf: utf8[start..<index])
                escape(byte)
                start = index + 1
            }
            append(contentsOf: utf8[start...])
        }
        append(UInt8(ascii: "\""))
    }
    private mutating func escape(_ byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case 0x22, 0x5C: append(byte)
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        default:
            append("u00")
            append(UInt8(ascii: "0") + byte >> 4)
            let low = byte & 0xF
            append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
        }
    }
}
