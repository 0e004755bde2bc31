/// Checks whether a silent gpsd is still there: over a network it can disappear without notice.
struct Probe: Sendable {
    /// The next step.
    enum Step: Hashable {
        /// Send a command that gpsd answers at once.
        case ask
        /// Give up: nothing arrived since the last command.
        case giveUp
    }

    /// Seconds to wait for an answer, and between commands.
    static let patience = 5.0

    private var isWaiting = false

    /// The time for a command, or for its answer, has come.
    mutating func step() -> Step {
        guard !isWaiting else { return .giveUp }
        isWaiting = true
        return .ask
    }

    /// Something arrived.
    mutating func answered() { isWaiting = false }
}
