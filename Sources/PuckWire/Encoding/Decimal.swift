/// A number as a whole count of decimal steps: what goes over the wire, rounded once, to the nearest (ties to even).
struct Decimal: Equatable {
    /// The count of steps of 10^-places.
    var steps: Int64
    /// Decimals, 0 to 9.
    var places: Int

    private static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]
    /// From here on a Double has no fraction left to round. (2^52)
    private static let greatest = 4_503_599_627_370_496.0

    /// `value` to `places` decimals; nil where it is not finite or has too many digits to be told so finely.
    init?(_ value: Double, places: Int) {
        let scale = Self.powers[places]
        let scaled = value * scale
        guard scaled.magnitude < Self.greatest else { return nil }
        var rounded = scaled.rounded(.toNearestOrEven)
        // The product itself was rounded. Only where that made a tie of it can the result be wrong: then what was
        // rounded off, which a fused multiply-add gives exactly, says on which side of the tie the value lies.
        let rest = scaled - rounded
        if rest.magnitude == 0.5 {
            let lost = (-scaled).addingProduct(value, scale)
            if rest > 0, lost > 0 { rounded += 1 }
            if rest < 0, lost < 0 { rounded -= 1 }
        }
        steps = Int64(rounded)
        self.places = places
    }

    /// So many steps of 10^-places.
    init(steps: Int64, places: Int) {
        self.steps = steps
        self.places = places
    }

    /// Appends it in decimal: no exponent, no trailing zero of the fraction, no -0.
    func append(to bytes: inout [UInt8]) {
        var digits = steps.magnitude
        var fraction = places
        while fraction > 0, digits.isMultiple(of: 10) {
            digits /= 10
            fraction -= 1
        }
        if steps < 0 { bytes.append(UInt8(ascii: "-")) }
        // Written backwards, then turned round where it stands.
        let start = bytes.count
        var written = 0
        while digits > 0 || written <= fraction {
            if written == fraction, fraction > 0 { bytes.append(UInt8(ascii: ".")) }
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digits % 10))
            digits /= 10
            written += 1
        }
        bytes[start...].reverse()
    }
}
