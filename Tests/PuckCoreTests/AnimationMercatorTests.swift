import Testing

@testable import PuckCore

@Suite("Animation: Web Mercator") struct AnimationMercatorTests {
    private func place(_ longitude: Double, _ latitude: Double) throws -> Coordinate {
        try #require(Coordinate(longitude: longitude, latitude: latitude))
    }

    @Test("The world is one tile of 512 points at zoom 0, with its seam at the antimeridian")
    func corners() throws {
        #expect(WebMercator.worldSize(zoom: 0) == 512)
        #expect(WebMercator.worldSize(zoom: 3) == 4096)
        let middle = WebMercator.project(try place(0, 0))
        #expect(middle == MapPoint(x: 256, y: 256))
        let corner = WebMercator.project(try place(-180, WebMercator.maxLatitude))
        #expect(corner.x == 0)
        #expect(abs(corner.y) < 1e-9)
        #expect(abs(WebMercator.project(try place(0, -90)).y - 512) < 1e-9)
    }

    @Test("A known tile: Berlin's Brandenburg Gate is in tile 17/70406/42987 of OpenStreetMap")
    func knownTile() throws {
        let point = WebMercator.project(try place(13.377_704, 52.516_275))
        let tiles = exp2(17) / WebMercator.tileSize
        #expect(Int(point.x * tiles) == 70406)
        #expect(Int(point.y * tiles) == 42987)
    }

    @Test("There and back is the same place, everywhere on the map")
    func roundTrip() throws {
        for longitude in stride(from: -180.0, to: 180, by: 7.3) {
            for latitude in stride(from: -85.0, through: 85, by: 4.9) {
                let start = try place(longitude, latitude)
                let back = WebMercator.unproject(WebMercator.project(start))
                #expect(abs(shortestTurn(from: start.longitude, to: back.longitude)) < 1e-9)
                #expect(abs(back.latitude - latitude) < 1e-9)
            }
        }
    }

    @Test("A point is as many metres as the map SDKs say")
    func metres() {
        // 78,271.516964 m at zoom 0 of 512-point tiles on the equator; half at 60°.
        #expect(abs(WebMercator.metresPerPoint(latitude: 0, zoom: 0) - 78_271.516_964) < 1e-5)
        #expect(abs(WebMercator.metresPerPoint(latitude: 60, zoom: 0) - 39_135.758_482) < 1e-5)
        #expect(abs(WebMercator.metresPerPoint(latitude: 0, zoom: 16) - 1.194_328_566) < 1e-8)
        #expect(WebMercator.metresPerPoint(latitude: 90, zoom: 0) > 0)
    }

    @Test("P5 179.9° → −179.9° longitude is a step of 0.2°")
    func seam() throws {
        let offset = WebMercator.shortestOffset(from: try place(179.9, 0), to: try place(-179.9, 0))
        #expect(abs(offset.x - 512 * 0.2 / 360) < 1e-9)
        let back = try place(179.9, 10).moved(by: offset)
        #expect(abs(back.longitude + 179.9) < 1e-9)
        #expect(abs(back.latitude - 10) < 1e-9)
    }

    @Test("Far off the map is on its edge")
    func beyond() {
        for y in [-1e300, -1e5, 1e5, 1e300] {
            let coordinate = WebMercator.unproject(MapPoint(x: 1e6, y: y))
            #expect(abs(coordinate.latitude) <= WebMercator.maxLatitude)
            #expect((-180..<180).contains(coordinate.longitude))
        }
    }
}
