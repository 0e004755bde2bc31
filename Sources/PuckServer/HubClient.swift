import PuckCore
import PuckWire

/// The identity of a client.
public struct ClientOrigin: Hashable, Sendable {
    /// The user and groups that the policy uses.
    public var identity: ClientIdentity
    /// The process that connected; nil if the kernel does not report it.
    public var process: Int32?
    /// The user's name; nil if unknown.
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
    /// The purpose of the grant.
    var purpose: String
    /// When it expires: as soon as either clock reaches this moment.
    var expires: Moment
}

extension Moment {
    /// Whether either clock of `moment` has reached this moment.
    func isReached(at moment: Moment) -> Bool { monotonic <= moment.monotonic || utc <= moment.utc }
}

/// The state of one client.
struct HubClient: Sendable {
    var origin: ClientOrigin
    let since: Moment
    /// What the policy gives the client.
    var access: Access
    /// The accuracy that the client asked for; nil: the best that it may have.
    var requested: AccuracyMode?
    /// The active grant.
    var grant: Grant?
    /// The last authorization sent to the client.
    var told: AuthorizationMessage?
    /// The client's subscription, and its stream.
    var subscription: SubscribeOptions?
    var stream: StreamKey?
    /// Whether the client places an attitude without a position.
    var placesAttitude = false
    var requests: RequestBucket
    var frames: UInt64 = 0

    /// The client's tier. `system`: the accuracy to which everyone is bound; nil: none. In doubt, the tier is approximate.
    func accuracy(system: AccuracyMode?) -> AccuracyMode {
        guard best(system: system) == .precise, requested != .approximate else { return .approximate }
        return .precise
    }

    /// The best accuracy that the client may ask for now.
    func best(system: AccuracyMode?) -> AccuracyMode {
        guard system != .approximate else { return .approximate }
        return access.accuracy == .precise || grant != nil ? .precise : .approximate
    }

    /// The reason for the present tier, derived from the present state alone.
    func reason(system: AccuracyMode?) -> AuthorizationReason {
        if system == .approximate { return .system }
        if requested == .approximate, best(system: system) == .precise { return .client }
        return grant != nil && access.accuracy != .precise ? .purpose : .policy
    }
}

/// The number of requests that a client may still send. The bucket fills at the allowed rate, and holds one second's requests.
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

    /// Takes one request from the bucket; false if it is empty.
    mutating func spend(at instant: Instant) -> Bool {
        tokens = min(rate, tokens + max(0, instant.seconds(since: filled)) * rate)
        filled = instant
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
