// Reads times of day as RFC 3339 writes them in UTC, and the decimal digits that they consist of.

extension UTC {
    /// The time that an RFC 3339 text in UTC states, such as `2026-02-28T12:34:56.789Z`; nil if the text has another form,
    /// or a date that the calendar or 64 bits of nanoseconds do not have (years 1678 to 2261 fit). The fraction may have any
    /// number of digits; digits after the ninth are cut off. A leap second, :60, counts as the second after it, as in POSIX.
    public init?(rfc3339 text: UnsafeBufferPointer<UInt8>) {
        // 2026-02-28T12:34:56, then maybe a fraction, then Z.
        let fixed = 19
        guard text.count > fixed, text[text.count - 1] == UInt8(ascii: "Z"),
            text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), text[10] == UInt8(ascii: "T"),
            text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            let year = decimal(text[0..<4]), let month = decimal(text[5..<7]), let day = decimal(text[8..<10]),
            let hour = decimal(text[11..<13]), let minute = decimal(text[14..<16]), let second = decimal(text[17..<19]),
            1678...2261 ~= year, hour <= 23, minute <= 59, second <= 60,
            let date = CalendarDate(year: year, month: month, day: day)
        else { return nil }
        var fraction: Int64 = 0
        if text.count > fixed + 1 {
            guard text[fixed] == UInt8(ascii: "."),
                let digits = nanosecondsOfFraction(text[(fixed + 1)..<(text.count - 1)])
            else { return nil }
            fraction = digits
        }
        let seconds = ((date.daysSince1970 * 24 + hour) * 60 + minute) * 60 + second
        self.init(nanoseconds: seconds * 1_000_000_000 + fraction)
    }

    /// The time that an RFC 3339 text in UTC states; nil as above.
    public init?(rfc3339 text: String) {
        var text = text
        let time = text.withUTF8 { UTC(rfc3339: $0) }
        guard let time else { return nil }
        self = time
    }
}

/// The number that decimal digits state; nil for any other character, for no digit, and for more than 18 digits.
@inlinable
public func decimal(_ digits: some Collection<UInt8>) -> Int64? {
    guard 1...18 ~= digits.count else { return nil }
    var value: Int64 = 0
    for byte in digits {
        let digit = byte &- UInt8(ascii: "0")
        guard digit <= 9 else { return nil }
        value = value * 10 + Int64(digit)
    }
    return value
}

/// The nanoseconds that the digits after a decimal point of seconds state; digits after the ninth are cut off. Nil for any
/// other character, and for no digit.
@inlinable
public func nanosecondsOfFraction(_ digits: some Collection<UInt8>) -> Int64? {
    guard !digits.isEmpty, digits.allSatisfy({ $0 &- UInt8(ascii: "0") <= 9 }) else { return nil }
    var value: Int64 = 0
    var scale: Int64 = 100_000_000
    for byte in digits.prefix(9) {
        value += Int64(byte - UInt8(ascii: "0")) * scale
        scale /= 10
    }
    return value
}
