import PuckCore
import PuckWire
import Testing

@testable import PuckServer

/// Two worlds that differ in where the device is, or in where a provider puts it: what a provider that sees the approximate
/// location can find out of the device, and what it leaves behind.
@Suite struct ApproximateProviderTests {
    /// What the device does in a world.
    private enum Device: CaseIterable {
        case stands, standsBeside, drives, losesFix
    }

    /// A provider with the approximate location, and another approximate client.
    private struct World {
        var bench = HubBench()
        let provider: ClientID
        let other: ClientID
        private let device: Device
        private var second = 0

        init(_ device: Device) {
            self.device = device
            provider = bench.connect(HubBench.steward)
            other = bench.connect(HubBench.stranger)
            for id in [provider, other] {
                bench.send(#"{"type":"subscribe","include":["puck","camera","source"]}"#, from: id)
            }
            live(minutes: 60, device: .stands)
        }

        mutating func live(minutes: Int) { live(minutes: minutes, device: device) }

        private mutating func live(minutes: Int, device: Device) {
            for _ in 0..<(minutes * 3) {
                second += 20
                switch device {
                case .stands: bench.fix()
                case .standsBeside: bench.fix(east: 700, north: -300)
                case .drives: bench.fix(east: Double(second - 3_600) * 25, speed: 25)
                case .losesFix: if second % 7_000 < 3_500 { bench.fix(mode: .none) } else { bench.fix() }
                }
                bench.run(20)
            }
        }

        mutating func place(east: Double, north: Double) {
            let there = LocalPlane(origin: Coordinate(wrappingLongitude: 8.5, clampingLatitude: 47.4))
                .unproject(east: east, north: north)
            bench.send(
                #"{"type":"place","id":"p","position":[\#(there.longitude),\#(there.latitude)],"accuracy":5}"#,
                from: provider)
        }

        func seen(by id: ClientID) -> [HubBench.Delivery] { bench.deliveries[id] ?? [] }
    }

    /// Places that a provider asks by: near the device and far, on rings and back to the middle.
    private static let questions: [(east: Double, north: Double)] =
        (0..<24).map { n in
            let ring = [600.0, 4_900, 5_100, 9_000][n % 4]
            return n % 3 == 0 ? (Double(n) * 100, 0) : (ring * (n % 2 == 0 ? 1 : -1), Double(n - 12) * 400)
        }

    @Test("eighteen questions and more: not a byte, and not the time of one, depends on where the device is")
    func questions() {
        func script(_ device: Device) -> [[HubBench.Delivery]] {
            var world = World(device)
            for question in Self.questions {
                world.place(east: question.east, north: question.north)
                world.live(minutes: 13)
            }
            return [world.provider, world.other].map(world.seen)
        }
        let one = script(.stands)
        // It is told something: its own places.
        #expect(Set(one[1].map(\.line).filter { $0.contains("position") }).count > 12)
        for device in Device.allCases { #expect(script(device) == one, "\(device)") }
    }

    @Test("a provider that places and releases again and again moves nothing of the device's: not a point, not a time")
    func leavesNothing() {
        func script(places: Bool, far: Double = 0) -> (pucks: [(UTC, Puck)], kept: [String]) {
            var world = World(.drives)
            for question in Self.questions {
                if places {
                    world.place(east: question.east + far, north: question.north)
                    world.place(east: question.east - far, north: question.north)
                }
                world.live(minutes: 3)
                if places { world.bench.send(#"{"type":"release"}"#, from: world.provider) }
                world.live(minutes: 12)
            }
            let late = world.bench.frames(to: world.other)
            var kept: [String] = []
            for case .coarsener(let state) in world.bench.kept {
                kept = state.text.split(separator: "\n").map(String.init)
            }
            // The frames of a provider count, and nothing else of it.
            kept.removeAll { $0.hasPrefix("sequence") || $0.hasPrefix("checksum") }
            return (late.compactMap { frame in frame.puck.map { (frame.moment.utc, $0) } }, kept)
        }
        let plain = script(places: false)
        for far in [0.0, 20_000, 90_000] {
            let provided = script(places: true, far: far)
            // All that is told without a provider is told with one, of the same epochs.
            let own = plain.pucks.map { "\($0.0) \($0.1.coordinate)" }
            let seen = Set(provided.pucks.map { "\($0.0) \($0.1.coordinate)" })
            #expect(own.count > 10)
            #expect(Set(own).isSubset(of: seen))
            #expect(provided.kept == plain.kept)
            #expect(plain.kept.contains { $0.hasPrefix("favourite") } && plain.kept.contains { $0.hasPrefix("next") })
        }
    }

    @Test("once it is released, what is told does not depend on where it was placed")
    func afterRelease() {
        func script(east: Double) -> [HubBench.Delivery] {
            var world = World(.stands)
            world.place(east: east, north: 0)
            world.live(minutes: 70)
            world.bench.send(#"{"type":"release"}"#, from: world.provider)
            world.bench.clear()
            world.live(minutes: 150)
            return world.seen(by: world.other)
        }
        let one = script(east: 30_000)
        #expect(one.count >= 3)
        #expect(script(east: 80_000) == one)
        #expect(script(east: -50_000) == one)
    }

    @Test("a restart while a location is placed goes on with the device's own, and under a number not used before")
    func restart() {
        var world = World(.stands)
        let before = world.bench.frames(to: world.other).last
        world.place(east: 50_000, north: 0)
        world.live(minutes: 80)
        let placed = world.bench.frames(to: world.other).last
        world.bench.restart(after: 5, seed: 3)
        let id = world.bench.connect(HubBench.stranger)
        world.bench.send(#"{"type":"subscribe"}"#, from: id)
        let after = world.bench.frames(to: id).first
        #expect(after?.puck?.coordinate == before?.puck?.coordinate)
        #expect(placed?.puck?.coordinate != before?.puck?.coordinate)
        #expect((after?.sequence ?? 0) > (placed?.sequence ?? 0))
    }
}
