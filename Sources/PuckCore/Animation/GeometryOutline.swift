extension ViewGeometry {
    /// The most positions that an outline has: one for each half degree of direction.
    static let outlineLimit = 720

    /// The geometry, or where it has many positions those of them that lie furthest out in each direction on the map. A
    /// fit comes out the same to a hundredth of a point: between two directions the furthest is missed by at most
    /// 1 − cos ¼° of the geometry's size.
    ///
    /// A geometry of half the way round the Earth and more is left as it is: which way round it lies is told by what is
    /// inside.
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
            // Neighbouring directions often share theirs.
            if outermost.last != furthest { outermost.append(furthest) }
        }
        return ViewGeometry(coordinates: outermost.map { coordinates[$0] })
    }
}
