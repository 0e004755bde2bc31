import Foundation
import PuckCore
import Testing

@Suite("times as RFC 3339 writes them")
struct DateAndTimeReaderTests {
    private func time(_ text: String) -> UTC? {
        UTC(rfc3339: text)
    }

    @Test("every digit down to the nanosecond is kept")
    func exact() {
        #expect(time("2024-05-06T07:08:09Z") == UTC(nanoseconds: 1_714_979_289_000_000_000))
        #expect(time("2024-05-06T07:08:09.123Z") == UTC(nanoseconds: 1_714_979_289_123_000_000))
        #expect(time("2024-05-06T07:08:09.123456789Z") == UTC(nanoseconds: 1_714_979_289_123_456_789))
        #expect(time("2024-05-06T07:08:09.1234567899Z") == UTC(nanoseconds: 1_714_979_289_123_456_789))
        #expect(time("1970-01-01T00:00:00.000Z") == UTC(nanoseconds: 0))
        #expect(time("1970-01-01T00:00:01.5Z") == UTC(nanoseconds: 1_500_000_000))
        for millisecond in 0..<1_000 {
            let digits = String(repeating: "0", count: 3 - "\(millisecond)".count) + "\(millisecond)"
            #expect(
                time("2024-05-06T07:08:09.\(digits)Z")
                    == UTC(nanoseconds: 1_714_979_289_000_000_000 + Int64(millisecond) * 1_000_000))
        }
    }

    @Test("every day from 1930 to 2199 is the day after the one before")
    func calendar() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        for day in -14_610..<(230 * 366) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            guard let year = parts.year, let month = parts.month, let dayOfMonth = parts.day, year < 2200 else { break }
            let text = "\(year)-\(month < 10 ? "0" : "")\(month)-\(dayOfMonth < 10 ? "0" : "")\(dayOfMonth)T00:00:00Z"
            #expect(time(text) == UTC(nanoseconds: Int64(day) * 86_400 * 1_000_000_000), "\(text)")
        }
    }

    @Test("a date is the same after it was counted in days")
    func datesAndDays() {
        for days in stride(from: Int64(-1_000_000), through: 1_000_000, by: 97) {
            #expect(CalendarDate(daysSince1970: days).daysSince1970 == days)
        }
        #expect(CalendarDate(daysSince1970: -719_468) == CalendarDate(year: 0, month: 3, day: 1))
        #expect(CalendarDate(year: 2100, month: 2, day: 29) == nil)
    }

    @Test("a leap second is the second after it")
    func leapSecond() {
        #expect(time("2016-12-31T23:59:60Z") == time("2017-01-01T00:00:00Z"))
        #expect(time("2024-02-29T12:00:00Z") != nil)
    }

    @Test(
        "what is no time is none",
        arguments: [
            "", "Z", "2024", "2024-05-06", "2024-05-06T07:08:09", "2024-05-06T07:08:09.Z", "2024-05-06T07:08:09.12xZ",
            "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z", "2024-01-00T00:00:00Z", "2024-01-32T00:00:00Z",
            "2023-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2024-04-31T00:00:00Z", "2024-01-01T24:00:00Z",
            "2024-01-01T00:60:00Z", "2024-01-01T00:00:61Z", "1677-12-31T23:59:59Z", "2262-01-01T00:00:00Z",
            "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "-026-02-28T12:34:56Z", "2026-02-2８T12:34:56Z",
            "2024-05-06 07:08:09Z", "2024-05-06T07:08:09+00:00", "+024-05-06T07:08:09Z",
            "2024-05-06T-7:08:09Z", "20240506T070809Z          ", "NaN",
        ])
    func refused(_ text: String) {
        #expect(time(text) == nil)
    }
}
