/// How far a correction may take what is drawn: farther, it is a jump and not a glide.
enum GlideLimit {
    /// Metres.
    private static let usual = 60.0
    /// After a gap, metres: a puck that was not seen to move may as well appear where it is.
    private static let afterGap = 12.0
    /// What counts as such a gap: seconds, and cycles.
    private static let gap = (seconds: 3.0, cycles: 3.0)

    /// Metres, after `interval` seconds without a position where they usually come each `cycle` seconds.
    static func metres(after interval: Double, cycle: Double?) -> Double {
        interval > max(gap.seconds, gap.cycles * (cycle ?? 0)) ? afterGap : usual
    }
}
