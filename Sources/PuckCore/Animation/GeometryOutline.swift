extension ViewGeometry {
    /// The maximum number of positions of an outline: one for each half degree of direction.
    static let outlineLimit = 720

    /// The geometry, or, if it has many positions, those that are outermost in each direction on the map. A fit
    /// differs by at most a hundredth of a point: between two directions, the outermost position is missed by at most
    /// 1 − cos ¼° of the geometry's size.
    ///
    /// A geometry that spans at least half the Earth stays unchanged: only its inner positions show which way around
    /// the Earth it extends.
    public var outline: ViewGeometry {
        guard coordinates.count > Self.outlineLimit, let points = CameraFit.unwrapped(coordinates),
            let west = points.map(\.x).min(), let east = points.map(\.x).max(), east - west < WebMercator.tileSize / 2
        else { return self }
        var outermost: [Int] = []
        for step in 0..<Self.outlineLimit {
            let angle = 2 * .pi * Double(step) / Double(Self.outlineLimit)
            let (x, y) = (cos(angle), sin(angle))
            var (furthest, best) = (0, -Double.infinity)
            for (i, point) in points.enumerated() where point.x * x + point.y * y > best {
                (furthest, best) = (i, point.x * x + point.y * y)
            }
            // Neighbouring directions often have the same outermost position.
            if outermost.last != furthest { outermost.append(furthest) }
        }
        return ViewGeometry(coordinates: outermost.map { coordinates[$0] })
    }
}
