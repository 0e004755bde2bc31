@_exported import PuckCore
import PuckSystem
@_exported import PuckWire
import Synchronization

/// A client of puckd.
///
/// It connects on first use, and reconnects when the connection is lost. The wait before an attempt is at most 0.25
/// seconds at first; this limit doubles with each failure, up to 2 seconds. Each wait is random, between half the limit
/// and the limit. On a new connection the client restores its state: the subscription, a request for less accuracy, and
/// for the watched view the screen's size, the follow options and the tracking mode. It does not restore a grant of
/// precise accuracy, a placed location, markers, or single camera movements. `events` reports connections and
/// everything that could not be restored.
///
/// Any number of tasks may use the client at the same time. It has its own thread, which ends with the client.
public final class PuckClient: Sendable {
    /// The default path of puckd's socket.
    public static let defaultPath = "/run/puckd/puckd.sock"
    /// The maximum length of a line from the daemon, in bytes. The longest line is the answer to `who` with thousands
    /// of clients.
    static let longestLine = 4 * 1_024 * 1_024

    private let commands: Sender<ClientLoop.Command>
    private let broadcaster = Broadcaster()
    private let timeout: Double
    private let tickets = Atomic<UInt64>(0)

    /// Creates a client for the puckd that listens on the Unix socket at `path`. It does not connect yet.
    ///
    /// If `reconnects` is false, the client ends with its first connection or its first failed attempt; all later
    /// requests then fail with the same error. `timeout` is the maximum time for a request in seconds, including the
    /// time to connect; default 5, and infinity waits as long as necessary. Throws if the process has no descriptors or
    /// threads left.
    public init(path: String = defaultPath, reconnects: Bool = true, timeout: Double = 5) throws(SystemError) {
        commands = try ClientLoop.start(path: path, reconnects: reconnects, broadcaster: broadcaster)
        // At most 10⁹ seconds (about 30 years), which an instant can hold. NaN does not wait.
        self.timeout = timeout > 0 ? min(timeout, 1e9) : 0
    }

    deinit { commands.send(.exit) }

    // MARK: Frames and events

    /// The frames, starting with the newest. A reader that is too slow skips to the newest frame, and a gap in
    /// `sequence` shows how many it skipped. The sequence continues after reconnecting, and ends with the client.
    ///
    /// Each access to this property starts a new sequence.
    public var frames: some AsyncSequence<Frame, Never> & Sendable { open(.frames).compactMap(\.frame) }

    /// All events in order, starting with the current state: connection, source, authorization and view. A reader that
    /// falls more than 1,024 events behind receives `.fellBehind` as its last event. The sequence continues after
    /// reconnecting, and ends with the client.
    ///
    /// Each access to this property starts a new sequence.
    public var events: some AsyncSequence<ClientEvent, Never> & Sendable { open(.events).compactMap(\.event) }

    /// Frames and events together, in the order of arrival, with the daemon's lines.
    ///
    /// Each access to this property starts a new sequence.
    public var updates: Updates { open([.frames, .events]) }

    private func open(_ parts: Updates.Parts) -> Updates {
        commands.send(.begin)
        return broadcaster.open(parts)
    }

    // MARK: Requests

    /// Sends a request and returns the daemon's answer. Requests that wait for a connection are sent in the order in
    /// which they were made. Throws a `ClientError`, such as `.refused` if the daemon refuses the request.
    @discardableResult
    public func ask(_ request: Request) async throws -> Reply { try await result(of: request).get() }

    /// Sends a request like `ask`, and returns the daemon's answer or the error as a value.
    ///
    /// It does not use a typed throw, because Swift up to 6.3 crashes on a program that catches only some cases of such
    /// an error.
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

    /// Closes the connection. All sequences end after their waiting updates. All later requests fail with `.closed`.
    public func close() { commands.send(.close) }
}

/// The daemon's answer to a successful request.
public struct Reply: Hashable, Sendable {
    /// The content of the answer.
    public var answer: Answer
    /// The daemon's line, without its newline.
    public var line: [UInt8]
}
