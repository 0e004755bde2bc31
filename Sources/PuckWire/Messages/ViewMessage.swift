import PuckCore

/// A change of a view.
public struct ViewMessage: Hashable, Sendable {
    /// The origin of a change.
    public struct Cause: Hashable, Sendable {
        /// The client's number; nil: no client, or not reported.
        public var client: UInt64?
        /// The id of that client's request.
        public var request: RequestID?
        /// A cause.
        public init(client: UInt64? = nil, request: RequestID? = nil) {
            self.client = client
            self.request = request
        }
    }
    /// The view's name; empty for the connection's own.
    public var view: String
    /// The tracking mode.
    public var mode: TrackingMode
    /// Its status.
    public var status: ViewStatus
    /// The state that the view is in or moves to; nil if there is none.
    public var state: ViewTarget?
    /// The reason.
    public var reason: ViewChangeReason
    /// The origin.
    public var cause: Cause

    /// A change.
    public init(
        view: String, mode: TrackingMode, status: ViewStatus, state: ViewTarget? = nil,
        reason: ViewChangeReason, cause: Cause = Cause()
    ) {
        self.view = view
        self.mode = mode
        self.status = status
        self.state = state
        self.reason = reason
        self.cause = cause
    }
}
