import PuckCore

/// A key of a section.
struct Key {
    let name: String
    /// A description of valid values, to follow the word "expected".
    let expected: String
    let example: String
    /// Parses and stores a value. Returns false if the value is invalid.
    let set: (inout PuckConfiguration, String) -> Bool

    /// Creates a key whose value `read` parses and `path` stores.
    init<Value>(
        _ name: String, _ expected: String, example: String, _ path: WritableKeyPath<PuckConfiguration, Value>,
        _ read: @escaping (String) -> Value?
    ) {
        self.name = name
        self.expected = expected
        self.example = example
        set = { configuration, text in
            guard let value = read(text) else { return false }
            configuration[keyPath: path] = value
            return true
        }
    }

    /// Creates a key for a number in a range.
    init(
        _ name: String, _ unit: String, in range: ClosedRange<Double>, example: String,
        _ path: WritableKeyPath<PuckConfiguration, Double>
    ) {
        self.init(
            name, "a number of \(unit) from \(plain(range.lowerBound)) to \(plain(range.upperBound))", example: example,
            path
        ) { Double($0).flatMap { range.contains($0) ? $0 : nil } }
    }

    /// Creates a key for a whole number in a range.
    init(
        _ name: String, _ unit: String, in range: ClosedRange<Int>, example: String,
        _ path: WritableKeyPath<PuckConfiguration, Int>
    ) {
        self.init(
            name, "a whole number of \(unit) from \(range.lowerBound) to \(range.upperBound)", example: example, path
        ) { Int($0).flatMap { range.contains($0) ? $0 : nil } }
    }

    /// Creates a key for one of several words.
    init<Value: CaseIterable & RawRepresentable<String>>(
        _ name: String, example: Value, _ path: WritableKeyPath<PuckConfiguration, Value>
    ) {
        let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
        self.init(name, "one of \(words)", example: example.rawValue, path, Value.init(rawValue:))
    }
}

/// All sections except `[policy]` and `[purpose KEY]`, with their keys.
enum Schema {
    static var sections: [(name: String, keys: [Key])] {
        [
            ("gpsd", gpsd), ("receiver", receiver), ("socket", socket), ("approximate", approximate),
            ("limits", limits), ("log", [Key("level", example: LogLevel.debug, \.logLevel)]),
        ]
    }

    private static var gpsd: [Key] {
        [
            Key("host", "a host's name or address", example: "localhost", \.gpsd.host, host),
            Key("port", "a TCP port from 1 to 65535", example: "2947", \.gpsd.port) {
                UInt16($0).flatMap { $0 > 0 ? $0 : nil }
            },
            Key("device", "a path, a gpsd URL, or nothing", example: "/dev/ttyACM0", \.gpsd.device, device),
            Key("owner", "names of users, or any", example: "gpsd", \.gpsd.owners, owners),
        ]
    }

    private static var receiver: [Key] {
        [
            Key("profile", example: Profile.boat, \.receiver.profile),
            Key("accuracy-floor", "metres", in: 0.01...1_000, example: "2", \.receiver.accuracyFloor),
            Key("heading-offset", "degrees", in: -360...360, example: "-90", \.receiver.headingOffset),
            Key("lost-after", "seconds", in: 2...86_400, example: "30", \.lostAfter),
            Key("predict-for", "seconds", in: 0...600, example: "10", \.receiver.freshness.predictFor),
            Key("forget-after", "seconds", in: 1...86_400, example: "300", \.receiver.freshness.loseAfter),
        ]
    }

    private static var socket: [Key] {
        [
            Key("path", "an absolute path of at most 107 bytes", example: "/run/puckd/puckd.sock", \.socket.path) {
                // The longest path in a Unix socket's address, without the final zero byte. See unix(7).
                absolutePath($0, limit: 107)
            },
            Key("mode", "permissions in octal that let the owner read and write", example: "0660", \.socket.mode, mode),
        ]
    }

    private static var approximate: [Key] {
        let range = ApproximateRadius.range
        return [
            Key(
                "radius", "a whole number of metres from \(range.lowerBound) to \(range.upperBound)", example: "5000",
                \.approximate.radius
            ) { Int($0).flatMap(ApproximateRadius.init(metres:)) },
            Key("state-directory", "an absolute path", example: "/var/lib/puckd", \.approximate.stateDirectory) {
                // This leaves room for file names under Linux's PATH_MAX of 4,096.
                absolutePath($0, limit: 3_800)
            },
        ]
    }

    private static var limits: [Key] {
        [
            Key("clients", "connections", in: 1...65_536, example: "1024", \.limits.clients),
            Key("clients-per-user", "connections", in: 1...65_536, example: "64", \.limits.clientsPerUser),
            Key("requests-per-second", "requests", in: 1...10_000, example: "200", \.limits.requestsPerSecond),
            Key("queue-bytes", "bytes", in: 16_384...16_777_216, example: "262144", \.limits.queueBytes),
            // The protocol's own maximum. No client may rely on longer lines.
            Key("line-bytes", "bytes", in: 1_024...65_536, example: "65536", \.limits.lineBytes),
        ]
    }
}

private func host(_ text: String) -> String? {
    // The maximum length of a DNS name. See RFC 1035.
    guard !text.isEmpty, text.utf8.count <= 253 else { return nil }
    return text.unicodeScalars.allSatisfy { $0.isASCII && $0.value > 0x20 && $0.value < 0x7F } ? text : nil
}

/// Parses a device. The inner nil means no preference; the outer nil means an invalid value.
private func device(_ text: String) -> String?? {
    if text.isEmpty { return .some(nil) }
    guard text.hasPrefix("/") || text.drop(while: { $0 != ":" }).hasPrefix("://") else { return .none }
    return .some(text)
}

/// Parses a list of 1 to 16 user names. A longer list is probably a mistake, because no host runs so many gpsds.
private func owners(_ text: String) -> [String]? {
    let names = text.split(separator: " ").map(String.init)
    let areNames = names.allSatisfy { $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3A } }
    return areNames && (1...16).contains(names.count) ? names : nil
}

private func absolutePath(_ text: String, limit: Int) -> String? {
    text.hasPrefix("/") && !text.hasSuffix("/") && text.utf8.count <= limit ? text : nil
}

private func mode(_ text: String) -> UInt32? {
    guard let mode = UInt32(text, radix: 8), mode <= 0o777, mode & 0o600 == 0o600 else { return nil }
    return mode
}

/// Formats a bound of a range, without decimals if it is whole.
private func plain(_ value: Double) -> String { value == value.rounded() ? String(Int(value)) : String(value) }
