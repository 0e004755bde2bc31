import PuckCore

/// An event from gpsd.
public enum GPSDEvent: Hashable, Sendable {
    /// A report of the receiver in use, or an attitude of any device.
    case report(Report)
    /// The state of the source changed.
    case source(SourceStatus)
    /// Information for the log: gpsd's version, added and removed receivers, an error reported by gpsd, an invalid
    /// line.
    case message(GPSDMessage)
}

/// Counters of lines by outcome.
public struct GPSDCounters: Hashable, Sendable {
    /// Lines read.
    public var lines = 0
    /// Reports passed on.
    public var reports = 0
    /// Messages of classes that puckd does not use.
    public var ignored = 0
    /// Lines that are not messages.
    public var malformed = 0
    /// Lines longer than the limit, which were not read.
    public var overlong = 0
    /// Reports of devices other than the one in use. Their headings are passed on nevertheless.
    public var otherDevice = 0
    /// Reports that newer ones had superseded when they could be read.
    public var superseded = 0

    /// All counters zero.
    public init() {}
}
