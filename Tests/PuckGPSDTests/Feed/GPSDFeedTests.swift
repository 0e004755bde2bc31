import PuckCore
import Testing

@testable import PuckGPSD

@Suite("gpsd's stream")
struct GPSDFeedTests {
    private let greeting = """
        {"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}\r
        {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","activated":"2024-05-06T07:08:09Z"}]}\r
        {"class":"WATCH","enable":true,"json":true}\r

        """

    private func tpv(_ device: String, _ second: Int, mode: Int = 3, lat: Double = 51.5) -> String {
        let time =
            "2024-05-06T07:\(second / 60 < 10 ? "0" : "")\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60)Z"
        return #"{"class":"TPV","device":"\#(device)","mode":\#(mode),"time":"\#(time)","lat":\#(lat),"lon":0.5}"#
            + "\r\n"
    }

    private func connectedFeed() -> GPSDFeed {
        var feed = GPSDFeed(at: at(0))
        _ = feed.connected(at: at(0))
        return feed
    }

    private func reports(_ events: [GPSDEvent]) -> [Report] {
        events.compactMap { if case .report(let report) = $0 { report } else { nil } }
    }

    private func states(_ events: [GPSDEvent]) -> [SourceState] {
        events.compactMap { if case .source(let status) = $0 { status.state } else { nil } }
    }

