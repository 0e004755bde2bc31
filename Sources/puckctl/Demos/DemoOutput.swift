import PuckClient
import PuckSystem
import Synchronization

/// Standard output as a demo uses it: lines that stay, and below them one that shows the newest frame. Where it is no
/// terminal, frames are lines as well, but few. Any task may use it.
final class DemoOutput: Sendable {
    private struct State {
        var hasStatus = false
        /// Why nothing more can be shown.
        var failure: Failure?
        var isOver = false
        var authorization: AuthorizationMessage?
        /// When a frame was last shown, and of which accuracy.
        var shown: Instant?
        var accuracy: AccuracyMode?
    }
    private let state = Mutex(State())
    private let isLive = isTerminal(StandardDescriptor.output)
    private let units: Units

    init(units: Units) { self.units = units }

    /// Where it is no terminal, not more than one frame is shown in so many seconds, but for one of another accuracy: of
    /// approximate ones there is one in minutes.
    private static let leastInterval = 0.4

    /// Says a line that stays.
    func say(_ line: String) throws(Failure) {
        state.withLock { write(line, staying: true, &$0) }
        try check()
    }

    /// Says the last line: what comes after it is not shown.
    func finish(_ line: String) throws(Failure) {
        state.withLock { state in
            write(line, staying: true, &state)
            state.isOver = true
        }
        try check()
    }

    /// Shows what comes.
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

    /// Fails where nobody reads any more.
    func check() throws(Failure) {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    private func write(_ line: String, staying: Bool, _ state: inout State) {
        // Over the status line there is, if any: to its start, and clear what is right of there. (ECMA-48: EL) One that is
        // wider than the terminal is cut off, since only one row can be gone back to. (DECAWM)
        let start = state.hasStatus ? "\r\u{1B}[K" : ""
        let line = line.printable
        let shown = staying ? line + "\n" : "\u{1B}[?7l" + line + "\u{1B}[?7h"
        state.hasStatus = !staying
        do throws(Failure) { try puckctl.write(start + shown) } catch { state.failure = error }
    }
}
