import PuckCore
import PuckWire

/// Who a client is, as far as the hub asks.
public struct ClientOrigin: Hashable, Sendable {
    /// By which the policy decides.
    public var identity: ClientIdentity
    /// The process that connected; nil where the kernel does not tell.
    public var process: Int32?
    /// The user's name; nil where it has none.
    public var userName: String?
    /// The program, as the kernel names it.
    public var program: String?

    /// An origin.
    public init(identity: ClientIdentity, process: Int32? = nil, userName: String? = nil, program: String? = nil) {
        self.identity = identity
        self.process = process
        self.userName = userName
        self.program = program
    }
}

/// A temporary grant of precise accuracy.
struct Grant: Hashable, Sendable {
    /// The purpose it was asked for.
    var purpose: String
    /// When it ends by itself: at the first of the two that comes.
    var expires: Moment
}

extension Moment {
    /// Whether either clock of `moment` has come to this.
    func isReached(at moment: Moment) -> Bool { monotonic <= moment.monotonic || utc <= moment.utc }
}

/// What the hub keeps of one client.
struct HubClient: Sendable {
    var origin: ClientOrigin
    let since: Moment
    /// What policy gives it.
    var access: Access
    /// What it asked for; nil: the best it may have.
    var requested: AccuracyMode?
    /// The grant in force.
    var grant: Grant?
    /// What it was last told of its authorization.
    var told: AuthorizationMessage?
    /// What it subscribed to, and the stream it is in.
    var subscription: SubscribeOptions?
    var stream: StreamKey?
    /// Whether it places an attitude alone.
    var placesAttitude = false
    var requests: RequestBucket
    var frames: UInt64 = 0

    /// The tier it is in where everyone is bound to `system` (nil: nobody is). What is in doubt is approximate.
    func accuracy(system: AccuracyMode?) -> AccuracyMode {
        guard best(system: system) == .precise, requested != .approximate else { return .approximate }
        return .precise
    }

    /// The best it may ask for now.
    func best(system: AccuracyMode?) -> AccuracyMode {
        guard system != .approximate else { return .approximate }
        return access.accuracy == .precise || grant != nil ? .precise : .approximate
    }

    /// Why it is in that tier, where nothing but the state as it stands says so.
    func reason(system: AccuracyMode?) -> AuthorizationReason {
        if system == .approximate { return .system }
        if requested == .approximate, best(system: system) == .precise { return .client }
        return grant != nil && access.accuracy != .precise ? .purpose : .policy
    }
}

/// How many requests a client may still make: a bucket that fills at the allowed rate and holds a second's worth.
/// (token bucket, RFC 2697)
struct RequestBucket: Hashable, Sendable {
    private let rate: Double
    private var tokens: Double
    private var filled: Instant

    init(perSecond rate: Int, at instant: Instant) {
        self.rate = Double(max(1, rate))
        tokens = self.rate
        filled = instant
    }

    /// Takes one; false where there is none.
    mutating func spend(at instant: Instant) -> Bool {
        tokens = min(rate, tokens + max(0, instant.seconds(since: filled)) * rate)
        filled = instant
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
