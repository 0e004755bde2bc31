import Glibc
import PuckCore
import Synchronization

/// A simulated receiver on a pseudo-terminal, for a real gpsd to read. It runs in real time on its own thread, or one
/// epoch at a time under a test's control.
public final class PseudoTerminalReceiver: Sendable {
    private let line: ReceiverLine
    private let pacer = Mutex<PacingThread?>(nil)

    /// Creates a receiver that is plugged in, and silent until `start` or `step`.
    public init(_ model: ReceiverModel) throws { line = try ReceiverLine(model) }

    deinit { stop() }

    /// The device, such as `/dev/pts/3`; nil while it is unplugged.
    public var device: String? { line.state.withLock { $0.terminal?.path } }

    /// Changes the receiver from its next epoch on, as in `receiver.change { $0.hearsSatellites = false }`.
    public func change(_ body: (inout ReceiverModel) -> Void) { line.state.withLock { body(&$0.model) } }

    /// Returns the true position.
    public func truth(at time: UTC) -> TruePosition { line.state.withLock { $0.model.truth(at: time) } }

    /// Writes the epoch `time`, independently of the host's clock.
    public func step(at time: UTC) { line.write(epoch: time) }

    /// Writes bytes as they are: part of a sentence, another protocol, noise.
    public func write(_ bytes: [UInt8]) { line.state.withLock { _ = $0.terminal?.offer(bytes[...]) } }

    /// Unplugs the receiver. Its device disappears.
    public func unplug() throws {
        try line.state.withLock { state in
            guard state.terminal != nil else { return }
            state.next = try SerialLine()
            state.terminal = nil
        }
    }

    /// Plugs the receiver in again. Its device has a new name, which is returned.
    @discardableResult
    public func plug() throws -> String {
        try line.state.withLock { state in
            if let terminal = state.terminal { return terminal.path }
            let terminal = try state.next.take() ?? SerialLine()
            state.terminal = terminal
            return terminal.path
        }
    }

    /// Writes each epoch in real time, after the receiver's latency, until `stop`.
    public func start() throws {
        try pacer.withLock { pacer in
            guard pacer == nil else { return }
            pacer = try PacingThread { [line] now in line.writeDue(at: now) }
        }
    }

    /// Stops writing. Once it has returned, nothing more is written.
    public func stop() { pacer.withLock { $0.take()?.stop() } }
}

/// The receiver and its line, shared with the pacing thread.
private final class ReceiverLine: Sendable {
    struct State: ~Copyable {
        var model: ReceiverModel
        var terminal: SerialLine?
        /// The next line, held while the receiver is unplugged so that the kernel cannot use the old name again.
        var next: SerialLine?
    }

    let state: Mutex<State>

    init(_ model: ReceiverModel) throws {
        let terminal = try SerialLine()
        state = Mutex(State(model: model, terminal: terminal))
    }

    func write(epoch: UTC) {
        state.withLock { state in
            let bytes = state.model.bytes(at: epoch)
            state.terminal?.offer(bytes[...])
        }
    }

    /// Writes the epoch that is due at `now`. Returns the time of the next one.
    func writeDue(at now: UTC) -> UTC {
        let (due, next) = state.withLock { state in
            let latency = state.model.latency
            let due = state.model.epoch(after: now.advanced(by: -latency - 1 / Double(state.model.rate)))
            return (due, state.model.epoch(after: due).advanced(by: latency))
        }
        write(epoch: due)
        return next
    }
}
