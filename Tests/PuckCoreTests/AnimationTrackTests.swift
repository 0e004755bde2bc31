import Testing

@testable import PuckCore

@Suite("Animation: tracks") struct AnimationTrackTests {
    private func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
        try #require(Coordinate(longitude: longitude, latitude: latitude))
    }

    @Test("Its length is that of its legs, and every metre along it is a metre")
    func length() throws {
        let corners = [try place(47.4, 8.5), try place(47.41, 8.5), try place(47.41, 8.52), try place(47.3, 8.4)]
        let track = GeodesicTrack(corners)
        let legs = zip(corners, corners.dropFirst()).compactMap { Geodesic(from: $0, to: $1)?.distance }
        #expect(abs(track.length - legs.reduce(0, +)) < 1e-6)
        for (i, corner) in corners.enumerated() {
            let there = track.position(after: legs[..<min(i, legs.count)].reduce(0, +)).coordinate
            #expect(greatCircleDistance(there, corner) < 0.001)
        }
        var last = track.position(after: 0).coordinate
        for step in 1...Int(track.length / 10) {
            let next = track.position(after: Double(step) * 10).coordinate
            let way = try #require(Geodesic(from: last, to: next)).distance
            // Less only where it turns a corner.
            #expect(way < 10.000_1 && way > 3)
            last = next
        }
    }

    @Test("It heads for the end of its leg, through north and over the antimeridian too")
    func directions() throws {
        let track = GeodesicTrack([try place(0, 179.99), try place(0, -179.99), try place(0.01, -179.99)])
        let first = track.position(after: 100)
        #expect(abs(try #require(first.direction).degrees - 90) < 1e-6)
        let over = track.position(after: 1_500)
        #expect(over.coordinate.longitude < 0 && abs(over.coordinate.latitude) < 1e-9)
        let north = track.position(after: track.length - 1)
        #expect(abs(shortestTurn(from: 0, to: try #require(north.direction).degrees)) < 1e-6)
        let end = track.position(after: track.length)
        #expect(greatCircleDistance(end.coordinate, try place(0.01, -179.99)) < 0.001)
        #expect(abs(shortestTurn(from: 0, to: try #require(end.direction).degrees)) < 1e-6)
    }

    @Test("Outside of it one is at its start or end; points that stand twice, or alone, make no leg")
    func ends() throws {
        let (a, b) = (try place(47, 8), try place(48, 8))
        let track = GeodesicTrack([a, a, b, b])
        #expect(track.position(after: -5).coordinate == a)
        #expect(track.position(after: 1e9).coordinate == b)
        #expect(abs(track.length - (Geodesic(from: a, to: b)?.distance ?? 0)) < 1e-9)
        let alone = GeodesicTrack([a])
        #expect(
            alone.length == 0 && alone.position(after: 3).coordinate == a && alone.position(after: 3).direction == nil)
    }
}
