import PuckCore
import Testing

@testable import PuckWire

@Suite("Requests: what the encoder writes the decoder reads")
struct RequestRoundTripTests {
    static let place = Coordinate(wrappingLongitude: 11.576_123_456_789, clampingLatitude: 48.137_212_3)
    static let camera = Camera(
        center: place, zoom: 16.25, bearing: 359.9, pitch: 45, padding: Padding(top: 1, left: 2.5, bottom: 3, right: 0))

    static var requests: [Request] {
        var everything = SubscribeOptions()
        everything.include = Set(StreamPart.allCases)
        everything.rate = .perSecond(59.94)
        everything.view = "map"
        everything.accuracy = .approximate
        everything.bearing = .course
        everything.minDistance = 0.5
        everything.minInterval = 1e-5
        everything.staleAfter = 30
        var motion = SubscribeOptions()
        motion.rate = .motion
        var follow = FollowOptions()
        follow.zoom = .client
        follow.bearing = .set(.constant(0))
        follow.pitch = .set(0.1)
        follow.padding = .set(Padding(bottom: 200))
        var followHeading = FollowOptions()
        followHeading.bearing = .set(.heading)
        followHeading.padding = .client
        var overview = OverviewOptions(
            geometry: ViewGeometry(coordinates: [place, Coordinate(wrappingLongitude: -180, clampingLatitude: -90)]))
        overview.padding = Padding(left: 1)
        overview.geometryPadding = Padding(right: 1)
        overview.maxZoom = 17
        overview.bearing = 12
        overview.pitch = 0
        overview.duration = 0
        var requests: [Request] = [
            .subscribe(SubscribeOptions()), .subscribe(everything), .subscribe(motion), .unsubscribe,
            .requestPrecise(purpose: "navigation"),
            .endPrecise, .release, .status, .ping, .who,
            .place(Placement(coordinate: place)),
            .place(everythingPlaced),
            .place(Placement(attitude: Attitude(heading: Direction(359.9), headingAccuracy: 180))),
            .place(Placement(attitude: Attitude(pitch: -90), instant: Instant(seconds: 12_307.559_906))),
            .place(Placement(attitude: Attitude(roll: 180))),
            .place(Placement(coordinate: place, accuracy: 5, heading: .north, speed: 3.25, course: Direction(90.5))),
            .view(name: "map", .trackNext), .view(name: nil, .idle), .view(name: "map", .idle),
            .view(name: nil, .follow(FollowOptions(), transition: .default)),
            .view(name: "a\"\\\u{1F600}", .follow(follow, transition: .immediate)),
            .view(name: nil, .follow(followHeading, transition: .default)),
            .view(name: nil, .overview(overview)),
            .view(name: nil, .overview(OverviewOptions(geometry: ViewGeometry(coordinates: [place])))),
            .view(name: nil, .ease(camera, duration: 1.3, curve: .easeOut)),
            .view(name: nil, .ease(Camera(zoom: 3), duration: nil, curve: nil)),
            .view(name: nil, .fly(camera, duration: nil, curve: nil)),
            .view(name: nil, .fly(camera, duration: 2, curve: .easeInOut)),
            .view(name: nil, .viewport(Viewport(width: 390, height: 844))),
            .view(name: nil, .marker(name: "bus", to: place, duration: 2, curve: .linear)),
            .view(name: nil, .removeMarker(name: "bus")),
        ]
        for mode in AccuracyMode.allCases {
            for scope in AccuracyScope.allCases { requests.append(.accuracy(mode, scope: scope)) }
        }
        for mode in TrackingMode.allCases { requests.append(.view(name: nil, .track(mode))) }
        for kind in GestureKind.allCases {
            for phase in GesturePhase.allCases {
                requests.append(.view(name: nil, .gesture(kind, phase: phase, camera: phase == .ended ? camera : nil)))
            }
        }
        return requests
    }

    static let everythingPlaced = {
        var placement = Placement(
            coordinate: place, accuracy: 0.25, heading: Direction(12.5), speed: 0, course: .north,
            instant: Instant(nanoseconds: 1_234_567_890_123))
        placement.altitude = -20_000
        placement.altitudeMSL = 8_848.86
        placement.altitudeAccuracy = 0
        placement.attitude.headingAccuracy = 0.5
        placement.attitude.pitch = 90
        placement.attitude.roll = -180
        return placement
    }()

    @Test("every request", arguments: requests)
    func everyRequest(request: Request) {
        for id in [nil, RequestID(7), .number("7.00"), .string("a\nb")] {
            let envelope = Envelope(id: id, request)
            var line = RequestEncoder.line(envelope)
            #expect(line.removeLast() == UInt8(ascii: "\n"))
            #expect(!line.contains(UInt8(ascii: "\n")))
            #expect(RequestDecoder.decode(line) == .success(envelope))
        }
    }
}
