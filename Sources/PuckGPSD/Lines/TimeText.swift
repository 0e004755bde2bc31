import PuckCore

let nanosecondsPerSecond: Int64 = 1_000_000_000

/// The time that gpsd writes as `2024-05-06T07:08:09.123Z`, with no fraction or one of any length, exactly to the
/// nanosecond. Nil for anything else, and for years outside 1930 to 2199:
/// a receiver whose week has rolled over three times is in the 1960s.
///
/// libgps is not asked: it takes `2024-13-01…` for a day of 2023, and loses a nanosecond to a `double`.
func utc(_ text: UnsafeBufferPointer<UInt8>) -> UTC? {
    // Where the fixed part ends: 2024-05-06T07:08:09
    let fixed = 19
    guard text.count > fixed, text.last == UInt8(ascii: "Z") else { return nil }
    let separators: [(at: Int, is: UInt8)] = [
        (4, UInt8(ascii: "-")), (7, UInt8(ascii: "-")), (10, UInt8(ascii: "T")), (13, UInt8(ascii: ":")),
        (16, UInt8(ascii: ":")),
    ]
    guard separators.allSatisfy({ text[$0.at] == $0.is }) else { return nil }
    guard let year = decimal(text[0..<4], digits: 4...4), let month = decimal(text[5..<7], digits: 2...2),
        let day = decimal(text[8..<10], digits: 2...2), let hour = decimal(text[11..<13], digits: 2...2),
        let minute = decimal(text[14..<16], digits: 2...2), let second = decimal(text[17..<19], digits: 2...2)
    else { return nil }
    // 60 is a leap second, which POSIX time tells as the second after it.
    guard (1930...2199).contains(year), (1...12).contains(month), day >= 1, day <= daysInMonth(month, of: year),
        hour <= 23, minute <= 59, second <= 60
    else { return nil }
    var fraction: Int64 = 0
    if text.count > fixed + 1 {
        guard text[fixed] == UInt8(ascii: "."),
            let digits = nanoseconds(ofFraction: text[(fixed + 1)..<(text.count - 1)])
        else { return nil }
        fraction = digits
    }
    let seconds = ((daysSince1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
    return UTC(nanoseconds: seconds * nanosecondsPerSecond + fraction)
}

/// The number that `text` says in decimal digits alone, if it has as many as `digits` allows.
func decimal(_ text: some Collection<UInt8>, digits: ClosedRange<Int>) -> Int64? {
    guard digits.contains(text.count) else { return nil }
    var value: Int64 = 0
    for byte in text {
        guard let digit = digitValue(byte) else { return nil }
        value = value * 10 + digit
    }
    return value
}

/// The nanoseconds that the digits behind a decimal point say; those past the ninth are cut off.
func nanoseconds(ofFraction text: some Collection<UInt8>) -> Int64? {
    guard !text.isEmpty, text.allSatisfy({ digitValue($0) != nil }) else { return nil }
    var value: Int64 = 0
    var scale = nanosecondsPerSecond / 10
    for byte in text.prefix(9) {
        value += (digitValue(byte) ?? 0) * scale
        scale /= 10
    }
    return value
}

private func digitValue(_ byte: UInt8) -> Int64? {
    let zero = UInt8(ascii: "0")
    guard byte >= zero, byte <= UInt8(ascii: "9") else { return nil }
    return Int64(byte - zero)
}

private func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

private func daysInMonth(_ month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
}

/// Days from 1970-01-01 to a date of the Gregorian calendar, negative before.
private func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    // Counted in years that begin in March, so that the leap day is the last; 719,468 days lie between 0000-03-01
    // and 1970-01-01, and (153 m + 2) / 5 is how many lie before month m of such a year.
    let years = month <= 2 ? year - 1 : year
    let months = (month + 9) % 12
    return years * 365 + years / 4 - years / 100 + years / 400 + (153 * months + 2) / 5 + (day - 1) - 719_468
}
