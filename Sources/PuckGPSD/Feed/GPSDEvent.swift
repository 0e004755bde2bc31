import PuckCore

/// What comes out of gpsd's end.
public enum GPSDEvent: Hashable, Sendable {
    /// A report of the receiver in use, or an attitude of any device.
    case report(Report)
    /// The state of the source changed.
    case source(SourceStatus)
    /// Something else to know of, for the log: gpsd's version, receivers that come and go, an error that gpsd tells, a
    /// line that is none.
    case message(GPSDMessage)
}

/// How many lines came, and what became of them.
public struct GPSDCounters: Hashable, Sendable {
    /// Lines that were read.
    public var lines = 0
    /// Reports that were handed on.
    public var reports = 0
    /// Messages of classes that are of no use here.
    public var ignored = 0
    /// Lines that are no message.
    public var malformed = 0
    /// Lines over the bound, which were not read.
    public var overlong = 0
    /// Reports of devices that are not the one in use; of headings among them, what they say is handed on.
    public var otherDevice = 0
    /// Reports that had newer ones behind them by the time they could be read.
    public var superseded = 0

    /// None yet.
    public init() {}
}
