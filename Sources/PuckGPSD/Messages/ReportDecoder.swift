import CGPS
import PuckCore
import PuckText

/// Reads gpsd's lines: every line gives one message. TPV, ATT, SKY and GST go through libgps, with a cleared struct
/// and without members that could mislead it; the rest is read here. Every value is checked: one that is not a
/// number, or out of range, is unknown.
public struct ReportDecoder {
    private let unpacker = Unpacker()
    // Kept between lines only to reuse their memory.
    private var members: [JSONMember] = []
    private var sieved: [UInt8] = []
    private let position = LineSieve.position
    private let attitude = LineSieve.attitude
    private let sky = LineSieve.sky
    private let dilution = LineSieve.dilution
    private let noise = LineSieve.noise

    /// A decoder.
    public init() {}

    /// The message of one line, without its newline.
    public mutating func decode(_ line: ArraySlice<UInt8>) -> GPSDMessage {
        line.withUnsafeBufferPointer { text in
            // Swift 6.0 does not propagate a closure's typed throw here, hence the `do` within it.
            do throws(JSONFault) { return try decode(text) } catch { return decodeRepaired(text, after: error) }
        }
    }

    /// The message of a line that is not JSON, if it is an attitude of gpsd 3.22 with misplaced commas.
    private mutating func decodeRepaired(_ text: UnsafeBufferPointer<UInt8>, after fault: JSONFault) -> GPSDMessage {
        guard let line = repairedAttitude(text) else { return .malformed("\(fault)") }
        return line.withUnsafeBufferPointer { text in
            do throws(JSONFault) { return try decode(text) } catch { return .malformed("\(fault)") }
        }
    }

    private mutating func decode(_ text: UnsafeBufferPointer<UInt8>) throws(JSONFault) -> GPSDMessage {
        var scanner = JSONScanner(text)
        try scanner.wholeObject(into: &members)
        let classes = members.count { text.says("class", in: $0.key) }
        guard classes == 1, let name = member("class", text), name.kind == .string else {
            return .malformed("one class expected, \(classes) found")
        }
        let className = text.string(in: name.value)
        switch className {
        case "TPV": return readPosition(text)
        case "ATT": return readAttitude(text)
        case "SKY": return readSky(text)
        case "GST": return readNoise(text)
        case "DEVICES": return try readDevices(text)
        case "DEVICE":
            guard let device = deviceInfo(text, members) else { return .malformed("DEVICE: a path expected") }
            return .device(device)
        case "VERSION": return .version(release: string("release", text))
        case "WATCH": return .watch
        case "ERROR": return .error(string("message", text) ?? "no message")
        default: return .ignored(String(className.prefix(ReportDecoder.longestClass)))
        }
    }

    // MARK: reports

    private mutating func readPosition(_ text: UnsafeBufferPointer<UInt8>) -> GPSDMessage {
        // Read from the line, because libgps reports a missing mode as mode 0.
        guard let said = integer("mode", text), let mode = FixMode(rawValue: said) else {
            return .malformed("TPV: a mode from 0 to 3 expected")
        }
        guard let raw = unpack(text, position, as: CGPS_TPV), Int(raw.mode) == said else { return unreadable("TPV") }
        var report = PositionReport(device: device(raw), time: time(text), mode: mode)
        report.status = FixStatus(rawValue: Int(raw.status)) ?? .normal
        report.coordinate = Coordinate(longitude: raw.longitude, latitude: raw.latitude)
        report.altitudeEllipsoid = Plausible.value(raw.altitude_ellipsoid, in: VehicleLimits.altitude)
        report.altitudeMSL = Plausible.value(raw.altitude_msl, in: VehicleLimits.altitude)
        if report.altitudeEllipsoid == nil, report.altitudeMSL == nil {
            // Before gpsd 3.20 there is one altitude, by the receiver's geoid; later releases repeat one of the
            // others in it.
            report.altitudeMSL = Plausible.value(raw.altitude, in: VehicleLimits.altitude)
        }
        report.speed = Plausible.value(raw.speed, in: VehicleLimits.speed)
        report.course = Direction(raw.track)
        report.eph = Plausible.value(raw.eph, in: Plausible.error)
        report.epx = Plausible.value(raw.epx, in: Plausible.error)
        report.epy = Plausible.value(raw.epy, in: Plausible.error)
        report.epv = Plausible.value(raw.epv, in: Plausible.error)
        report.magneticVariation = Plausible.value(raw.magnetic_variation, in: Plausible.variation)
        // gpsd 3.22 sends it, but its libgps does not read it.
        report.baseline = real("relH", text).flatMap { Direction($0) }.map { heading in
            Baseline(
                heading: heading, length: real("relL", text).flatMap { Plausible.value($0, in: Plausible.baseline) })
        }
        return .report(.position(report))
    }

    private mutating func readAttitude(_ text: UnsafeBufferPointer<UInt8>) -> GPSDMessage {
        guard let raw = unpack(text, attitude, as: CGPS_ATT) else { return unreadable("ATT") }
        return .report(
            .attitude(
                AttitudeReport(
                    device: device(raw), time: time(text), heading: Direction(raw.heading),
                    // libgps reads it from 3.25 on; gpsd may be newer than libgps.
                    magneticHeading: real("mheading", text).flatMap { Direction($0) })))
    }

