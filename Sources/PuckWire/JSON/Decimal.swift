/// A number as a whole count of decimal steps, rounded once to the nearest (ties to even). This is what is sent.
struct Decimal: Equatable {
    /// The count of steps of 10^-places.
    var steps: Int64
    /// Decimals, 0 to 9.
    var places: Int

    private static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]
    /// From here on a Double has no fraction left to round. (2^52)
    private static let greatest = 4_503_599_627_370_496.0

    /// The maximum length in bytes: a sign, the 19 digits of an Int64, a point.
    static let longest = 21

    /// `value` to `places` decimals; nil if it is not finite, or has too many digits for that many decimals.
    init?(_ value: Double, places: Int) {
        let scale = Self.powers[places]
        let scaled = value * scale
        guard scaled.magnitude < Self.greatest else { return nil }
        var rounded = scaled.rounded(.toNearestOrEven)
        // The product itself was rounded. The result can only be wrong if that made it a tie: then the rounding
        // error, which a fused multiply-add gives exactly, shows the side of the tie on which the value lies.
        let rest = scaled - rounded
        if rest.magnitude == 0.5 {
            let lost = (-scaled).addingProduct(value, scale)
            if rest > 0, lost > 0 { rounded += 1 }
            if rest < 0, lost < 0 { rounded -= 1 }
        }
        steps = Int64(rounded)
        self.places = places
    }

    /// A count of steps of 10^-places.
    init(steps: Int64, places: Int) {
        self.steps = steps
        self.places = places
    }
}

extension JSONWriter {
    /// A number in decimal: no exponent, no trailing zero of the fraction, no -0.
    mutating func append(_ decimal: Decimal) {
        var digits = decimal.steps.magnitude
        var places = decimal.places
        while places > 0, digits.isMultiple(of: 10) {
            digits /= 10
            places -= 1
        }
        let (whole, fraction) = digits.quotientAndRemainder(dividingBy: Digits.powers[places])
        let wholeDigits = Digits.count(of: whole)
        piece(atMost: Decimal.longest) { text in
            var end = text
            if decimal.steps < 0 { end.put(UInt8(ascii: "-")) }
            Digits.write(whole, digits: wholeDigits, at: end)
            end += wholeDigits
            guard places > 0 else { return end - text }
            end.put(UInt8(ascii: "."))
            Digits.write(fraction, digits: places, at: end)
            return end + places - text
        }
    }
}

/// Decimal digits of whole numbers, as text.
enum Digits {
    static let powers: [UInt64] = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    ]

    /// The number of digits of a number; one for 0.
    static func count(of number: UInt64) -> Int {
        var (count, rest) = (1, number)
        while rest >= 1_000 {
            rest /= 1_000
            count += 3
        }
        return rest >= 100 ? count + 2 : rest >= 10 ? count + 1 : count
    }

    /// Writes the last digits of a number.
    static func write(_ number: UInt64, digits: Int, at text: UnsafeMutablePointer<UInt8>) {
        var (rest, i) = (number, digits)
        while i > 0 {
            i -= 1
            text[i] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}
