import PuckClient
import PuckSystem
import Synchronization

/// Standard output for demos: permanent lines, and below them one line that shows the newest frame. If the output is
/// not a terminal, some of the frames are printed as permanent lines. Any task may use it.
final class DemoOutput: Sendable {
    private struct State {
        var hasStatus = false
        /// The reason why nothing more can be shown.
        var failure: Failure?
        var isOver = false
        var authorization: AuthorizationMessage?
        /// The time and the accuracy of the last frame that was shown.
        var shown: Instant?
        var accuracy: AccuracyMode?
    }
    private let state = Mutex(State())
    private let isLive = isTerminal(StandardDescriptor.output)
    private let units: Units

    init(units: Units) { self.units = units }

    /// The minimum interval in seconds between frames if the output is not a terminal. It does not apply when the
    /// accuracy changes, because an approximate frame comes only once in minutes.
    private static let leastInterval = 0.4

    /// Prints a permanent line.
    func say(_ line: String) throws(Failure) {
        state.withLock { write(line, staying: true, &$0) }
        try check()
    }

    /// Prints the last line. Later updates are not shown.
    func finish(_ line: String) throws(Failure) {
        state.withLock { state in
            write(line, staying: true, &state)
            state.isOver = true
        }
        try check()
    }

    /// Shows an update.
    func show(_ update: Update) {
        state.withLock { state in
            guard !state.isOver else { return }
            switch update.content {
            case .frame(let frame):
                let now = Clocks.now.monotonic
                let isDue = state.shown.map { now.seconds(since: $0) >= Self.leastInterval } ?? true
                let accuracy = frame.puck?.accuracyMode ?? state.accuracy
                if isLive || isDue || accuracy != state.accuracy {
                    state.shown = now
                    state.accuracy = accuracy
                    write("  " + frameLine(frame, units), staying: !isLive, &state)
                }
            case .event(.authorization(let authorization)) where authorization == state.authorization: break
            case .event(let event):
                if case .authorization(let authorization) = event { state.authorization = authorization }
                if let line = eventLine(event) { write("  " + line, staying: true, &state) }
            case .unknown: break
            }
        }
    }

    /// Throws if the output failed, for example because its reader is gone.
    func check() throws(Failure) {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    private func write(_ line: String, staying: Bool, _ state: inout State) {
        // Overwrite the status line, if there is one: return to its start and clear it (EL in ECMA-48). Turn automatic
        // wrapping off (DECAWM) to cut a status line that is too long, because only the last row can be overwritten.
        let start = state.hasStatus ? "\r\u{1B}[K" : ""
        let line = line.printable
        let shown = staying ? line + "\n" : "\u{1B}[?7l" + line + "\u{1B}[?7h"
        state.hasStatus = !staying
        do throws(Failure) { try puckctl.write(start + shown) } catch { state.failure = error }
    }
}
