import PuckTestKit

/// What the command line asks for.
struct Arguments {
    var rate = 1
    var route = Route.city()
    var compass: ReceiverModel.Compass?
    var seed: UInt64 = 1
    var printsDeviceOnly = false
    var wantsHelp = false

    static let help = """
        usage: receiver-simulator [OPTION...]

        A GPS receiver made of software: it speaks NMEA 0183 on a pseudo-terminal, which gpsd reads like a serial port
        (gpsd -N -n -b DEVICE). It runs until SIGINT or SIGTERM.

          --rate HZ         fixes a second, 1 to 20 (default 1)
          --route ROUTE     city: round a block, with traffic lights (default)
                            straight: two kilometres of road and back, at 80 km/h
                            park: standing still
                            boat: a wide circle on a lake, at 5 knots
          --heading         say the heading too (HDT), 8 degrees to the right of the course
          --seed N          other errors of measurement (default 1): the same number, the same errors
          --print-device    print the device's path and nothing else
          --help            print this

        """

    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var rest = Array(arguments)[...]
        while let option = rest.popFirst() {
            switch option {
            case "--rate":
                rate = try Self.number(option, &rest, expected: "a whole number from 1 to 20") { (1...20).contains($0) }
            case "--route": route = try Self.route(option, &rest)
            case "--heading": compass = .compass(offset: 8)
            case "--seed": seed = try Self.number(option, &rest, expected: "a whole number, 0 or more") { $0 >= 0 }
            case "--print-device": printsDeviceOnly = true
            case "--help", "-h": wantsHelp = true
            default: throw UsageError("unknown option \(option)")
            }
        }
    }

    private static func value(_ option: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> String {
        guard let value = rest.popFirst() else { throw UsageError("\(option) needs a value") }
        return value
    }

    private static func number<Value: FixedWidthInteger>(
        _ option: String, _ rest: inout ArraySlice<String>, expected: String, where isValid: (Value) -> Bool
    ) throws(UsageError) -> Value {
        let text = try value(option, &rest)
        guard let number = Value(text), isValid(number) else {
            throw UsageError("\(option) \(text): \(expected) is expected")
        }
        return number
    }

    private static func route(_ option: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> Route {
        let name = try value(option, &rest)
        switch name {
        case "city": return .city()
        case "straight": return .straight()
        case "park": return .park()
        case "boat": return .boat()
        default: throw UsageError("\(option) \(name): city, straight, park or boat is expected")
        }
    }
}

/// A command line that can't be followed, and why.
struct UsageError: Error {
    let message: String
    init(_ message: String) { self.message = message }
}
