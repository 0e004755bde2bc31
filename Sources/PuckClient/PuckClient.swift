@_exported import PuckCore
import PuckSystem
@_exported import PuckWire
import Synchronization

/// A client of puckd.
///
/// It connects when it is first used, and again whenever the connection is lost, after a wait that grows from a quarter of
/// a second to two seconds. On a new connection it asks again for what was in force: the subscription, the wish for less
/// accuracy, and of the view that it watches the screen's size, the follow options and the tracking mode. `events` tells of
/// each of these. Not asked for again are a grant of precise accuracy, a placed location, markers and single movements of
/// the camera.
///
/// Any number of tasks may use it at the same time. It runs a thread of its own, which ends with the client.
public final class PuckClient: Sendable {
    /// Where puckd listens unless it is told otherwise.
    public static let defaultPath = "/run/puckd/puckd.sock"
    /// The longest line that the daemon may send, bytes: `who` of thousands of clients is its longest.
    static let longestLine = 4 * 1_024 * 1_024

    private let commands: Sender<ClientLoop.Command>
    private let broadcaster = Broadcaster()
    private let timeout: Double
    private let tickets = Atomic<UInt64>(0)

    /// A client of the puckd that listens on the Unix socket at `path`; it does not connect yet.
    ///
    /// With `reconnects` false it ends with its first connection, or with the first attempt at one: from then on every
    /// request fails with what it ended by. `timeout`: seconds that a request may take, the wait for a connection
    /// included; infinity waits for as long as it takes. Throws where the process is out of descriptors or threads.
    public init(path: String = defaultPath, reconnects: Bool = true, timeout: Double = 5) throws(SystemError) {
        commands = try ClientLoop.start(path: path, reconnects: reconnects, broadcaster: broadcaster)
        // As long as thirty years, which an instant holds; what is not a number does not wait.
        self.timeout = timeout > 0 ? min(timeout, 1e9) : 0
    }

    deinit { commands.send(.exit) }

    // MARK: What comes

    /// The frames, from the newest on. A reader that is slower than they come skips to the newest: a gap in `sequence`
    /// says how many were skipped. The sequence goes on over reconnections, and ends with the client.
    ///
    /// Each reading of this property starts a sequence of its own.
    public var frames: some AsyncSequence<Frame, Never> & Sendable { open(.frames).compactMap(\.frame) }

    /// What is told beside frames, in full and in order, after how things stand: connection, source, authorization and
    /// view. A reader that falls more than a thousand events behind is told so, by the last of them. The sequence goes on
    /// over reconnections, and ends with the client.
    ///
    /// Each reading of this property starts a sequence of its own.
    public var events: some AsyncSequence<ClientEvent, Never> & Sendable { open(.events).compactMap(\.event) }

    /// Frames and events together in the order in which they came, with the daemon's own lines.
    ///
    /// Each reading of this property starts a sequence of its own.
    public var updates: Updates { open([.frames, .events]) }

    private func open(_ parts: Updates.Parts) -> Updates {
        commands.send(.begin)
        return broadcaster.open(parts)
    }

    // MARK: What is asked

    /// Asks for something, and gives back the daemon's answer. Requests that wait for a connection are sent in the order
    /// in which they were made. Throws a `ClientError`: `.refused` is the daemon's own no.
    @discardableResult
    public func ask(_ request: Request) async throws -> Reply { try await result(of: request).get() }

    /// Asks for something, as `ask` does, and gives back the daemon's answer or the error as a value.
    ///
    /// Nothing here throws by type: Swift up to 6.3 crashes on a program that catches some cases of such an error.
    public func result(of request: Request) async -> Result<Reply, ClientError> {
        guard !Task.isCancelled else { return .failure(.cancelled) }
        let ticket = tickets.add(1, ordering: .relaxed).newValue
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                commands.send(.ask(request, ticket: ticket, timeout: timeout, continuation))
            }
        } onCancel: {
            commands.send(.cancel(ticket: ticket))
        }
    }

    /// Ends the connection, and all sequences once what waits has been read. Every request from then on fails with
    /// `.closed`.
    public func close() { commands.send(.close) }
}

/// The daemon's answer to a request that was carried out.
public struct Reply: Hashable, Sendable {
    /// What it says.
    public var answer: Answer
    /// The daemon's own line, without its newline.
    public var line: [UInt8]
}
