/// A watch on one descriptor. It ends with `cancel()` or with its last reference. Both may happen in its own handler.
public final class IOWatch {
    private let descriptor: Int32
    private let poller: Poller
    private var token: UInt64?
    private var handler: ((Readiness) -> Void)?

    /// The conditions to watch for.
    public var interest: Readiness {
        didSet {
            guard interest != oldValue, let token else { return }
            poller.change(descriptor, interest, token)
        }
    }

    init(
        poller: Poller, descriptor: Int32, interest: Readiness, handler: @escaping (Readiness) -> Void
    ) throws(SystemError) {
        self.poller = poller
        self.descriptor = descriptor
        self.interest = interest
        self.handler = handler
        token = try poller.add(descriptor, interest, self)
    }

    deinit { cancel() }

    /// Ends the watch and releases the handler, which is not called again.
    public func cancel() {
        if let token { poller.remove(descriptor, token) }
        token = nil
        handler = nil
    }

    func fire(_ readiness: Readiness) { handler?(readiness) }
}
