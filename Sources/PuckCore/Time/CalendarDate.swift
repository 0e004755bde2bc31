/// A date of the Gregorian calendar, extended to all years.
public struct CalendarDate: Hashable, Sendable {
    /// The astronomical year: 0 is 1 BC.
    public let year: Int64
    /// 1 to 12.
    public let month: Int64
    /// 1 to 31.
    public let day: Int64

    /// The date; nil if the calendar has no such date.
    public init?(year: Int64, month: Int64, day: Int64) {
        guard 1...12 ~= month, day >= 1, day <= CalendarDate.days(inMonth: month, of: year) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    // Both conversions count years that begin in March, so that the leap day is the last day of a year; 719,468 days
    // lie between 0000-03-01 and 1970-01-01. (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms")

    /// The date this many days after 1970-01-01; negative before.
    public init(daysSince1970 days: Int64) {
        let shifted = days + 719_468
        let era = floorDivide(shifted, 146_097)
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * ofYear + 2) / 153
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = ofYear - (153 * monthFromMarch + 2) / 5 + 1
    }

    /// Days since 1970-01-01; negative before.
    public var daysSince1970: Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = floorDivide(shiftedYear, 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// The quotient, rounded down.
@inlinable
public func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
}
