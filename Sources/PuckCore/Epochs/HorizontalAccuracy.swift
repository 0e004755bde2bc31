/// A horizontal accuracy, and the figure of the receiver that it comes from: the best one of the epoch.
///
/// For most drivers, gpsd's error estimates are guesses (eph = HDOP × 19 m, epx and epy = DOP × 15 m), so their scale
/// is unreliable. gpsd's eps is a difference of these, ten times too large at 10 Hz, and is not used at all.
public struct HorizontalAccuracy: Hashable, Sendable {
    /// The sources of a figure, best first.
    public enum Source: String, CaseIterable, Hashable, Sendable {
        /// The receiver's own standard deviations (GST).
        case noise
        /// gpsd's eph.
        case eph
        /// gpsd's epx and epy.
        case axes
        /// The horizontal dilution of precision, multiplied by a constant.
        case hdop
    }

    /// 95 % radius, metres.
    public let radius: Double
    /// The source of the figure.
    public let source: Source

    /// The smallest accuracy that is accepted, metres: the antenna's phase centre and the map's datum are not known
    /// better, whatever an RTK receiver claims.
    public static let defaultFloor = 0.05
    /// Accuracy over which a figure means "unknown", metres: receivers send 9999 and the like.
    static let ceiling = 9_000.0
    /// 95 % radius for an HDOP of 1, metres, without and with corrections: the same as in gpsd's eph, so that the
    /// scale does not change when eph is missing from an epoch.
    static let perHDOP = (autonomous: 19.0, corrected: 4.75)

    /// The best figure of an epoch, at least `floor` metres; nil if it has none.
    public init?(of epoch: Epoch, floor: Double = Self.defaultFloor) {
        if let latitude = epoch.latitudeSigma, let longitude = epoch.longitudeSigma,
            let radius = Self.radius95(latitude, longitude), let known = Self.known(radius)
        {
            (self.radius, source) = (max(known, floor), .noise)
        } else if let eph = epoch.eph, let known = Self.known(eph) {
            (radius, source) = (max(known, floor), .eph)
        } else if let epx = epoch.epx, let epy = epoch.epy, let known = Self.known(hypot(epx, epy)) {
            (radius, source) = (max(known, floor), .axes)
        } else if let hdop = epoch.hdop, let known = Self.known(hdop * Self.metresPerHDOP(epoch.status)) {
            (radius, source) = (max(known, floor), .hdop)
        } else {
            return nil
        }
    }

    /// The radius that contains 95 % of a Gaussian with these standard deviations along two perpendicular axes. A
    /// cubic that approximates the exact solution within 0.3 %.
    static func radius95(_ a: Double, _ b: Double) -> Double? {
        guard a >= 0, b >= 0 else { return nil }
        let (larger, smaller) = (max(a, b), min(a, b))
        guard larger > 0 else { return 0 }
        let ratio = smaller / larger
        return larger * (1.96 + ratio * ratio * (0.14 + 0.3477 * ratio))
    }

    private static func known(_ figure: Double) -> Double? { figure > 0 && figure <= ceiling ? figure : nil }

    private static func metresPerHDOP(_ status: FixStatus) -> Double {
        switch status {
        case .differential, .rtkFixed, .rtkFloat: perHDOP.corrected
        case .normal, .deadReckoning, .gnssDeadReckoning, .surveyed, .simulated, .precisePositioning: perHDOP.autonomous
        }
    }
}
