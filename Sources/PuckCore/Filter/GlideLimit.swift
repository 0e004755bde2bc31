/// The longest correction that is a glide; a longer one is a jump.
enum GlideLimit {
    /// Metres.
    private static let usual = 60.0
    /// After a gap, metres: a puck whose motion was not seen may as well appear at its new position.
    private static let afterGap = 12.0
    /// The length of such a gap: seconds, and cycles.
    private static let gap = (seconds: 3.0, cycles: 3.0)

    /// Metres, after `interval` seconds without a position, if positions usually come every `cycle` seconds.
    static func metres(after interval: Double, cycle: Double?) -> Double {
        interval > max(gap.seconds, gap.cycles * (cycle ?? 0)) ? afterGap : usual
    }
}
