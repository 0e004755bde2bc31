import Testing

@testable import PuckCore

@Suite("Animation: fitting a camera") struct AnimationFitTests {
    private func place(_ longitude: Double, _ latitude: Double) throws -> Coordinate {
        try #require(Coordinate(longitude: longitude, latitude: latitude))
    }

    /// Where a coordinate is drawn, points right and up from where the camera's centre stands: the renderer's
    /// projection, by rotating and dividing.
    private func drawn(_ coordinate: Coordinate, by camera: Camera, in viewport: Viewport) throws -> (
        x: Double, y: Double
    ) {
        let center = try #require(camera.center)
        let scale = WebMercator.scale(zoom: try #require(camera.zoom))
        let offset = WebMercator.shortestOffset(from: center, to: coordinate) * scale
        let turn = radians(try #require(camera.bearing))
        let pitch = radians(try #require(camera.pitch))
        let right = offset.x * cos(turn) + offset.y * sin(turn)
        let ahead = offset.x * sin(turn) - offset.y * cos(turn)
        let eye = viewport.height / 2 / tan(radians(viewport.fieldOfView) / 2)
        let depth = eye + ahead * sin(pitch)
        try #require(depth > 0)
        return (right * eye / depth, ahead * cos(pitch) * eye / depth)
    }

    /// How far the drawn geometry is from the edges of the room it has: all ≥ 0 where it fits, one 0 where it
    /// could come no closer.
    private func margins(_ fit: CameraFit, _ camera: Camera, _ geometry: [Coordinate]) throws -> [Double] {
        let points = try geometry.map { try drawn($0, by: camera, in: fit.viewport) }
        let halfWidth = (fit.viewport.width - fit.padding.left - fit.padding.right) / 2
        let halfHeight = (fit.viewport.height - fit.padding.top - fit.padding.bottom) / 2
        return [
            try #require(points.map(\.x).min()) + halfWidth - fit.geometryPadding.left,
            halfWidth - fit.geometryPadding.right - (try #require(points.map(\.x).max())),
            try #require(points.map(\.y).min()) + halfHeight - fit.geometryPadding.bottom,
            halfHeight - fit.geometryPadding.top - (try #require(points.map(\.y).max())),
        ]
    }

    @Test("Straight down: a degree of the equator on 512 points is zoom log₂ 360")
    func plain() throws {
        let fit = CameraFit(viewport: Viewport(width: 512, height: 512))
        let camera = try #require(fit.camera(for: [try place(0, 0), try place(1, 0)]))
        #expect(abs((try #require(camera.zoom)) - log2(360)) < 1e-9)
        #expect(abs((try #require(camera.center)).longitude - 0.5) < 1e-9)
        #expect(camera.bearing == 0 && camera.pitch == 0)
    }

    @Test("Any geometry, turned, tilted and padded, is inside its room, and could not be seen closer")
    func property() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<500 {
            let fit = CameraFit(
                viewport: Viewport(width: random.next(in: 300...2000), height: random.next(in: 300...2000)),
                padding: Padding(
                    top: random.next(in: 0...80), left: random.next(in: 0...80), bottom: random.next(in: 0...80),
                    right: random.next(in: 0...80)),
                geometryPadding: Padding(
                    top: random.next(in: 0...50), left: random.next(in: 0...50), bottom: random.next(in: 0...50),
                    right: random.next(in: 0...50)),
                bearing: random.next(in: 0...359.9), pitch: random.next(in: 0...60))
            let (longitude, latitude) = (random.next(in: -180...180), random.next(in: -70...70))
            let size = random.next(in: 0.001...3)
            let geometry = (0..<6).map { _ in
                Coordinate(
                    wrappingLongitude: longitude + random.next(in: -size...size),
                    clampingLatitude: latitude + random.next(in: -size...size))
            }
            let camera = try #require(fit.camera(for: geometry))
            let least = try #require(try margins(fit, camera, geometry).min())
            #expect(least > -1e-3, "\(fit)")
            var closer = camera
            closer.zoom = try #require(camera.zoom) + 0.01
            // No centre makes a closer zoom fit: try them all round the one found.
            let step = 20 / WebMercator.scale(zoom: try #require(closer.zoom))
            for x in -2...2 {
                for y in -2...2 {
                    closer.center = camera.center?.moved(by: MapPoint(x: Double(x) * step, y: Double(y) * step))
                    #expect(try #require(try margins(fit, closer, geometry).min()) < 0)
                }
            }
        }
    }

    @Test("Across the antimeridian the shorter span is shown")
    func antimeridian() throws {
        let fit = CameraFit(viewport: Viewport(width: 512, height: 512))
        let fiji = [try place(177, -19), try place(-179, -16), try place(179.5, -17)]
        let camera = try #require(fit.camera(for: fiji))
        #expect(abs((try #require(camera.center)).longitude - 179) < 1e-9)
        #expect((try #require(camera.zoom)) > 6)
        #expect(try #require(try margins(fit, camera, fiji).min()) > -1e-6)
    }

    @Test("A position alone is shown as close as following does, or as is said")
    func lone() throws {
        var fit = CameraFit(viewport: Viewport(width: 400, height: 800), pitch: 45)
        let here = try place(8, 50)
        let camera = try #require(fit.camera(for: [here, here]))
        #expect(camera.zoom == 16.35)
        let drawn = try drawn(here, by: camera, in: fit.viewport)
        #expect(abs(drawn.x) < 1e-3)
        fit.maxZoom = 12
        #expect(fit.camera(for: [here])?.zoom == 12)
    }

    @Test("It comes no closer than it may, and what is smaller stands in the middle")
    func limit() throws {
        let fit = CameraFit(
            viewport: Viewport(width: 400, height: 400), geometryPadding: Padding(bottom: 100), maxZoom: 10)
        let camera = try #require(fit.camera(for: [try place(8, 50), try place(8.001, 50)]))
        #expect(camera.zoom == 10)
        // 100 points of padding at the bottom push it 50 up.
        let middle = try drawn(try place(8.0005, 50), by: camera, in: fit.viewport)
        #expect(abs(middle.x) < 1e-6)
        #expect(abs(middle.y - 50) < 1e-6)
    }

    @Test("A straight line has no width, the whole world no greater zoom than 0, and neither does harm")
    func spans() throws {
        var fit = CameraFit(viewport: Viewport(width: 512, height: 512), pitch: 30)
        let meridian = try #require(fit.camera(for: [try place(8, 0), try place(8, 10)]))
        #expect((try #require(meridian.zoom)) > 3)
        fit.pitch = 0
        let world = try #require(fit.camera(for: [try place(-180, -90), try place(0, 0), try place(179, 90)]))
        #expect(world.zoom == 0)
    }

    @Test("Nothing to see, or no room to see it in, is no camera")
    func impossible() throws {
        let here = try place(8, 50)
        #expect(CameraFit(viewport: Viewport(width: 400, height: 400)).camera(for: []) == nil)
        let narrow = CameraFit(viewport: Viewport(width: 400, height: 400), padding: Padding(left: 200, right: 200))
        #expect(narrow.camera(for: [here]) == nil)
        let low = CameraFit(
            viewport: Viewport(width: 400, height: 400), padding: Padding(top: 10), geometryPadding: Padding(top: 400))
        #expect(low.camera(for: [here]) == nil)
    }

    @Test("A sheet over most of the screen leaves the geometry its strip")
    func sheet() throws {
        let geometry = [try place(8, 50), try place(8.2, 50.1)]
        for pitch in [0.0, 30, 50] {
            let fit = CameraFit(
                viewport: Viewport(width: 400, height: 800), geometryPadding: Padding(bottom: 500), pitch: pitch)
            let camera = try #require(fit.camera(for: geometry))
            #expect(try #require(try margins(fit, camera, geometry).min()) > -1e-3)
        }
    }

    @Test("Tilted to the horizon it still fits what is in front of it")
    func steep() throws {
        let geometry = [try place(8, 50), try place(8.2, 50.1)]
        for pitch in [75.0, 85] {
            let fit = CameraFit(viewport: Viewport(width: 800, height: 1200), pitch: pitch)
            let camera = try #require(fit.camera(for: geometry))
            #expect((try #require(camera.zoom)).isFinite)
            #expect(try #require(try margins(fit, camera, geometry).min()) > -1e-3)
        }
    }

    @Test("The outline of a long geometry is seen from the same camera as all of it, and has few positions")
    func outline() throws {
        var random = SeededGenerator(seed: 12)
        for _ in 0..<5 {
            let (west, south) = (random.next(in: -180...180), random.next(in: -70...50))
            let (width, height) = (random.next(in: 0.01...170), random.next(in: 0.01...20))
            let all = (0..<3_000).map { i in
                // A ring: every one of its positions is a corner.
                let angle = Double(i) / 3_000 * 2 * Double.pi
                return Coordinate(
                    wrappingLongitude: west + (1 + cos(angle)) / 2 * width,
                    clampingLatitude: south + (1 + sin(angle)) / 2 * height)
            }
            let outline = ViewGeometry(coordinates: all).outline.coordinates
            #expect(outline.count <= ViewGeometry.outlineLimit && Set(outline).isSubset(of: Set(all)))
            let fit = CameraFit(
                viewport: Viewport(width: 400, height: 800), bearing: random.next(in: 0...359),
                pitch: random.next(in: 0...60))
            let (a, b) = (try #require(fit.camera(for: all)), try #require(fit.camera(for: outline)))
            let zoom = try #require(a.zoom)
            #expect(abs(zoom - (try #require(b.zoom))) < 1e-4)
            let off = WebMercator.shortestOffset(from: try #require(a.center), to: try #require(b.center))
            #expect(off.length * WebMercator.scale(zoom: zoom) < 0.1)
        }
    }

    @Test("What has few positions, or goes round the Earth, is its own outline")
    func noOutline() throws {
        let few = ViewGeometry(coordinates: try (0..<700).map { try place(Double($0) / 10, 10) })
        #expect(few.outline == few)
        let round = ViewGeometry(coordinates: try (0..<3_600).map { try place(Double($0) / 10 - 180, 0) })
        #expect(round.outline == round)
        #expect(ViewGeometry(coordinates: []).outline.coordinates.isEmpty)
    }
}
