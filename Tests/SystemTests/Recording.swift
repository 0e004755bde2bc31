import PuckCore
import PuckWire

/// Lines as `gpspipe -w -uu` writes them.
enum Recording {
    /// A fix of a whole second that arrived 0.2 s later, with its newline.
    static func fix(at time: UTC, _ coordinate: Coordinate, speed: Double, course: Double) -> String {
        "\(time.nanoseconds / 1_000_000_000).200000: {\"class\":\"TPV\",\"device\":\"/dev/ttyACM0\",\"mode\":3,"
            + "\"time\":\"\(text(time))\",\"lat\":\(coordinate.latitude),\"lon\":\(coordinate.longitude),"
            + "\"altHAE\":100,\"eph\":4,\"speed\":\(speed),\"track\":\(course)}\n"
    }

    /// RFC 3339, by way of the encoder that every frame goes through.
    private static func text(_ time: UTC) -> String {
        var bytes: [UInt8] = []
        let moment = Moment(monotonic: Instant(nanoseconds: 0), utc: time)
        FrameEncoder.append(Frame(sequence: 1, moment: moment, view: ""), for: .precise, to: &bytes)
        let line = String(decoding: bytes, as: UTF8.self)
        return line.split(separator: "\"").first { $0.hasSuffix("Z") }.map(String.init) ?? ""
    }
}
