import PuckCore

@testable import PuckGPSD

/// The bytes of a line.
func bytes(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

/// The message of one line.
func message(_ line: String) -> GPSDMessage {
    var decoder = ReportDecoder()
    return decoder.decode(bytes(line))
}

/// The position report of one line; nil where it is none.
func position(_ line: String) -> PositionReport? {
    guard case .report(.position(let report)) = message(line) else { return nil }
    return report
}

/// The attitude report of one line; nil where it is none.
func attitude(_ line: String) -> AttitudeReport? {
    guard case .report(.attitude(let report)) = message(line) else { return nil }
    return report
}

/// The sky report of one line; nil where it is none.
func sky(_ line: String) -> SkyReport? {
    guard case .report(.sky(let report)) = message(line) else { return nil }
    return report
}

/// The noise report of one line; nil where it is none.
func noise(_ line: String) -> NoiseReport? {
    guard case .report(.noise(let report)) = message(line) else { return nil }
    return report
}

/// A moment that many seconds after some start, by both clocks.
func at(_ seconds: Double) -> Moment {
    Moment(monotonic: Instant(seconds: 1_000 + seconds), utc: UTC(seconds: 1_700_000_000 + seconds))
}

/// A full TPV as gpsd 3.25 prints it.
let fullTPV = """
    {"class":"TPV","device":"/dev/ttyACM0","status":2,"mode":3,"time":"2024-05-06T07:08:09.125Z","leapseconds":18,\
    "ept":0.005,"lat":51.477928333,"lon":-0.001545000,"altHAE":92.3000,"altMSL":46.9000,"alt":46.9000,"epx":3.311,\
    "epy":4.123,"epv":9.200,"track":84.4000,"magtrack":83.1000,"magvar":-1.3,"speed":0.257,"climb":-0.100,"eps":8.25,\
    "epc":18.40,"geoidSep":45.400,"eph":5.890,"sep":12.160}
    """
