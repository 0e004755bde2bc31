/// A figure that may be unknown, in 8 bytes instead of an optional's 16: a puck is copied some twenty times on its
/// way into a frame, and beyond 256 bytes each copy costs twice as much. NaN counts as unknown.
struct CompactFigure: Hashable, Sendable {
    /// NaN: unknown. Stored as a bit pattern, because NaN equals nothing.
    private var pattern = Double.nan.bitPattern

    /// The figure; nil if unknown.
    var value: Double? {
        get { pattern == Double.nan.bitPattern ? nil : Double(bitPattern: pattern) }
        set { pattern = newValue.flatMap { $0.isNaN ? nil : $0 }?.bitPattern ?? Double.nan.bitPattern }
    }
}
