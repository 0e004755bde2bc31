/// How far a motion may be from the frames that it stands for.
public enum MotionTolerance {
    /// A place: metres on the ground, or points of the screen, whichever is more.
    public static let place = (metres: 0.005, points: 0.05)
    /// A bearing or a pitch, degrees.
    public static let degrees = 0.05
    /// A zoom.
    public static let zoom = 0.001
    /// Padding, points.
    public static let padding = 0.05
    /// A height, metres.
    public static let height = 0.02
    /// An accuracy: metres, or this share of it, whichever is more.
    public static let accuracy = (metres: 0.02, share: 0.05)

    /// Metres of a degree of latitude.
    private static let metresPerDegree = radians(WGS84.meanRadius)

    /// 1 / the error that a channel is allowed, for each lane. `zoom`: the screen's; nil if it is not known. `value`: about
    /// where the channel is.
    static func scale(of channel: MotionChannel, at value: SIMD4<Double>, zoom: Double?) -> SIMD4<Double> {
        switch channel {
        case .position, .center, .marker:
            let latitude = value[1]
            let points = zoom.map { Self.place.points * WebMercator.metresPerPoint(latitude: latitude, zoom: $0) } ?? 0
            let north = metresPerDegree / max(place.metres, points)
            return SIMD4(north * cos(radians(latitude)), north, 0, 0)
        case .accuracy: return SIMD4(1 / max(accuracy.metres, accuracy.share * value[0]), 0, 0, 0)
        case .altitude: return SIMD4(1 / height, 1 / height, 0, 0)
        case .bearing, .cameraBearing, .pitch: return SIMD4(1 / degrees, 0, 0, 0)
        case .zoom: return SIMD4(1 / Self.zoom, 0, 0, 0)
        case .padding: return SIMD4(repeating: 1 / padding)
        }
    }
}

extension SIMD4<Double> {
    /// Its length, in the measure by which each lane is multiplied.
    func length(by scale: SIMD4<Double>) -> Double {
        let scaled: SIMD4<Double> = self * scale
        let squares: SIMD4<Double> = scaled * scaled
        return squares.sum().squareRoot()
    }
}