    private mutating func readSky(_ text: UnsafeBufferPointer<UInt8>) -> GPSDMessage {
        // gpsd has counted its satellites itself for years. The list is most of the line, so it is read only if the
        // count is missing.
        let visible = integer("nSat", text).flatMap { Plausible.value($0, in: Plausible.satellites) }
        let used = integer("uSat", text).flatMap { Plausible.value($0, in: Plausible.satellites) }
        let isCounted = visible != nil && used != nil
        guard let raw = unpack(text, isCounted ? dilution : sky, as: CGPS_SKY) else { return unreadable("SKY") }
        var report = SkyReport(
            device: device(raw), time: time(text), hdop: Plausible.value(raw.hdop, in: Plausible.dilution),
            used: used, visible: visible)
        // A list without satellites according to libgps is one that it could not read.
        if !isCounted, member("satellites", text) != nil {
            let listed = Plausible.value(Int(raw.satellites_visible), in: Plausible.satellites)
            let isRead = (listed ?? 0) > 0 || visible == 0
            report.visible = isRead ? listed : nil
            report.used = isRead ? Plausible.value(Int(raw.satellites_used), in: Plausible.satellites) : nil
        }
        return .report(.sky(report))
    }

    private mutating func readNoise(_ text: UnsafeBufferPointer<UInt8>) -> GPSDMessage {
        guard let raw = unpack(text, noise, as: CGPS_GST) else { return unreadable("GST") }
        return .report(
            .noise(
                NoiseReport(
                    device: device(raw), time: time(text),
                    latitudeSigma: Plausible.value(raw.sigma_latitude, in: Plausible.error),
                    longitudeSigma: Plausible.value(raw.sigma_longitude, in: Plausible.error),
                    altitudeSigma: Plausible.value(raw.sigma_altitude, in: Plausible.error))))
    }

    private mutating func unpack(
        _ text: UnsafeBufferPointer<UInt8>, _ sieve: LineSieve, as kind: cgps_kind
    ) -> cgps_report? {
        if let name = member("device", text), name.value.count > ReportDecoder.longestDevice { return nil }
        sieve.sift(text, members, into: &sieved)
        return unpacker.unpack(&sieved, as: kind)
    }

    private func device(_ raw: cgps_report) -> DeviceName {
        guard let path = raw.device, path.pointee != 0 else { return .unnamed }
        return DeviceName(String(cString: path))
    }

    private func unreadable(_ className: String) -> GPSDMessage { .malformed("\(className): libgps can't read it") }

    // MARK: messages read without libgps

    private func readDevices(_ text: UnsafeBufferPointer<UInt8>) throws(JSONFault) -> GPSDMessage {
        guard let list = member("devices", text), list.kind == .array else {
            return .malformed("DEVICES: a list of devices expected")
        }
        var scanner = JSONScanner(text, at: list.value.lowerBound)
        var devices: [DeviceInfo] = []
        var inner: [JSONMember] = []
        for element in try scanner.elements(atMost: ReportDecoder.mostDevices) {
            guard element.kind == .object else { return .malformed("DEVICES: objects expected in the list") }
            var scanner = JSONScanner(text, at: element.value.lowerBound)
            try scanner.object(into: &inner)
            guard let device = deviceInfo(text, inner) else { return .malformed("DEVICES: a path expected for each") }
            devices.append(device)
        }
        return .devices(devices)
    }

    private func deviceInfo(_ text: UnsafeBufferPointer<UInt8>, _ members: [JSONMember]) -> DeviceInfo? {
        var info = DeviceInfo(name: .unnamed, activation: .unopened)
        for member in members {
            if text.says("path", in: member.key), member.kind == .string {
                info.name = DeviceName(text.string(in: member.value))
            } else if text.says("driver", in: member.key), member.kind == .string {
                info.driver = text.string(in: member.value)
            } else if text.says("activated", in: member.key) {
                // A time while it is open; the number 0 once it is closed.
                info.activation = text.says("0", in: member.value) ? .closed : .active
            }
        }
        return info.name == .unnamed ? nil : info
    }

    private func member(_ key: StaticString, _ text: UnsafeBufferPointer<UInt8>) -> JSONMember? {
        members.last { text.says(key, in: $0.key) }
    }

    private func string(_ key: StaticString, _ text: UnsafeBufferPointer<UInt8>) -> String? {
        guard let member = member(key, text), member.kind == .string else { return nil }
        return text.string(in: member.value)
    }

    private func integer(_ key: StaticString, _ text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let member = member(key, text), member.kind == .number else { return nil }
        return decimal(text[member.value]).flatMap { Plausible.value(Int($0), in: Plausible.count) }
    }

    private func real(_ key: StaticString, _ text: UnsafeBufferPointer<UInt8>) -> Double? {
        guard let member = member(key, text), member.kind == .number else { return nil }
        return Double(text.string(in: member.value))
    }

    private func time(_ text: UnsafeBufferPointer<UInt8>) -> UTC? {
        guard let member = member("time", text), member.kind == .string else { return nil }
        // Without libgps: it reads 2024-13-01 as a day of 2023, and loses a nanosecond to a `double`.
        guard let time = UTC(rfc3339: UnsafeBufferPointer(rebasing: text[member.value])) else { return nil }
        return Plausible.value(time, in: Plausible.time)
    }

    /// Maximum bytes of a receiver's name, as in libgps. (GPS_PATH_MAX − 1)
    private static let longestDevice = 127
    /// Maximum characters of an unknown class in a message.
    private static let longestClass = 32
    /// Maximum receivers in one list; gpsd has at most 6, but may be built for more.
    private static let mostDevices = 256
}