    @Test("from the greeting to the first fix")
    func beginning() {
        var feed = connectedFeed()
        let events = feed.receive(feed.read(bytes(greeting + tpv("/dev/a", 0))), at: at(0.5))
        let device = DeviceInfo(name: DeviceName("/dev/a"), activation: .active)
        #expect(
            events.prefix(3) == [
                .message(.version(release: "3.25")), .message(.devices([device])), .message(.watch),
            ])
        // The state first, then what brought it about.
        #expect(events.count == 5)
        #expect(events[3] == .source(feed.status))
        #expect(feed.status.state == .fix)
        #expect(reports(events).count == 1)
        #expect(feed.counters.lines == 4)
        #expect(feed.counters.reports == 1)
    }

    @Test("receivers without end are looked at once each, and no more of them than are kept track of")
    func manyReceivers() {
        var feed = connectedFeed()
        _ = feed.receive(feed.read(bytes(greeting)), at: at(0.5))
        let news = (0..<10_000).map { DeviceName("/dev/b\($0 % 5_000)") }
        let devices = feed.devices(with: [DeviceName("/dev/a")] + news)
        #expect(devices.count == 256 && Set(devices).count == 256)
        #expect(devices.first == DeviceName("/dev/a") && devices.last == DeviceName("/dev/b254"))
        #expect(feed.devices(with: []) == [DeviceName("/dev/a")])
    }

    @Test("half a line costs nothing and says nothing; its other half makes it whole")
    func halfLine() {
        var feed = connectedFeed()
        let line = tpv("/dev/a", 0)
        #expect(feed.read(bytes(String(line.prefix(30)))).isEmpty)
        #expect(feed.receive([], at: at(30)).isEmpty)
        #expect(feed.read(bytes(String(line.dropFirst(30)))).count == 1)
    }

    @Test("a new connection does not begin with what the old one left")
    func halfLineOfAnother() {
        var feed = connectedFeed()
        _ = feed.read(bytes(#"{"class":"TPV","mode":3,"#))
        _ = feed.disconnected(reason: "gone", at: at(1))
        _ = feed.connected(at: at(2))
        #expect(feed.read(bytes("{\"class\":\"WATCH\"}\n")) == [.watch])
    }

    @Test("P12 of two receivers, reports of one alone come out")
    func oneReceiver() {
        var feed = connectedFeed()
        var found: Set<DeviceName> = []
        for second in 0..<300 {
            let lines = tpv("/dev/a", second) + tpv("/dev/b", second, lat: 51.6)
            let events = feed.receive(feed.read(bytes(lines)), at: at(Double(second)))
            found.formUnion(reports(events).map(\.device))
        }
        #expect(found == [DeviceName("/dev/a")])
        #expect(feed.counters.otherDevice == 300)
    }

    private func att(_ device: String, _ heading: Double) -> String {
        #"{"class":"ATT","device":"\#(device)","heading":\#(heading)}"# + "\r\n"
    }

    @Test("a compass on another device is heard, and is never the receiver, in whatever order they speak")
    func compassBeside() {
        let mute = #"{"class":"TPV","device":"/dev/compass","mode":0}"# + "\r\n"
        let noFix = #"{"class":"TPV","device":"/dev/a","mode":1}"# + "\r\n"
        for (names, before) in [
            (["/dev/a", "/dev/compass"], ""), (["/dev/compass", "/dev/a"], mute), ([], att("/dev/compass", 20)),
            (["/dev/compass", "/dev/a"], att("/dev/compass", 20) + mute + noFix),
        ] {
            var feed = connectedFeed()
            let list = names.map { #"{"class":"DEVICE","path":"\#($0)","activated":"2024-05-06T07:08:09Z"}"# }
            let devices = #"{"class":"DEVICES","devices":["# + list.joined(separator: ",") + "]}\r\n"
            _ = feed.receive(feed.read(bytes(devices + before)), at: at(0))
            var positions: Set<DeviceName> = []
            var headings = 0
            for second in 1..<60 {
                let lines = tpv("/dev/a", second) + att("/dev/compass", 30) + mute
                let found = reports(feed.receive(feed.read(bytes(lines)), at: at(Double(second))))
                for report in found {
                    switch report {
                    case .position(let position): positions.insert(position.device)
                    case .attitude(let attitude):
                        headings += 1
                        #expect(attitude.device == DeviceName("/dev/compass") && attitude.heading == Direction(30))
                    case .sky, .noise: Issue.record("nobody said that")
                    }
                }
            }
            #expect(positions == [DeviceName("/dev/a")])
            #expect(headings == 59)
            #expect(feed.status.state == .fix && feed.status.device == DeviceName("/dev/a"))
        }
    }

    @Test("a receiver that falls silent beside a compass is told as lost, and not as the compass")
    func lostBesideCompass() {
        var feed = connectedFeed()
        for second in 0..<20 {
            _ = feed.receive(feed.read(bytes(tpv("/dev/a", second) + att("/dev/b", 30))), at: at(Double(second)))
        }
        var told: [SourceState] = []
        for second in 20..<120 {
            let events =
                feed.receive(feed.read(bytes(att("/dev/b", 30))), at: at(Double(second)))
                + feed.advance(to: at(Double(second) + 0.5))
            told += states(events)
            #expect(reports(events).count == 1)
        }
        #expect(told == [.stale, .lost])
        #expect(feed.status.device == DeviceName("/dev/a"))
        #expect(states(feed.receive(feed.read(bytes(tpv("/dev/a", 121))), at: at(121))) == [.fix])
    }

    @Test("the line between two antennas is heard of a device that is not the receiver in use, and its place is not")
    func baselineBeside() throws {
        var feed = connectedFeed()
        _ = feed.receive(feed.read(bytes(tpv("/dev/a", 0))), at: at(0))
        let rover =
            #"{"class":"TPV","device":"/dev/b","mode":3,"lat":51.6,"lon":0.5,"relH":12.5,"relL":1.2}"# + "\r\n"
        let found = reports(feed.receive(feed.read(bytes(rover)), at: at(1)))
        let heading = try #require(Direction(12.5))
        #expect(
            found == [
                .attitude(
                    AttitudeReport(device: DeviceName("/dev/b"), baseline: Baseline(heading: heading, length: 1.2)))
            ])
    }

    @Test("libgps trap 3: what is unknown, garbage or another class does not tell a fix again")
    func nothingTwice() {
        var feed = connectedFeed()
        _ = feed.receive(feed.read(bytes(greeting + tpv("/dev/a", 0))), at: at(0))
        let rest =
            "{\"class\":\"NEWS\"}\r\ngarbage\r\n{\"class\":\"PPS\"}\r\n{\"class\":\"DEVICE\",\"path\":\"/dev/a\",\"activated\":1}\r\n"
        let events = feed.receive(feed.read(bytes(rest)), at: at(1))
        #expect(reports(events).isEmpty)
        #expect(feed.counters.ignored == 2)
        #expect(feed.counters.malformed == 1)
    }

    @Test("libgps trap 19: of a backlog only the newest comes out, whole")
    func backlog() {
        var feed = connectedFeed()
        _ = feed.receive(feed.read(bytes(greeting + tpv("/dev/a", 0))), at: at(0))
        var backlog = ""
        for second in 1...1_800 {
            backlog +=
                tpv("/dev/a", second) + "{\"class\":\"ATT\",\"device\":\"/dev/a\",\"heading\":\(second % 360)}\r\n"
            backlog += tpv("/dev/a", second)
        }
        let events = feed.receive(feed.read(bytes(backlog)), at: at(1_801))
        // Those of the last second, and of the one before, which is not yet more than a second old.
        #expect(reports(events).count == 6)
        #expect(
            reports(events).last?.time == UTC(nanoseconds: 1_714_979_289_000_000_000 + (1_800 - 489) * 1_000_000_000))
        #expect(feed.counters.superseded == 3 * 1_798)
    }

    @Test("libgps trap 19: what is not a report is never left out of a backlog")
    func backlogKeepsDevices() {
        var feed = connectedFeed()
        let closed = "{\"class\":\"DEVICE\",\"path\":\"/dev/a\",\"activated\":0}\r\n"
        let lines = greeting + tpv("/dev/a", 0) + closed + tpv("/dev/b", 100) + tpv("/dev/b", 200)
        let events = feed.receive(feed.read(bytes(lines)), at: at(300))
        #expect(reports(events).map(\.device) == [DeviceName("/dev/a"), DeviceName("/dev/b")])
        #expect(feed.status.device == DeviceName("/dev/b"))
    }

    @Test("libgps trap 5: the reports of one epoch all come out, and so do epochs that come together")
    func epochsKept() {
        var feed = connectedFeed()
        let lines = String(repeating: tpv("/dev/a", 0), count: 21) + tpv("/dev/a", 1)
        #expect(reports(feed.receive(feed.read(bytes(lines)), at: at(1))).count == 22)
        let untimed = #"{"class":"TPV","device":"/dev/a","mode":2,"lat":1.5,"lon":2.5}"# + "\r\n"
        let events = feed.receive(feed.read(bytes(String(repeating: untimed, count: 100))), at: at(2))
        #expect(reports(events).count == 16)
    }

    @Test("a time that steps backwards in a backlog does not bring old reports back")
    func backwardsBacklog() {
        var feed = connectedFeed()
        let lines = [500, 501, 100, 101, 102].map { tpv("/dev/a", $0) }.joined()
        #expect(reports(feed.receive(feed.read(bytes(lines)), at: at(1))).count == 2)
    }

    @Test("a recording needs no list of receivers: one that speaks is known")
    func recording() {
        var feed = connectedFeed()
        let recorded = RecordedLine(bytes("1714979289.250000: " + tpv("/dev/a", 489).dropLast()))
        let message = feed.read(line: recorded.json)
        #expect(recorded.arrival == UTC(nanoseconds: 1_714_979_289_250_000_000))
        #expect(message.time == UTC(nanoseconds: 1_714_979_289_000_000_000))
        #expect(states(feed.receive([message], at: at(0))) == [.fix])
        let unnamed = feed.read(line: bytes(#"{"class":"TPV","mode":3,"lat":1.5,"lon":2.5}"#))
        #expect(
            unnamed
                == .report(
                    .position(
                        position(#"{"class":"TPV","mode":3,"lat":1.5,"lon":2.5}"#)
                            ?? .init(device: .unnamed, mode: .none))))
    }

    @Test("S3 a receiver that is gone though gpsd has not noticed: no-device")
    func vanished() {
        var feed = connectedFeed()
        _ = feed.receive(feed.read(bytes(greeting + tpv("/dev/a", 0))), at: at(0))
        let name = DeviceName("/dev/a")
        #expect(states(feed.vanished(name, at: at(3))) == [.noDevice])
        #expect(feed.deadline == nil)
    }

    @Test("libgps trap 16: closed and opened again under another name, with nothing in between: one change each")
    func reopened() {
        var feed = connectedFeed()
        _ = feed.receive(feed.read(bytes(greeting + tpv("/dev/a", 0))), at: at(0))
        let closed = feed.receive(
            feed.read(bytes("{\"class\":\"DEVICE\",\"path\":\"/dev/a\",\"activated\":0}\r\n")), at: at(1))
        #expect(states(closed) == [.noDevice])
        let opened = feed.receive(
            feed.read(
                bytes("{\"class\":\"DEVICE\",\"path\":\"/dev/a1\",\"activated\":\"2024-05-06T07:08:09.000Z\"}\r\n")),
            at: at(4))
        #expect(states(opened).isEmpty)
        #expect(states(feed.receive(feed.read(bytes(tpv("/dev/a1", 5))), at: at(5))) == [.fix])
        #expect(feed.status.device == DeviceName("/dev/a1"))
    }
}
