import Testing

@testable import PuckCore

@Suite("Coordinates on a screen")
struct ScreenProjectionTests {
    private func projection(_ center: Coordinate, zoom: Double, bearing: Double) -> ScreenProjection {
        ScreenProjection(center: center, zoom: zoom, bearing: bearing, width: 400, height: 300)
    }

    @Test("the centre is in the middle, north is up, and a bearing turns the map around it")
    func directions() {
        let center = Coordinate(wrappingLongitude: 8.5, clampingLatitude: 47.4)
        let north = Coordinate(wrappingLongitude: 8.5, clampingLatitude: 47.401)
        #expect(projection(center, zoom: 15, bearing: 77).point(of: center) == (200, 150))
        let length = 0.001 * 512 * 32_768 / 360 / cos(radians(47.4))
        for (bearing, x, y) in [(0.0, 200, 150 - length), (90, 200 - length, 150), (180, 200, 150 + length)] {
            let point = projection(center, zoom: 15, bearing: bearing).point(of: north)
            #expect(abs(point.x - x) < 0.01 && abs(point.y - y) < 0.01, "\(bearing): \(point)")
        }
    }

    @Test("the short way round is taken across the antimeridian")
    func antimeridian() {
        let point = projection(Coordinate(wrappingLongitude: 179.9, clampingLatitude: 0), zoom: 8, bearing: 0)
            .point(of: Coordinate(wrappingLongitude: -179.9, clampingLatitude: 0))
        #expect(abs(point.x - (200 + 0.2 * 512 * 256 / 360)) < 1e-6)
    }

    @Test("metres in a point follow from zoom and latitude")
    func metres() {
        let metres = projection(Coordinate(wrappingLongitude: 0, clampingLatitude: 60), zoom: 10, bearing: 0)
            .metresPerPoint
        #expect(abs(metres - 40_075_016.686 / 512 / 1_024 / 2) < 1e-6)
    }
}
