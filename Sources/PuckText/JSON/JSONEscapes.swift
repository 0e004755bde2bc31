/// The text of a JSON string whose escapes a lexer has checked, and whether it had half a surrogate pair. That half, and
/// what is not UTF-8, becomes U+FFFD.
func unescaped(_ string: Slice<UnsafeBufferPointer<UInt8>>) -> (text: String, hasLoneSurrogate: Bool) {
    var text: [UInt8] = []
    text.reserveCapacity(string.count)
    var hasLoneSurrogate = false
    var rest = string
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
            text.append(byte)
            continue
        }
        guard escape == UInt8(ascii: "u") else {
            text.append(singleEscape(escape))
            continue
        }
        let scalar = codePoint(&rest)
        if scalar == nil { hasLoneSurrogate = true }
        text.append(contentsOf: String(scalar ?? "\u{FFFD}").utf8)
    }
    return (String(decoding: text, as: UTF8.self), hasLoneSurrogate)
}

private func singleEscape(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: byte
    }
}

/// Takes the digits after `\u`, and the second escape if they are the first half of a surrogate pair. Nil for half a pair.
private func codePoint(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Unicode.Scalar? {
    let first = codeUnit(&rest)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard UTF16.isLeadSurrogate(first), rest.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else { return nil }
    var afterPair = rest.dropFirst(2)
    let second = codeUnit(&afterPair)
    guard UTF16.isTrailSurrogate(second) else { return nil }
    rest = afterPair
    return Unicode.Scalar(0x10000 + (UInt32(first - 0xD800) << 10 | UInt32(second - 0xDC00)))
}

private func codeUnit(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 { value = value << 4 | (rest.popFirst().flatMap { hexValue($0) } ?? 0) }
    return value
}

/// The value of a hexadecimal digit.
func hexValue(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
}
