// Drives the position filter over recordings, without the daemon, with any of its constants changed.
//
//   filter-driver [--profile NAME] [--set CONSTANT=VALUE]... < JOBS        --list: the constants and their values
//
// A job is a line `INPUT OUTPUT RATE FRAMES`: a file that evaluate.py wrote, the file to write, ticks a second, and frames
// a second of the screen. The output holds seven doubles a tick: time, latitude, longitude, speed, course, radius, and 1 where
// the puck rests; what is not known is NaN. Built by build-driver.sh together with Sources/PuckCore.
import Glibc

/// Prints an error and ends.
func fail(_ message: String) -> Never {
    let text = "filter-driver: \(message)\n"
    _ = text.withCString { write(2, $0, strlen($0)) }
    exit(2)
}

/// One row of an input; NaN where the field is empty.
struct Row {
    var time = Double.nan, arrival = Double.nan, latitude = Double.nan, longitude = Double.nan
    var speed = Double.nan, course = Double.nan, eph = Double.nan, epx = Double.nan, epy = Double.nan

    init(_ fields: [Double], _ at: [String: Int]) {
        func field(_ name: String) -> Double { at[name].map { fields[$0] } ?? .nan }
        time = field("time_unix_s")
        arrival = field("arrival_unix_s")
        latitude = field("lat")
        longitude = field("lon")
        speed = field("speed_mps")
        course = field("course_deg")
        eph = field("eph_m")
        epx = field("epx_m")
        epy = field("epy_m")
    }

    func fix() -> Fix? {
        guard let place = Coordinate(longitude: longitude, latitude: latitude) else { return nil }
        var fix = Fix(
            device: DeviceName("/dev/ttyUSB0"), time: nil, instant: Instant(seconds: time),
            arrival: Instant(seconds: arrival), mode: .threeDimensional, coordinate: place)
        fix.accuracy = eph.isFinite ? eph : epx.isFinite && epy.isFinite ? (epx * epx + epy * epy).squareRoot() : nil
        fix.speed = speed.isFinite ? speed : nil
        fix.course = course.isFinite ? Direction(wrapping: course) : nil
        return fix
    }
}

func rows(of path: String) -> [Row] {
    guard let file = fopen(path, "r") else { fail("\(path): cannot be read") }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 4096)
    var columns: [String: Int] = [:]
    var rows: [Row] = []
    while fgets(&line, Int32(line.count), file) != nil {
        if columns.isEmpty {
            let names = line.prefix { $0 != 0 && $0 != 10 && $0 != 13 }.map { UInt8(bitPattern: $0) }
            let head = String(decoding: names, as: UTF8.self)
            for (index, name) in head.split(separator: ",").enumerated() { columns[String(name)] = index }
            continue
        }
        var fields: [Double] = []
        line.withUnsafeBufferPointer { buffer in
            guard var start = buffer.baseAddress else { return }
            while true {
                var end = start
                while end.pointee != 44, end.pointee != 0, end.pointee != 10, end.pointee != 13 { end += 1 }
                fields.append(end == start ? .nan : strtod(start, nil))
                guard end.pointee == 44 else { break }
                start = end + 1
            }
        }
        if fields.count == columns.count { rows.append(Row(fields, columns)) }
    }
    return rows
}

func answer(_ input: String, _ output: String, rate: Double, frames: Double, _ parameters: FilterParameters) {
    let rows = rows(of: input)
    guard let first = rows.first else { return }
    var filter = PositionFilter(parameters: parameters, accuracyFloor: 1)
    var next = 0
    var values: [Double] = []
    let ticks = Int((first.arrival * rate - 1e-6).rounded(.up))...Int((rows[rows.count - 1].arrival * rate + 1e-6))
    values.reserveCapacity(7 * ticks.count)
    for k in ticks {
        let time = Double(k) / rate
        while next < rows.count, rows[next].arrival <= time + 1e-4 {
            if let fix = rows[next].fix() { _ = filter.update(fix) }
            next += 1
        }
        if let motion = filter.motion(at: Instant(seconds: time), frameInterval: 1 / frames) {
            values += [
                time, motion.coordinate.latitude, motion.coordinate.longitude, motion.speed,
                motion.course?.degrees ?? .nan, motion.accuracy, motion.stationary ? 1 : 0,
            ]
        } else {
            values += [time, first.latitude, first.longitude, .nan, .nan, .nan, 0]
        }
    }
    guard let file = fopen(output, "w") else { fail("\(output): cannot be written") }
    guard fwrite(values, 8, values.count, file) == values.count else { fail("\(output): cannot be written") }
    fclose(file)
}

var parameters = FilterParameters(profile: .auto)
var arguments = CommandLine.arguments.dropFirst()
while let option = arguments.popFirst() {
    switch option {
    case "--list":
        for (name, path) in constants.sorted(by: { $0.key < $1.key }) { print(name, parameters[keyPath: path]) }
        exit(0)
    case "--profile":
        guard let profile = arguments.popFirst().flatMap({ Profile(rawValue: $0) }) else { fail("--profile: which?") }
        parameters = FilterParameters(profile: profile)
    case "--set":
        let parts = (arguments.popFirst() ?? "").split(separator: "=")
        guard parts.count == 2, let path = constants[String(parts[0])], let value = Double(parts[1]) else {
            fail("--set needs CONSTANT=VALUE, with a constant that --list shows")
        }
        parameters[keyPath: path] = value
    default: fail("\(option) is no option")
    }
}
while let line = readLine() {
    let job = line.split(separator: " ").map(String.init)
    guard job.count == 4, let rate = Double(job[2]), let frames = Double(job[3]) else { fail("no job: \(line)") }
    answer(job[0], job[1], rate: rate, frames: frames, parameters)
}
