/// Asking a gpsd that says nothing whether it is still there: over a network it can go without a word.
struct Probe: Sendable {
    /// What to do next.
    enum Step: Hashable {
        /// Send a command that is answered at once.
        case ask
        /// Nothing came since the last one was sent.
        case giveUp
    }

    /// Seconds to wait for an answer, and between commands.
    static let patience = 5.0

    private var isWaiting = false

    /// It is time to ask, or to have been answered.
    mutating func step() -> Step {
        guard !isWaiting else { return .giveUp }
        isWaiting = true
        return .ask
    }

    /// Something came.
    mutating func answered() { isWaiting = false }
}
