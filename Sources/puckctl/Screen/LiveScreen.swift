import PuckClient
import PuckSystem
import Synchronization

/// A full screen that shows the location until the user quits. It draws when something changed, and once a second for the
/// ages. A slow terminal skips pictures, never updates.
struct LiveScreen: Sendable {
    private let session: Session
    private let options: SubscribeOptions
    private let shared: Shared
    private let wakes: AsyncStream<Void>
    private let look: Look

    /// What the terminal can show.
    struct Look: Sendable {
        var hasColours: Bool
        var hasBraille: Bool

        init() {
            hasColours = (environmentVariable("NO_COLOR") ?? "").isEmpty
            let locale =
                ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environmentVariable).first { !$0.isEmpty } ?? ""
            let charset = locale.split(separator: "@").first.map { $0.uppercased() } ?? ""
            let isUnicode = charset.isEmpty || charset.hasSuffix("UTF-8") || charset.hasSuffix("UTF8")
            // The console's font has no braille.
            hasBraille = isUnicode && environmentVariable("TERM") != "linux"
        }
    }

    /// The state that all tasks share, and the call that wakes the drawing one.
    private final class Shared: Sendable {
        struct State: Sendable {
            var live: LiveState
            var keys: [Character] = []
            var reader = KeyReader()
            var isEnded = false
            var failure: ClientError?
            var mustRedraw = true
        }
        let state: Mutex<State>
        let wake: AsyncStream<Void>.Continuation
        /// The most keys that wait. More are typed faster than anyone can mean.
        private static let mostKeys = 64

        init(_ live: LiveState, _ wake: AsyncStream<Void>.Continuation) {
            state = Mutex(State(live: live))
            self.wake = wake
        }

        func change(_ change: (inout sending State) -> Void) {
            state.withLock { change(&$0) }
            wake.yield()
        }

        func take(_ input: FullScreen.Input) {
            change { state in
                switch input {
                case .bytes(let bytes):
                    state.keys = Array((state.keys + state.reader.read(bytes)).prefix(Self.mostKeys))
                case .changed: state.mustRedraw = true
                case .ended: state.isEnded = true
                }
            }
        }
    }

    /// Whether a full screen is possible and useful here.
    static var isPossible: Bool {
        let terminal = environmentVariable("TERM") ?? ""
        return FullScreen.isPossible && !terminal.isEmpty && terminal != "dumb"
    }

    init(_ session: Session, _ options: SubscribeOptions, face: LiveState.Face) {
        self.session = session
        self.options = options
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.wakes = wakes
        shared = Shared(LiveState(face: face, units: session.units), wake)
        look = Look()
    }

    func run() async throws(Failure) {
        let shared = shared
        do throws(SystemError) {
            try FullScreen.show { shared.take($0) }
        } catch {
            throw .output(error)
        }
        defer { FullScreen.hide() }
        let tasks = [Task { await follow() }, Task { await tick() }]
        defer { for task in tasks { task.cancel() } }
        try await draw()
    }

    /// Subscribes on the first connection, and passes updates on until the client ends.
    private func follow() async {
        var hasSubscribed = false
        for await update in session.client.updates {
            shared.change { $0.live.take(update) }
            switch update.content {
            case .event(.connected) where !hasSubscribed:
                hasSubscribed = true
                await send(.subscribe(options))
            case .event(.disconnected(let error, let retry)) where retry == nil:
                return shared.change { $0.failure = error }
            default: break
            }
        }
        shared.change { $0.isEnded = true }
    }

    private func tick() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            shared.wake.yield()
        }
    }

    /// Sends a request. A refusal is shown on the screen.
    private func send(_ request: Request) async {
        if case .failure(let error) = await session.client.result(of: request) {
            shared.change { $0.live.notice = "\(error)" }
        }
    }

    private func draw() async throws(Failure) {
        var shown: CellBuffer?
        var size: TerminalSize?
        for await _ in wakes {
            let (keys, live, mustRedraw) = try takeState()
            if mustRedraw {
                shown = nil
                let new = FullScreen.size ?? TerminalSize(columns: 80, rows: 24)
                if new != size { announce(new) }
                size = new
            }
            for key in keys where !press(key) { return }
            var buffer = CellBuffer(columns: size?.columns ?? 80, rows: size?.rows ?? 24)
            let current = keys.isEmpty ? live : shared.state.withLock { $0.live }
            current.draw(on: &buffer, at: Clocks.now, hasBraille: look.hasBraille)
            let bytes = buffer.bytes(after: shown, hasColours: look.hasColours)
            shown = buffer
            do throws(SystemError) {
                try writeAll(bytes, to: StandardDescriptor.output)
            } catch {
                throw Failure(writing: error)
            }
        }
    }

    private func takeState() throws(Failure) -> (keys: [Character], live: LiveState, mustRedraw: Bool) {
        let (failure, isEnded, taken) = shared.state.withLock { state in
            defer { (state.keys, state.mustRedraw) = ([], false) }
            return (state.failure, state.isEnded, (state.keys, state.live, state.mustRedraw))
        }
        if let failure { throw .client(failure) }
        if isEnded { throw .unread }
        return taken
    }

    /// Applies a key. Returns false if it quits.
    private func press(_ key: Character) -> Bool {
        let view = options.view ?? ""
        switch shared.state.withLock({ $0.live.press(key, view: view) }) {
        case .quit: return false
        case .ask(let request): Task { await send(request) }
        case nil: break
        }
        return true
    }

    /// Gives the view the size of this map, for fits and flights. A client that may not steer has no need to.
    private func announce(_ size: TerminalSize) {
        let viewport = LiveState.viewport(of: (size.columns, size.rows))
        let (client, view) = (session.client, options.view ?? "")
        Task { _ = await client.result(of: .view(name: view, .viewport(viewport))) }
    }
}

extension LiveState {
    /// Draws the screen at a time.
    func draw(on buffer: inout CellBuffer, at now: Moment, hasBraille: Bool) {
        switch face {
        case .table: drawTable(on: &buffer, at: now)
        case .map: drawMap(on: &buffer, hasBraille: hasBraille)
        }
        drawHeader(on: &buffer, at: now)
        drawFooter(on: &buffer)
    }
}
