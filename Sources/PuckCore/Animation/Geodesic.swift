/// The shortest path between two positions on the WGS 84 ellipsoid.
///
/// T. Vincenty, "Direct and inverse solutions of geodesics on the ellipsoid", Survey Review XXIII/176, 1975. Agrees
/// with Karney's GeographicLib to a tenth of a millimetre and to 1e-6° wherever it converges; differences of latitude
/// are taken before the sines, so that steps of centimetres keep their direction.
public struct Geodesic: Hashable, Sendable {
    /// Metres.
    public let distance: Double
    /// The initial direction, from true north; nil if the positions are equal.
    public let azimuth: Direction?

    /// The path from one position to another; nil if the method does not converge, within half a degree of the
    /// antipode, from which all directions are about equal.
    public init?(from start: Coordinate, to end: Coordinate) {
        let flattening = 1 - (1 - WGS84.eccentricitySquared).squareRoot()
        let difference = radians(shortestTurn(from: start.longitude, to: end.longitude))
        // Reduced latitudes, and the sine of their difference.
        let (u1, u2) = (Self.reduced(start.latitude, flattening), Self.reduced(end.latitude, flattening))
        let (sin1, cos1, sin2, cos2) = (sin(u1), cos(u1), sin(u2), cos(u2))
        let northward = sin(Self.reducedDifference(start.latitude, end.latitude, flattening))

        var lambda = difference
        for _ in 0..<Self.mostSteps {
            let half = sin(lambda / 2)
            let east = cos2 * sin(lambda)
            let north = northward + 2 * sin1 * cos2 * half * half
            let sinSigma = hypot(east, north)
            guard sinSigma > 0 else {
                guard difference == 0, northward == 0 else { return nil }
                distance = 0
                azimuth = nil
                return
            }
            let cosSigma = sin1 * sin2 + cos1 * cos2 * cos(lambda)
            let sigma = atan2(sinSigma, cosSigma)
            let sinAlpha = cos1 * east / sinSigma
            let cosAlpha2 = 1 - sinAlpha * sinAlpha
            // Along the equator there is no northernmost point as a reference.
            let cosMiddle = cosAlpha2 > 0 ? cosSigma - 2 * sin1 * sin2 / cosAlpha2 : 0
            let c = flattening / 16 * cosAlpha2 * (4 + flattening * (4 - 3 * cosAlpha2))
            let next =
                difference + (1 - c) * flattening * sinAlpha
                * (sigma + c * sinSigma * (cosMiddle + c * cosSigma * (2 * cosMiddle * cosMiddle - 1)))
            guard abs(next) <= .pi else { return nil }
            let isClose = abs(next - lambda) <= Self.tolerance * abs(next)
            lambda = next
            if isClose {
                distance = Self.length(
                    sigma: sigma, sinSigma: sinSigma, cosSigma: cosSigma, cosMiddle: cosMiddle, cosAlpha2: cosAlpha2)
                azimuth = Direction(wrapping: degrees(atan2(east, north)))
                return
            }
        }
        return nil
    }

    /// The position at a distance in metres, straight on in an initial direction. (Vincenty's direct solution)
    public static func destination(from start: Coordinate, azimuth: Direction, distance: Double) -> Coordinate {
        let flattening = 1 - (1 - WGS84.eccentricitySquared).squareRoot()
        let minor = WGS84.semiMajorAxis * (1 - flattening)
        let u1 = reduced(start.latitude, flattening)
        let (sin1, cos1) = (sin(u1), cos(u1))
        let (sinAzimuth, cosAzimuth) = (sin(radians(azimuth.degrees)), cos(radians(azimuth.degrees)))
        let sigma1 = atan2(sin1, cos1 * cosAzimuth)
        let sinAlpha = cos1 * sinAzimuth
        let cosAlpha2 = 1 - sinAlpha * sinAlpha
        let (a, b) = seriesCoefficients(cosAlpha2: cosAlpha2)
        var sigma = distance / (minor * a)
        for _ in 0..<mostSteps {
            let next =
                distance / (minor * a)
                + correction(b, sinSigma: sin(sigma), cosSigma: cos(sigma), cosMiddle: cos(2 * sigma1 + sigma))
            let isClose = abs(next - sigma) <= tolerance * abs(next)
            sigma = next
            if isClose { break }
        }
        let (sinSigma, cosSigma, cosMiddle) = (sin(sigma), cos(sigma), cos(2 * sigma1 + sigma))
        let across = sin1 * sinSigma - cos1 * cosSigma * cosAzimuth
        let latitude = atan2(
            sin1 * cosSigma + cos1 * sinSigma * cosAzimuth, (1 - flattening) * hypot(sinAlpha, across))
        let lambda = atan2(sinSigma * sinAzimuth, cos1 * cosSigma - sin1 * sinSigma * cosAzimuth)
        let c = flattening / 16 * cosAlpha2 * (4 + flattening * (4 - 3 * cosAlpha2))
        let difference =
            lambda
            - (1 - c) * flattening * sinAlpha
            * (sigma + c * sinSigma * (cosMiddle + c * cosSigma * (2 * cosMiddle * cosMiddle - 1)))
        return Coordinate(
            wrappingLongitude: start.longitude + degrees(difference), clampingLatitude: degrees(latitude))
    }

    private static func reduced(_ latitude: Double, _ flattening: Double) -> Double {
        atan2((1 - flattening) * sin(radians(latitude)), cos(radians(latitude)))
    }

    /// The second minus the first, from their own small difference.
    private static func reducedDifference(_ first: Double, _ second: Double, _ flattening: Double) -> Double {
        let (p1, p2) = (radians(first), radians(second))
        let ratio = 1 - flattening
        return atan2(ratio * sin(radians(second - first)), cos(p1) * cos(p2) + ratio * ratio * sin(p1) * sin(p2))
    }

    private static func length(
        sigma: Double, sinSigma: Double, cosSigma: Double, cosMiddle: Double, cosAlpha2: Double
    ) -> Double {
        let (a, b) = seriesCoefficients(cosAlpha2: cosAlpha2)
        let minor = WGS84.semiMajorAxis * (1 - WGS84.eccentricitySquared).squareRoot()
        return minor * a * (sigma - correction(b, sinSigma: sinSigma, cosSigma: cosSigma, cosMiddle: cosMiddle))
    }

    /// A and B of Vincenty's series.
    private static func seriesCoefficients(cosAlpha2: Double) -> (a: Double, b: Double) {
        let u2 = cosAlpha2 * WGS84.eccentricitySquared / (1 - WGS84.eccentricitySquared)
        let a = 1 + u2 / 16384 * (4096 + u2 * (u2 * (320 - 175 * u2) - 768))
        let b = u2 / 1024 * (256 + u2 * (u2 * (74 - 47 * u2) - 128))
        return (a, b)
    }

    /// Δσ of Vincenty's series.
    private static func correction(_ b: Double, sinSigma: Double, cosSigma: Double, cosMiddle: Double) -> Double {
        let middle2 = cosMiddle * cosMiddle
        let inner = cosSigma * (2 * middle2 - 1)
        let outer = b / 6 * cosMiddle * (4 * sinSigma * sinSigma - 3) * (4 * middle2 - 3)
        return b * sinSigma * (cosMiddle + b / 4 * (inner - outer))
    }

    /// Tolerance of the difference of longitude, as a share of it: small steps are as exact as long ones.
    private static let tolerance = 1e-12
    /// The maximum number of iterations; more do not help.
    private static let mostSteps = 100
}
