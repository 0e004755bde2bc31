import PuckCore
import PuckTestKit
import Testing

@testable import PuckWire

@Suite("Frames read back")
struct FrameRoundTripTests {
    /// A frame at random, each optional field there or not.
    static func frame(_ random: inout SeededGenerator, _ mode: AccuracyMode) -> Frame {
        func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
        func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &random) ? value : nil }
        func place() -> Coordinate {
            Coordinate(wrappingLongitude: number(-180...180), clampingLatitude: number(-90...90))
        }
        let states: [PuckState] = mode == .precise ? [.live, .predicted, .stale] : [.live, .stale]
        var puck = Puck(
            state: states.randomElement(using: &random) ?? .live, accuracyMode: mode, coordinate: place(),
            accuracy: number(0...20_000))
        puck.altitude = maybe(number(-500...9_000))
        puck.altitudeMSL = maybe(number(-500...9_000))
        puck.altitudeAccuracy = maybe(number(0...100))
        if let speed = maybe(number(0...100)) {
            puck.speed = speed
            puck.speedAccuracy = maybe(number(0...10))
        }
        if let course = Direction(wrapping: number(0...360)).flatMap(maybe) {
            puck.course = course
            puck.courseAccuracy = maybe(number(0...180))
        }
        if let heading = Direction(wrapping: number(0...360)).flatMap(maybe) {
            puck.heading = heading
            puck.headingAccuracy = maybe(number(0...180))
            puck.northReference = Bool.random(using: &random) ? .true : .magnetic
        }
        if let bearing = Direction(wrapping: number(0...360)).flatMap(maybe) {
            puck.bearing = bearing
            puck.bearingSource = [.heading, .course, .held].randomElement(using: &random)
        }
        puck.pitch = maybe(number(-90...90))
        puck.roll = maybe(number(-180...180))
        puck.stationary = maybe(Bool.random(using: &random))
        puck.discontinuity = Bool.random(using: &random)
        puck.estimated = Bool.random(using: &random)
        puck.fixTime = maybe(UTC(nanoseconds: Int64.random(in: 0...4_000_000_000_000_000_000, using: &random)))
        puck.age = maybe(number(0...1_000))
        var camera = Camera(
            center: maybe(place()), zoom: maybe(number(0...24)), bearing: maybe(number(0...359.999)),
            pitch: maybe(number(0...85)))
        camera.padding = maybe(Padding(top: number(0...999), left: 0, bottom: number(0...999), right: 0.5))
        let markers = (0..<Int.random(in: 0..<3, using: &random)).map {
            Marker(name: "marker \($0) \"é\\", coordinate: place(), moving: Bool.random(using: &random))
        }
        return Frame(
            sequence: UInt64.random(in: 0...(.max >> 12), using: &random),
            moment: Moment(
                monotonic: Instant(nanoseconds: Int64.random(in: 0...1_000_000_000_000_000, using: &random)),
                utc: UTC(nanoseconds: Int64.random(in: 0...4_000_000_000_000_000_000, using: &random))),
            view: maybe("map") ?? "", puck: mode == .approximate ? puck : maybe(puck), camera: maybe(camera),
            markers: maybe(markers))
    }

    private func line(_ frame: Frame, _ mode: AccuracyMode) -> [UInt8] {
        var bytes: [UInt8] = []
        FrameEncoder.append(frame, for: mode, to: &bytes)
        return Array(bytes.dropLast())
    }

    private func isNear(_ a: Double?, _ b: Double?, _ step: Double) -> Bool {
        guard let a, let b else { return (a == nil) == (b == nil) }
        return abs(a - b) <= step * 0.500_001
    }
    private func isNear(_ a: Direction?, _ b: Direction?) -> Bool {
        guard let a, let b else { return (a == nil) == (b == nil) }
        return abs(a.turn(to: b)) <= 0.000_500_001
    }
    private func isNear(_ a: Coordinate?, _ b: Coordinate?, _ step: Double) -> Bool {
        guard let a, let b else { return (a == nil) == (b == nil) }
        return abs(shortestTurn(from: a.longitude, to: b.longitude)) <= step * 0.500_001
            && abs(a.latitude - b.latitude) <= step * 0.500_001
    }

    @Test("a precise frame comes back within its rounding", arguments: 0..<4)
    func precise(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<1_000 {
            let sent = Self.frame(&random, .precise)
            let message = try ServerMessageDecoder.decode(line(sent, .precise))
            guard case .frame(let frame) = message else {
                Issue.record("not a frame")
                return
            }
            #expect(frame.sequence == sent.sequence)
            #expect(frame.view == sent.view)
            #expect(0..<1_000 ~= sent.moment.monotonic.nanoseconds - frame.moment.monotonic.nanoseconds)
            #expect(0..<1_000_000 ~= sent.moment.utc.nanoseconds - frame.moment.utc.nanoseconds)
            #expect((frame.puck == nil) == (sent.puck == nil))
            if let a = frame.puck, let b = sent.puck { check(a, b) }
            #expect((frame.camera == nil) == (sent.camera == nil))
            #expect(isNear(frame.camera?.center, sent.camera?.center, 1e-9))
            #expect(isNear(frame.camera?.zoom, sent.camera?.zoom, 1e-5))
            #expect(isNear(frame.camera?.bearing, sent.camera?.bearing, 1e-3))
            #expect(isNear(frame.camera?.pitch, sent.camera?.pitch, 1e-3))
            #expect(isNear(frame.camera?.padding?.top, sent.camera?.padding?.top, 1e-2))
            #expect(isNear(frame.camera?.padding?.bottom, sent.camera?.padding?.bottom, 1e-2))
            #expect(frame.markers?.map(\.name) == sent.markers?.map(\.name))
            #expect(frame.markers?.map(\.moving) == sent.markers?.map(\.moving))
            for (a, b) in zip(frame.markers ?? [], sent.markers ?? []) {
                #expect(isNear(a.coordinate, b.coordinate, 1e-9))
            }
        }
    }

    private func check(_ a: Puck, _ b: Puck) {
        #expect(a.state == b.state)
        #expect(a.accuracyMode == b.accuracyMode)
        #expect(isNear(a.coordinate, b.coordinate, 1e-9))
        let metres: [KeyPath<Puck, Double?> & Sendable] = [
            \.altitude, \.altitudeMSL, \.altitudeAccuracy, \.speed, \.speedAccuracy, \.courseAccuracy,
            \.headingAccuracy, \.pitch, \.roll, \.age,
        ]
        for path in metres { #expect(isNear(a[keyPath: path], b[keyPath: path], 1e-3)) }
        #expect(isNear(a.accuracy, b.accuracy, 1e-3))
        #expect(isNear(a.course, b.course))
        #expect(isNear(a.heading, b.heading))
        #expect(isNear(a.bearing, b.bearing))
        #expect(a.northReference == b.northReference)
        #expect(a.bearingSource == b.bearingSource)
        #expect(a.stationary == b.stationary)
        #expect(a.discontinuity == b.discontinuity)
        #expect(a.estimated == b.estimated)
        #expect((a.fixTime == nil) == (b.fixTime == nil))
        if let x = a.fixTime, let y = b.fixTime { #expect(0..<1_000_000 ~= y.nanoseconds - x.nanoseconds) }
    }

    @Test(
        "of an approximate frame only the four fields come back, to the minute",
        arguments: [AccuracyMode.precise, .approximate])
    func approximate(client: AccuracyMode) throws {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<500 {
            let sent = Self.frame(&random, .approximate)
            guard case .frame(let frame) = try ServerMessageDecoder.decode(line(sent, client)), let puck = frame.puck,
                let original = sent.puck
            else {
                Issue.record("not a frame with a puck")
                return
            }
            let allowed = Puck(
                state: original.state, accuracyMode: .approximate, coordinate: puck.coordinate, accuracy: puck.accuracy)
            #expect(puck == allowed)
            #expect(isNear(puck.coordinate, original.coordinate, 1e-5))
            #expect(isNear(puck.accuracy, original.accuracy, 1e-3))
            #expect(frame.moment == sent.moment.flooredToMinute)
        }
    }

    @Test("frames are what the schema says")
    func schema() throws {
        let schema = try JSONSchema.ofProtocol()
        var random = SeededGenerator(seed: 10)
        for index in 0..<300 {
            let mode: AccuracyMode = index.isMultiple(of: 3) ? .approximate : .precise
            let line = line(Self.frame(&random, mode), mode)
            let problems = schema.problems(of: line, as: "message")
            #expect(problems == [], "\(String(decoding: line, as: UTF8.self))")
        }
    }
}
