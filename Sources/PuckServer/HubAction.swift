import PuckCore
import PuckWire

/// The hub's actions, which its shell carries out in this order.
public enum HubAction: Hashable, Sendable {
    /// Send a message. Messages are never dropped or reordered.
    case send(ClientID, [UInt8])
    /// Answer `who` with this list, after filling in each client's frames: only the shell knows which were read in
    /// time.
    case tellConnections(ClientID, id: RequestID?, [Connection])
    /// Send a frame to each of these, with the number it has in that client's stream; newer frames replace waiting ones.
    /// `width`: bytes to which the line is filled up with spaces; 0: none.
    case frame(FrameBody, width: Int, to: [Recipient])
    /// Send a motion to each of these, as a frame. Who has not been sent the one before it is sent one that joins to what it
    /// was sent.
    case motion(MotionLine, to: [Recipient])
    /// Take back a frame or a motion that waits to be read: its reader may not have it any more.
    case dropFrame(ClientID)
    /// Hang up once what waits has been read; with a last word, which then is all that waits.
    case close(ClientID, saying: [UInt8]?)
    /// Save this for a restart, and report the outcome to `Hub.saved`.
    case save(KeptState)
    /// Write this to the journal.
    case record(AuditRecord)
}

/// A frame without its number: the same bytes for all clients that see the same.
public typealias FrameBody = [UInt8]

/// A recipient of a frame, and the frame's number for it.
public struct Recipient: Hashable, Sendable {
    /// The client.
    public let client: ClientID
    /// The frame's `seq` in that client's stream.
    public var sequence: UInt64

    /// Sets the number of the next frame: `shared`, or one more than the last.
    mutating func countFrame(as shared: UInt64?) { sequence = shared ?? sequence + 1 }
}

/// The state that outlives the process. It never contains a precise coordinate.
public enum KeptState: Hashable, Sendable {
    /// The state of the coarsening stage.
    case coarsener(CoarsenerState)
    /// The accuracy to which an admin bound everyone; nil: nobody is bound.
    case systemAccuracy(AccuracyMode?)
}

/// A change of access, for the journal: who and why, and never where.
public struct AuditRecord: Hashable, Sendable {
    /// The kind of change.
    public enum Event: String, Hashable, Sendable {
        /// Precise accuracy was granted for a purpose.
        case granted
        /// A request for it was refused.
        case refused
        /// A grant expired.
        case expired
        /// A grant was ended early.
        case ended
        /// A client's accuracy changed.
        case switched
        /// An admin bound everyone, or released them.
        case systemSwitched
        /// The location was placed by a client.
        case placed
        /// The location was returned to the receiver.
        case released
    }
    /// The kind of change.
    public var event: Event
    /// The client that caused the change, or that it affects.
    public var client: ClientID
    /// That client's user.
    public var user: UInt32
    /// The user's name; nil if unknown.
    public var userName: String?
    /// The process that connected; nil if the kernel does not report it.
    public var process: Int32?
    /// The reason: a purpose, a reason, or a refusal's code.
    public var reason: String
}
