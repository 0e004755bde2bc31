import PuckCore

/// A position rounded for the wire, its longitude in [-180, 180) also then.
struct WirePosition {
    private(set) var longitude: Decimal
    let latitude: Decimal

    init?(_ coordinate: Coordinate, places: Int) {
        guard let longitude = Decimal(coordinate.longitude, places: places),
            let latitude = Decimal(coordinate.latitude, places: places),
            let antimeridian = Decimal(180, places: places)
        else { return nil }
        self.longitude = longitude
        self.latitude = latitude
        if longitude == antimeridian { self.longitude.steps = -antimeridian.steps }
    }
}

extension JSONWriter {
    /// `[longitude, latitude]`.
    mutating func append(_ position: WirePosition) {
        append("[")
        append(position.longitude)
        append(",")
        append(position.latitude)
        append("]")
    }
}
