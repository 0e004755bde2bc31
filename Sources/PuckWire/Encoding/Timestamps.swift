import PuckCore

// Time on the wire: RFC 3339 in UTC with milliseconds, and seconds of CLOCK_BOOTTIME with microseconds.

/// Approximate clients are told times to the minute, so that an epoch's does not tell more than the epoch.
private let approximateStep: Int64 = 60_000_000_000

extension Moment {
    /// This moment as an approximate client may know it.
    var flooredForApproximate: Moment {
        Moment(monotonic: monotonic.flooredForApproximate, utc: utc.flooredForApproximate)
    }
}
extension UTC {
    /// This time as an approximate client may know it.
    var flooredForApproximate: UTC { UTC(nanoseconds: floored(nanoseconds, to: approximateStep)) }
}
extension Instant {
    /// This instant as an approximate client may know it.
    var flooredForApproximate: Instant { Instant(nanoseconds: floored(nanoseconds, to: approximateStep)) }
}

private func floored(_ value: Int64, to step: Int64) -> Int64 {
    let rest = value % step
    let floor = value.subtractingReportingOverflow(rest < 0 ? rest + step : rest)
    return floor.overflow ? value - rest : floor.partialValue
}

extension JSONWriter {
    /// A member that is a time.
    mutating func member(_ name: StaticString, _ time: UTC?) {
        guard let time else { return }
        self.name(name)
        append(UInt8(ascii: "\""))
        timestamp(time)
        append(UInt8(ascii: "\""))
    }

    /// A member that is an instant of the monotonic clock.
    mutating func member(_ name: StaticString, _ instant: Instant) {
        self.name(name)
        append(Decimal(steps: instant.nanoseconds / 1_000, places: 6))
    }

    /// `2026-02-28T12:34:56.789Z`. What is under a millisecond is cut off: a time told is never in the future.
    /// (Days to dates as in H. Hinnant, "chrono-Compatible Low-Level Date Algorithms"; years 1677 to 2262 fit.)
    private mutating func timestamp(_ time: UTC) {
        let milliseconds = floorDivide(time.nanoseconds, 1_000_000)
        let day = floorDivide(milliseconds, 86_400_000)
        let ofDay = milliseconds - day * 86_400_000
        let shifted = day + 719_468  // from 0000-03-01, so that leap days end the year
        let era = floorDivide(shifted, 146_097)
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * ofYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        piece(atMost: 24) { text in
            func put(_ value: Int64, _ range: Range<Int>, then mark: UInt8) {
                Digits.write(UInt64(value), digits: range.count, at: text + range.lowerBound)
                text[range.upperBound] = mark
            }
            put(yearOfEra + era * 400 + (month <= 2 ? 1 : 0), 0..<4, then: UInt8(ascii: "-"))
            put(month, 5..<7, then: UInt8(ascii: "-"))
            put(ofYear - (153 * monthFromMarch + 2) / 5 + 1, 8..<10, then: UInt8(ascii: "T"))
            put(ofDay / 3_600_000, 11..<13, then: UInt8(ascii: ":"))
            put(ofDay / 60_000 % 60, 14..<16, then: UInt8(ascii: ":"))
            put(ofDay / 1_000 % 60, 17..<19, then: UInt8(ascii: "."))
            put(ofDay % 1_000, 20..<23, then: UInt8(ascii: "Z"))
            return 24
        }
    }
}

private func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
}
