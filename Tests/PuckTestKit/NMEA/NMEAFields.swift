import PuckCore

// Numbers, positions and times in the format of NMEA 0183.

/// Formats `value` with this number of decimals, rounded to nearest. The integer part is padded with zeros to `width`
/// digits.
func decimal(_ value: Double, decimals: Int, width: Int = 1) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let units = Int64((value.magnitude * scale).rounded())
    let whole = String(units / Int64(scale))
    let sign = value < 0 && units != 0 ? "-" : ""
    let padding = String(repeating: "0", count: max(0, width - whole.count))
    guard decimals > 0 else { return sign + padding + whole }
    let fraction = String(units % Int64(scale))
    return sign + padding + whole + "." + String(repeating: "0", count: decimals - fraction.count) + fraction
}

/// Formats a number; an unknown number is an empty field.
func decimal(_ value: Double?, decimals: Int) -> String { value.map { decimal($0, decimals: decimals) } ?? "" }

func number(_ value: Int, width: Int) -> String { decimal(Double(value), decimals: 0, width: width) }

/// The decimals of a minute of arc in a position: 2 cm, as in u-blox receivers.
private let minuteDecimals = 5

/// Formats an angle as `ddmm.mmmmm` (or `dddmm.mmmmm`), with the letter of the hemisphere.
private func angle(_ degrees: Double, degreeDigits: Int, positive: String, negative: String) -> [String] {
    var unitsPerDegree = 60.0
    for _ in 0..<minuteDecimals { unitsPerDegree *= 10 }
    // Round before splitting, so that 59.999999 minutes become the next degree and never 60 minutes.
    let units = (degrees.magnitude * unitsPerDegree).rounded()
    let whole = (units / unitsPerDegree).rounded(.down)
    let minutes = (units - whole * unitsPerDegree) / unitsPerDegree * 60
    return [
        number(Int(whole), width: degreeDigits) + decimal(minutes, decimals: minuteDecimals, width: 2),
        degrees < 0 ? negative : positive,
    ]
}

/// Formats a position as four fields: latitude, N or S, longitude, E or W. They are empty if there is no position.
func position(_ coordinate: Coordinate?) -> [String] {
    guard let coordinate else { return ["", "", "", ""] }
    return angle(coordinate.latitude, degreeDigits: 2, positive: "N", negative: "S")
        + angle(coordinate.longitude, degreeDigits: 3, positive: "E", negative: "W")
}

/// A date and time of day in the proleptic Gregorian calendar, to the millisecond.
struct CivilTime {
    let year: Int
    let month: Int
    let day: Int
    let hour: Int
    let minute: Int
    let milliseconds: Int

    init(_ utc: UTC) {
        let total = Int((Double(utc.nanoseconds) / 1e6).rounded())
        let millisecondsPerDay = 86_400_000
        let days = total >= 0 ? total / millisecondsPerDay : -((-total + millisecondsPerDay - 1) / millisecondsPerDay)
        let ofDay = total - days * millisecondsPerDay
        hour = ofDay / 3_600_000
        minute = ofDay / 60_000 % 60
        milliseconds = ofDay % 60_000
        // Convert days since 1970 to a date. Years start in March, so that the leap day is the last day. See
        // civil_from_days by Hinnant.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The time as `hhmmss.sss`.
    var timeField: String {
        number(hour, width: 2) + number(minute, width: 2) + decimal(Double(milliseconds) / 1e3, decimals: 3, width: 2)
    }
    /// The date as `ddmmyy`.
    var dateField: String { number(day, width: 2) + number(month, width: 2) + number(year % 100, width: 2) }
}
