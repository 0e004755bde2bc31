// Members of an object, each with its name. Nil, and a number that has no decimal form, write nothing: an unknown
// value is absent.
extension JSONWriter {
    /// A member with a name from elsewhere.
    mutating func name(_ name: String) {
        comma()
        string(name)
        append(UInt8(ascii: ":"))
    }
    /// A string.
    mutating func member(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        self.name(name)
        string(text)
    }
    /// One of a fixed set of words, which need no escapes.
    mutating func member<Word: RawRepresentable>(_ name: StaticString, word: Word?) where Word.RawValue == String {
        guard let word else { return }
        self.name(name)
        append(UInt8(ascii: "\""))
        append(raw: word.rawValue)
        append(UInt8(ascii: "\""))
    }
    /// A number.
    mutating func member(_ name: StaticString, _ value: Double?, places: Int) {
        guard let value, let decimal = Decimal(value, places: places) else { return }
        self.name(name)
        append(decimal)
    }
    /// A whole number.
    mutating func member(_ name: StaticString, whole value: (some BinaryInteger)?) {
        guard let value else { return }
        self.name(name)
        append(Decimal(steps: Int64(clamping: value), places: 0))
    }
    /// `true`; false writes nothing.
    mutating func member(_ name: StaticString, ifTrue truth: Bool) {
        guard truth else { return }
        self.name(name)
        append("true")
    }
    /// An object.
    mutating func object(_ name: StaticString, _ members: (inout JSONWriter) -> Void) {
        self.name(name)
        append("{")
        members(&self)
        append("}")
    }
    /// An array.
    mutating func array<Item>(
        _ name: StaticString, _ items: some Sequence<Item>, _ item: (inout JSONWriter, Item) -> Void
    ) {
        self.name(name)
        append("[")
        for value in items {
            comma()
            item(&self, value)
        }
        append("]")
    }
}
