/// Repairs the attitude that gpsd 3.22 writes while the receiver also sends GST: `…,,"time":"…""heading":…` has one
/// comma twice, and the next one is missing. Nil for any other line. (Most of its other values are those of the GST,
/// which shares its memory with the attitude; the heading is right.)
func repairedAttitude(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    let opening = Array(#"{"class":"ATT","#.utf8)
    let time = Array(#",,"time":""#.utf8)
    guard text.starts(with: opening), let twice = firstIndex(of: time, in: text) else { return nil }
    let quote = UInt8(ascii: "\"")
    guard let end = text[(twice + time.count)...].firstIndex(of: quote), end + 1 < text.count, text[end + 1] == quote
    else { return nil }
    var line: [UInt8] = []
    line.reserveCapacity(text.count)
    line += text[..<twice]
    line += text[(twice + 1)...end]
    line.append(UInt8(ascii: ","))
    line += text[(end + 1)...]
    return line
}

/// The first position of `pattern`.
private func firstIndex(of pattern: [UInt8], in text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard text.count >= pattern.count else { return nil }
    return (0...(text.count - pattern.count)).first { start in text[start...].starts(with: pattern) }
}
