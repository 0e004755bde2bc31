import PuckCore
import PuckWire

/// What the hub asks its shell to do, in this order.
public enum HubAction: Hashable, Sendable {
    /// Send a message, in full and in order.
    case send(ClientID, [UInt8])
    /// Answer `who` with this list, each client's frames filled in: only the shell knows what was read in time.
    case tellConnections(ClientID, id: RequestID?, [Connection])
    /// Send a frame to each of these, with the number it has in that client's stream; newer frames replace waiting ones.
    /// `width`: bytes to which the line is filled up with spaces; 0: none.
    case frame(FrameBody, width: Int, to: [Recipient])
    /// Take back a frame that waits to be read: its reader may not have it any more.
    case dropFrame(ClientID)
    /// Hang up once what waits has been read; with a last word, which then is all that waits.
    case close(ClientID, saying: [UInt8]?)
    /// Keep this over a restart, and report to `Hub.saved` what came of it.
    case save(KeptState)
    /// Write this to the journal.
    case record(AuditRecord)
}

/// A frame but for its number: the same bytes for all who see the same.
public typealias FrameBody = [UInt8]

/// Who gets a frame, and under which number.
public struct Recipient: Hashable, Sendable {
    /// The client.
    public let client: ClientID
    /// The frame's `seq` in that client's stream.
    public var sequence: UInt64

    /// Gives the next frame its number: `shared`, or one more than the last.
    mutating func countFrame(as shared: UInt64?) { sequence = shared ?? sequence + 1 }
}

/// What outlives the process. No precise coordinate, ever.
public enum KeptState: Hashable, Sendable {
    /// The coarsening stage's.
    case coarsener(CoarsenerState)
    /// The accuracy to which an admin bound everyone; nil: nobody is bound.
    case systemAccuracy(AccuracyMode?)
}

/// A change of who may see what, for the journal: who and why, and never where.
public struct AuditRecord: Hashable, Sendable {
    /// What happened.
    public enum Event: String, Hashable, Sendable {
        /// Precise accuracy was granted for a purpose.
        case granted
        /// A request for it was refused.
        case refused
        /// A grant came to its time.
        case expired
        /// A grant was given back or taken away.
        case ended
        /// A client's accuracy changed.
        case switched
        /// An admin bound everyone, or released them.
        case systemSwitched
        /// The location was placed by a client.
        case placed
        /// It was given back to the receiver.
        case released
    }
    /// What happened.
    public var event: Event
    /// By, or to, whom.
    public var client: ClientID
    /// That client's user.
    public var user: UInt32
    /// The user's name; nil where it has none.
    public var userName: String?
    /// The process that connected; nil where the kernel does not tell.
    public var process: Int32?
    /// Why: a purpose, a reason, or a refusal's code.
    public var reason: String
}
