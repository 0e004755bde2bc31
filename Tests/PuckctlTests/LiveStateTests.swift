@testable import PuckClient
import Testing

@testable import puckctl

@Suite("What a live screen shows")
struct LiveStateTests {
    private let start = Moment(monotonic: Instant(seconds: 100), utc: UTC(seconds: 1_772_281_800))

    private func moment(_ seconds: Double) -> Moment {
        Moment(monotonic: start.monotonic.advanced(by: seconds), utc: UTC(seconds: start.utc.seconds + seconds))
    }

    private func precise(at place: Coordinate) -> Puck {
        var puck = Puck(state: .live, accuracyMode: .precise, coordinate: place, accuracy: 3.2)
        puck.speed = 12.5
        puck.course = Direction(123.4)
        puck.bearing = puck.course
        puck.altitudeMSL = 520.1
        puck.age = 0.25
        return puck
    }

    private func frame(_ puck: Puck?, at moment: Moment, camera: Camera? = nil, markers: [Marker]? = nil) -> Update {
        Update(
            content: .frame(
                Frame(sequence: 1, moment: moment, view: "map", puck: puck, camera: camera, markers: markers)))
    }

    private func connected(_ face: LiveState.Face = .table) -> LiveState {
        var live = LiveState(face: face, units: .metric)
        let limits = Hello.Limits(rate: 120, clients: 10)
        live.take(Update(content: .event(.connected(Hello(server: "puckd", purposes: [], roles: [], limits: limits)))))
        return live
    }

    private func picture(_ live: LiveState, _ columns: Int = 80, _ rows: Int = 24, at now: Moment) -> [String] {
        var buffer = CellBuffer(columns: columns, rows: rows)
        live.draw(on: &buffer, at: now, hasBraille: true)
        return (0..<rows).map { buffer.text(row: $0) }
    }

    private let munich = Coordinate(wrappingLongitude: 11.5755, clampingLatitude: 48.1374)

