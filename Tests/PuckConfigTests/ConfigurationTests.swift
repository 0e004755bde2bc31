import PuckCore
import Testing

@testable import PuckConfig

@Suite("Configuration")
struct ConfigurationTests {
    private func errors(_ text: String) -> [ConfigurationError] {
        do {
            _ = try PuckConfiguration.parse(text: text, file: "f")
            return []
        } catch {
            return error.errors
        }
    }

    @Test("an empty file is the default configuration")
    func empty() throws {
        #expect(try PuckConfiguration.parse(text: "", file: "").withoutPlaces == PuckConfiguration().withoutPlaces)
    }

    @Test("every key is taken to where it belongs")
    func everyKey() throws {
        let text = """
            [gpsd]
            host = gps.example
            port = 1234
            device = /dev/serial/by-id/usb-u-blox
            owner = gpsd  ada
            [receiver]
            profile = boat
            accuracy-floor = 2.5
            heading-offset = -90
            lost-after = 20
            predict-for = 0
            forget-after = 60
            [socket]
            path = /run/other.sock
            mode = 0660
            [approximate]
            radius = 2500
            state-directory = /srv/puckd
            [limits]
            clients = 10
            clients-per-user = 5
            requests-per-second = 7
            queue-bytes = 20000
            line-bytes = 2048
            [log]
            level = warning
            """
        let c = try PuckConfiguration.parse(text: text, file: "f")
        #expect(c.gpsd.host == "gps.example")
        #expect(c.gpsd.port == 1_234)
        #expect(c.gpsd.device == "/dev/serial/by-id/usb-u-blox")
        #expect(c.gpsd.owners == ["gpsd", "ada"])
        #expect(c.receiver.profile == .boat)
        #expect(c.receiver.accuracyFloor == 2.5)
        #expect(c.receiver.headingOffset == -90)
        #expect(c.lostAfter == 20)
        #expect(c.receiver.freshness == Freshness(predictFor: 0, loseAfter: 60))
        #expect(c.socket.path == "/run/other.sock")
        #expect(c.socket.mode == 0o660)
        #expect(c.approximate.radius.metres == 2_500)
        #expect(c.approximate.stateDirectory == "/srv/puckd")
        #expect(c.limits.clients == 10)
        #expect(c.limits.clientsPerUser == 5)
        #expect(c.limits.requestsPerSecond == 7)
        #expect(c.limits.queueBytes == 20_000)
        #expect(c.limits.lineBytes == 2_048)
        #expect(c.logLevel == .warning)
        // Every key that there is stands above.
        for key in Schema.sections.flatMap(\.keys) { #expect(text.contains("\n\(key.name) = ")) }
    }

    @Test(
        "a device may be what gpsd reads from another host",
        arguments: ["tcp://host:4000", "gpsd://host:2947/dev/ttyS0"])
    func deviceURL(url: String) throws {
        #expect(try PuckConfiguration.parse(text: "[gpsd]\ndevice = \(url)\n", file: "f").gpsd.device == url)
    }

    @Test("other defaults hold where the file is silent")
    func defaults() throws {
        var defaults = PuckConfiguration()
        defaults.approximate.stateDirectory = "/home/a/.local/state/puckd"
        let silent = try PuckConfiguration.parse(text: "[gpsd]\nport = 1\n", file: "f", defaults: defaults)
        #expect(silent.approximate.stateDirectory == "/home/a/.local/state/puckd")
        let text = "[approximate]\nstate-directory = /srv/puckd\n"
        let told = try PuckConfiguration.parse(text: text, file: "f", defaults: defaults)
        #expect(told.approximate.stateDirectory == "/srv/puckd")
    }

    @Test("the example in every key's error is itself right")
    func examples() throws {
        for section in Schema.sections {
            for key in section.keys {
                _ = try PuckConfiguration.parse(text: "[\(section.name)]\n\(key.name) = \(key.example)\n", file: "f")
            }
        }
        _ = try PuckConfiguration.parse(text: "[policy]\nrule = \(NamedPolicy.Rule.example)\n", file: "f")
        let fields = PurposeSection.Field.allCases.map { "\($0.rawValue) = \($0.example)\n" }.joined()
        _ = try PuckConfiguration.parse(text: "[purpose rescue]\n\(fields)", file: "f")
    }

    @Test(
        "values that are not what their key takes",
        arguments: [
            ("gpsd", "host", ["", "a b", "host\u{1}", String(repeating: "h", count: 150) + "é"]),
            ("gpsd", "port", ["0", "65536", "-1", "gpsd", "", "2947.5", "1e3"]),
            ("gpsd", "device", ["ttyACM0", "dev/tty", "tcp:/host", "host:2947"]),
            ("receiver", "profile", ["helicopter", "Boat", ""]),
            ("receiver", "accuracy-floor", ["0", "-1", "nan", "inf", "1001", "2 m", "", "1,5"]),
            ("receiver", "heading-offset", ["361", "-361", "nan", "east"]),
            ("receiver", "lost-after", ["1.9", "86401", "inf", "30s", "-nan"]),
            ("receiver", "predict-for", ["-1", "601", "nan"]),
            ("receiver", "forget-after", ["0", "86401", "nan"]),
            (
                "socket", "path",
                ["run/puckd.sock", "", "/run/puckd/", "/" + String(repeating: "p", count: 107), "@puckd"]
            ),
            ("socket", "mode", ["0888", "0060", "1777", "rw-rw-rw-", "", "-1", "0x1b6"]),
            (
                "approximate", "radius",
                ["1999", "0", "-5000", "5000.5", "5 km", "100001", "nan", "99999999999999999999"]
            ),
            ("approximate", "state-directory", ["var/lib", ""]),
            ("limits", "clients", ["0", "65537", "many", "-1", "1e3"]),
            ("limits", "clients-per-user", ["0", "65537"]),
            ("limits", "requests-per-second", ["0", "10001"]),
            ("limits", "queue-bytes", ["16383", "16777217"]),
            ("limits", "line-bytes", ["1023", "65537"]),
            ("log", "level", ["verbose", "INFO", "7"]),
        ])
    func badValues(section: String, key: String, values: [String]) {
        for value in values {
            let found = errors("[\(section)]\n\(key) = \(value)\n")
            #expect(found.count == 1, "\(value)")
            guard case .badValue(section, key, value, _, _)? = found.first?.problem else {
                Issue.record("\(value): \(found)")
                continue
            }
            #expect(found.first?.line == 2)
        }
    }

    @Test("an error names file, line, key, what was expected, and an example")
    func wording() {
        #expect(
            errors("# x\n[receiver]\nprofile = helicopter\n").map(\.description) == [
                "f:3: [receiver] profile: expected one of auto, car, boat, bike, walk, found “helicopter”; "
                    + "for example “profile = boat”"
            ])
        #expect(
            errors("[receiver]\nlost-after = 1\n").map(\.description) == [
                "f:2: [receiver] lost-after: expected a number of seconds from 2 to 86400, found “1”; "
                    + "for example “lost-after = 30”"
            ])
        #expect(
            errors("[gpsd]\nport = 2947 # gpsd's own\n").map(\.description) == [
                "f:2: [gpsd] port: expected a TCP port from 1 to 65535, found “2947 # gpsd's own”; "
                    + "for example “port = 2947” (a comment after a value starts with “;”)"
            ])
        #expect(
            errors("[approximate]\nraduis = 5000\n").map(\.description) == [
                "f:2: unknown key “raduis” in [approximate]; did you mean “radius”?"
            ])
        #expect(
            errors("[aproximate]\nradius = 1\n").map(\.description) == [
                "f:1: unknown section “[aproximate]”; did you mean “[approximate]”?"
            ])
        #expect(
            errors("[gpsd]\nport = 1\n[log]\n[gpsd]\nport = 2\n").map(\.description) == [
                "f:5: duplicate key “port” in [gpsd]; line 2 sets it already"
            ])
        #expect(
            errors("host = x\n").map(\.description) == ["f:1: expected a section, such as “[gpsd]”, before “host”"])
        #expect(
            errors("[gpsd]\nhost\n").map(\.description) == [
                "f:2: expected “KEY = VALUE”, “[SECTION]” or “# comment”, found “host”"
            ])
        #expect(
            errors("[receiver]\npredict-for = 500\n").map(\.description) == [
                "f:2: [receiver] forget-after: expected no less than predict-for, which is 500.0 s"
            ])
    }

    @Test("all errors come in one go, by line, and no two kinds read alike")
    func all() {
        let found = errors(
            """
            early = 1
            [gpsd]
            port = none
            port = 1
            prot = 1
            nothing
             indented = 1
            [nowhere]
            ignored = 1
            [unclosed
            [log] level = debug
            [purpose p]
            description = only this
            [purpose a b]
            [policy]
            rule = alice precise
            \("x = " + String(repeating: "y", count: 300))
            """)
        #expect(found.map(\.line) == [1, 3, 4, 5, 6, 7, 8, 10, 11, 12, 12, 14, 16, 17])
        #expect(Set(found.map(\.description)).count == found.count)
    }

    @Test("a section may be continued")
    func continued() throws {
        let c = try PuckConfiguration.parse(
            text: "[gpsd]\nport = 1\n[log]\nlevel = debug\n[gpsd]\nhost = h\n", file: "f")
        #expect(c.gpsd.port == 1 && c.gpsd.host == "h")
    }

    @Test("any text is either a configuration or errors in its lines")
    func anything() {
        let good = Array(
            "[gpsd]\nport = 2947 ; x\n[policy]\nrule = any precise\n[purpose p]\nallow = any\nseconds = 1\n".utf8)
        let bytes = Array("[]=;#: \t\r\n\0-9a\u{FEFF}".utf8) + [0xFF, 0xC3]
        var random = SequenceGenerator(state: 7)
        for _ in 0..<3_000 {
            var text = good
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = text.indices.randomElement(using: &random) ?? 0
                let byte = bytes.randomElement(using: &random) ?? 0
                if Bool.random(using: &random) { text[place] = byte } else { text.insert(byte, at: place) }
            }
            do {
                _ = try PuckConfiguration.parse(text, file: "f")
            } catch {
                let lines = text.count { $0 == 0x0A } + 1
                #expect(!error.errors.isEmpty && error.errors.allSatisfy { (1...lines).contains($0.line) })
            }
        }
    }

    @Test("what may be meant so, but is worth a word")
    func warnings() throws {
        #expect(PuckConfiguration().warnings.isEmpty)
        #expect(try PuckConfiguration.parse(text: "[approximate]\nradius = 2499\n", file: "f").warnings.count == 1)
        #expect(try PuckConfiguration.parse(text: "[approximate]\nradius = 2500\n", file: "f").warnings.isEmpty)
        #expect(try PuckConfiguration.parse(text: "[policy]\nrule = any precise\n", file: "f").warnings.count == 1)
    }
}

extension PuckConfiguration {
    /// Without what tells in which file and line something stood.
    var withoutPlaces: PuckConfiguration {
        var copy = self
        copy.policy.file = ""
        for index in copy.policy.rules.indices { copy.policy.rules[index].line = 0 }
        return copy
    }
}

/// The same numbers each time. (Knuth's MMIX constants; the upper bits, which are the random ones, put in both halves)
struct SequenceGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 32 | state & 0xFFFF_FFFF_0000_0000
    }
}
