import PuckCore

// Time on the wire: RFC 3339 in UTC with milliseconds, and seconds of CLOCK_BOOTTIME with microseconds.

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

    /// Appends `2026-02-28T12:34:56.789Z`. It cuts off what is below a millisecond, so the time is never in the future.
    private mutating func timestamp(_ time: UTC) {
        let milliseconds = floorDivide(time.nanoseconds, 1_000_000)
        let day = floorDivide(milliseconds, 86_400_000)
        let ofDay = milliseconds - day * 86_400_000
        let date = CalendarDate(daysSince1970: day)
        piece(atMost: 24) { text in
            func put(_ value: Int64, _ range: Range<Int>, then mark: UInt8) {
                Digits.write(UInt64(value), digits: range.count, at: text + range.lowerBound)
                text[range.upperBound] = mark
            }
            put(date.year, 0..<4, then: UInt8(ascii: "-"))
            put(date.month, 5..<7, then: UInt8(ascii: "-"))
            put(date.day, 8..<10, then: UInt8(ascii: "T"))
            put(ofDay / 3_600_000, 11..<13, then: UInt8(ascii: ":"))
            put(ofDay / 60_000 % 60, 14..<16, then: UInt8(ascii: ":"))
            put(ofDay / 1_000 % 60, 17..<19, then: UInt8(ascii: "."))
            put(ofDay % 1_000, 20..<23, then: UInt8(ascii: "Z"))
            return 24
        }
    }
}