    @Test("a precise location: each figure in the chosen units, and an age that grows between frames")
    func precise() throws {
        var live = connected()
        live.take(frame(precise(at: munich), at: start))
        let rows = picture(live, at: moment(2))
        #expect(rows[0].hasPrefix(" puckd   live") && rows[0].hasSuffix("12:30:02 UTC"))
        for text in [
            "position        48.1374000°N 11.5755000°E", "accuracy        ±3.2 m (95 %)", "age of the fix  2.3 s",
            "speed           45.0 km/h", "course          ↘ 123°", "heading         –",
            "altitude        520 m above sea level",
        ] { #expect(rows.contains("  \(text)"), "\(text)") }
        #expect(live.press("u", view: "map") == nil)
        #expect(picture(live, at: moment(2)).contains("  speed           24.3 kn"))
    }

    @Test("an approximate location: its circle, and nothing that it does not have")
    func approximate() {
        var live = connected()
        live.take(frame(precise(at: munich), at: start))
        let authorization = AuthorizationMessage(accuracy: .approximate, allowed: .precise, reason: .client)
        live.take(Update(content: .event(.authorization(authorization))))
        #expect(live.trail.isEmpty)
        let puck = Puck(state: .live, accuracyMode: .approximate, coordinate: munich, accuracy: 5_000)
        live.take(frame(puck, at: moment(60)))
        let rows = picture(live, at: moment(61))
        #expect(rows[0].hasPrefix(" puckd   live  approximate"))
        for text in [
            "position        48.13740°N 11.57550°E", "accuracy        ±5000 m (95 %)", "age of the fix  –",
            "speed           –", "you see         approximate location, by client; changes about twice an hour",
        ] { #expect(rows.contains("  \(text)"), "\(text)") }
        #expect(live.press("a", view: "map") == .ask(.accuracy(.precise, scope: .client)))
    }

    @Test("a lost connection and a stale puck are plain to see")
    func states() {
        var live = connected()
        #expect(live.headline.text == "no position")
        var puck = precise(at: munich)
        puck.state = .stale
        live.take(frame(puck, at: start))
        #expect(live.headline.text == "stale" && live.headline.style.colour == .red)
        live.take(Update(content: .event(.disconnected(.closed, retryIn: 1))))
        let rows = picture(live, at: moment(1))
        #expect(rows[0].contains("no connection"))
        #expect(rows[22].hasPrefix(" reconnecting: "))
    }

    @Test("the map: puck in the middle, its circle, the track behind it, markers, and a scale that is true")
    func map() {
        var live = connected(.map)
        let camera = Camera(center: munich, zoom: 16, bearing: 90)
        // 100 m west of the puck, which is down with east up.
        let west = Coordinate(wrappingLongitude: 11.5755 - 100 / (111_320 * 0.66739), clampingLatitude: 48.1374)
        live.take(frame(precise(at: west), at: start, camera: camera))
        let marker = Marker(name: "\u{1b}bus", coordinate: west, moving: false)
        var puck = precise(at: munich)
        puck.accuracy = 60
        live.take(frame(puck, at: moment(1), camera: camera, markers: [marker]))
        let rows = picture(live, at: moment(2))
        // The middle of 21 rows below the header. The course of 123° looks like 33°.
        #expect(Array(rows[11])[40] == "↗")
        let scale = 156_543.03392 / 2 * 0.66739 / 65_536 * pointsInDot
        let down = Int((42 + 100 / scale) / 4) + 1
        #expect(rows[down].contains("◆ \\u{1b}bus"), "\(rows)")
        #expect(rows.joined().unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) })
        #expect(rows[22].contains("┤ 100 m") && rows[22].hasSuffix("45.0 km/h  N ←"), "\(rows[22])")
        let bar = rows[22].filter { "├─┤".contains($0) }.count
        #expect(abs(Double(bar) - 100 / (scale * 2)) <= 1.5)
    }

    @Test("keys zoom the map only here, and the camera's zoom comes back")
    func zoom() {
        var live = connected(.map)
        live.take(frame(precise(at: munich), at: start, camera: Camera(center: munich, zoom: 16)))
        #expect(live.press("+", view: "map") == nil && live.shownZoom == 16.5)
        for _ in 0..<50 { _ = live.press("-", view: "map") }
        #expect(live.shownZoom == 1)
        _ = live.press("0", view: "map")
        #expect(live.shownZoom == 16)
        #expect(live.press("t", view: "map") == .ask(.view(name: "map", .trackNext)))
        #expect(live.press("q", view: "map") == .quit)
        _ = live.press("m", view: "map")
        #expect(live.face == .table)
    }

    @Test("no size of a terminal is too small or too large", arguments: [(1, 1), (2, 3), (20, 4), (300, 100)])
    func sizes(columns: Int, rows: Int) {
        for face in [LiveState.Face.table, .map] {
            var live = connected(face)
            live.take(frame(precise(at: munich), at: start, camera: Camera(center: munich, zoom: 16)))
            live.notice = "a notice that is longer than a small terminal"
            #expect(picture(live, columns, rows, at: start).count == rows)
        }
    }

    @Test("the trail is bounded")
    func trail() {
        var live = connected()
        for step in 0..<2_000 {
            let place = Coordinate(wrappingLongitude: 11 + Double(step) / 1_000, clampingLatitude: 48)
            live.take(frame(precise(at: place), at: moment(Double(step))))
        }
        #expect(live.trail.count == 600 && abs((live.trail.last?.longitude ?? 0) - 12.999) < 1e-9)
    }

    @Test("scale bars are round in each system of units")
    func scales() {
        #expect(mapScale(metresPerCell: 6.1, most: 24, .metric) == (16, "100 m"))
        #expect(mapScale(metresPerCell: 700, most: 24, .nautical) == (13, "5 NM"))
        #expect(mapScale(metresPerCell: 20, most: 24, .imperial) == (15, "1000 ft"))
        #expect(mapScale(metresPerCell: 1e9, most: 24, .metric).cells == 1)
    }
}
