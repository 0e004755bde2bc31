import Testing

@testable import PuckCore

@Suite("Views: following") struct ViewsFollowTests {
    @Test("Following puts the puck in the middle of every frame")
    func follows() throws {
        var view = ViewState(name: "map")
        let cause = ViewCause(client: 1, accuracy: .precise)
        var puck = Puck(
            state: .live, accuracyMode: .precise, coordinate: try #require(Coordinate(longitude: 8, latitude: 50)),
            accuracy: 3)
        let start = Instant(seconds: 10)
        let events = try view.handle(.track(.follow), cause: cause, at: start, pucks: TierPucks(precise: puck)).get()
        #expect(events.first?.reason == .transitionSucceeded)
        puck.coordinate = try #require(Coordinate(longitude: 8.1, latitude: 50))
        let camera = view.camera(at: start.advanced(by: 1), puck: puck, tier: .precise)
        #expect(camera == Camera(center: puck.coordinate, bearing: 0))
        #expect(view.camera(at: start, puck: puck, tier: .approximate) == nil)
    }
}
