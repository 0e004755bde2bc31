import Testing

@testable import PuckCore

/// A view with two clients and a hand-driven clock, so that its tests read as timelines.
struct ViewsBench {
    static let preciseClient = ViewCause(client: 1, request: "7", accuracy: .precise)
    static let approximateClient = ViewCause(client: 2, request: "\"b\"", accuracy: .approximate)

    var view = ViewState(name: "map")
    /// Seconds.
    var now = 100.0
    var precise: Puck?
    var approximate: Puck?
    /// All that was told, in order.
    var log: [ViewEvent] = []
    /// Added to the precise puck's longitude each second.
    var drift = 0.0

    var instant: Instant { Instant(seconds: now) }
    var pucks: TierPucks { TierPucks(precise: precise, approximate: approximate) }

    /// Two pucks, near each other.
    static func withPucks() throws -> ViewsBench {
        var bench = ViewsBench()
        bench.precise = Puck(
            state: .live, accuracyMode: .precise, coordinate: try place(8, 50), accuracy: 3)
        bench.approximate = Puck(
            state: .live, accuracyMode: .approximate, coordinate: try place(8.02, 50.01), accuracy: 5000)
        return bench
    }

    static func place(_ longitude: Double, _ latitude: Double) throws -> Coordinate {
        try #require(Coordinate(longitude: longitude, latitude: latitude))
    }

    /// Sends a command and gives the reasons that the sender's tier is told.
    @discardableResult
    mutating func send(_ command: ViewCommand, by cause: ViewCause = preciseClient) throws -> [ViewChangeReason] {
        let events = try view.handle(command, cause: cause, at: instant, pucks: pucks).get()
        log += events
        return events.filter { $0.tier == cause.accuracy }.map(\.reason)
    }

    /// Lets time go by in frames; each is handed over with the precise tier's camera.
    mutating func run(
        for seconds: Double, step: Double = 1.0 / 60, _ frame: (ViewsBench, Camera?) throws -> Void = { _, _ in }
    ) throws {
        let start = now
        let puckStart = precise?.coordinate
        for index in 1...max(1, Int((seconds / step).rounded())) {
            now = start + Double(index) * step
            if drift != 0, let from = puckStart {
                precise?.coordinate = Coordinate(
                    wrappingLongitude: from.longitude + drift * (now - start), clampingLatitude: from.latitude)
            }
            log += view.advance(to: instant, pucks: pucks)
            try frame(self, camera())
        }
    }

    func camera(_ tier: AccuracyMode = .precise) -> Camera? {
        view.camera(at: instant, puck: tier == .precise ? precise : approximate, tier: tier)
    }

    /// The present camera as a client tells it, before anything follows.
    mutating func tell(_ camera: Camera, by cause: ViewCause = preciseClient) throws {
        try send(.gesture(.pan, phase: .ended, camera: camera), by: cause)
    }

    /// What was told to a tier, and forgets it.
    mutating func told(_ tier: AccuracyMode = .precise) -> [ViewChangeReason] {
        defer { log.removeAll { $0.tier == tier } }
        return log.filter { $0.tier == tier }.map(\.reason)
    }
}

/// How far two cameras' centres are apart, points at the zoom that both have.
func pointsApart(_ a: Camera, _ b: Camera, zoom: Double) throws -> Double {
    let (from, to) = (try #require(a.center), try #require(b.center))
    return WebMercator.shortestOffset(from: from, to: to).length * WebMercator.scale(zoom: zoom)
}
