import PuckCore
import PuckWire

/// Which view a stream shows.
enum ViewKey: Hashable, Sendable {
    /// A connection's own view of which nothing was ever asked: it has no camera and no markers, so that all of these
    /// look the same.
    case blank
    /// A connection's own.
    case own(ClientID)
    /// Shared, by name.
    case named(String)

    /// The name that it goes by on the wire; empty for a connection's own.
    var name: String {
        if case .named(let name) = self { name } else { "" }
    }
}

/// What the watchers of one tier are shown of a view.
struct ViewHalf: Hashable, Sendable {
    let view: ViewKey
    let tier: AccuracyMode
}

/// All that makes one client's stream look like another's. Whoever has the same key sees the same bytes.
struct StreamKey: Hashable, Sendable {
    var view: ViewKey
    var tier: AccuracyMode
    var rate: FrameRate
    var bearing: BearingPreference
    var puck: Bool
    var camera: Bool
    var markers: Bool
    var minDistance: Double?
    var minInterval: Double?
    var staleAfter: Double?

    init(_ options: SubscribeOptions, view: ViewKey, tier: AccuracyMode) {
        self.view = view
        self.tier = tier
        rate = options.rate
        bearing = options.bearing
        puck = options.include.contains(.puck)
        camera = options.include.contains(.camera)
        markers = options.include.contains(.markers)
        minDistance = options.minDistance
        minInterval = options.minInterval
        staleAfter = options.staleAfter
        // A blank view has neither, and an approximate puck no arrow and no age: asking for them makes no difference.
        if view == .blank {
            camera = false
            markers = false
        }
        if tier == .approximate {
            bearing = .none
            staleAfter = nil
            minDistance = nil
            minInterval = nil
        }
    }
}

extension StreamKey {
    /// What it asks of its view; nil where that is nothing.
    var wanted: ViewScene.Wanted? {
        camera || markers ? ViewScene.Wanted(tier: tier, camera: camera, markers: markers) : nil
    }
}

/// What a frame shows, without when.
struct FrameContent: Hashable, Sendable {
    var puck: Puck?
    var camera: Camera?
    var markers: [Marker]?
    /// Whether its view moves by itself, or has just done so.
    var isAnimating = false

    /// Puts in what a view shows.
    mutating func show(_ scene: ViewScene) {
        camera = scene.camera
        markers = scene.markers
        isAnimating = scene.isAnimating
    }

    /// Whether a client that is shown `other` would see no difference. Age and fix time go on by themselves, and altitude
    /// is noise on a map: by themselves they make no frame.
    func looksLike(_ other: FrameContent) -> Bool {
        guard camera == other.camera, markers == other.markers else { return false }
        guard let a = puck, let b = other.puck else { return (puck == nil) == (other.puck == nil) }
        return a.state == b.state && a.stationary == b.stationary && a.bearingSource == b.bearingSource
            && isSamePlace(a, b) && isSameRadius(a, b)
            && isNear(a.speed, b.speed, within: Resolution.metresPerSecond)
            && isNear(a.pitch, b.pitch, within: Resolution.degrees)
            && isNear(a.roll, b.roll, within: Resolution.degrees)
            && isNear(a.bearing, b.bearing) && isNear(a.heading, b.heading) && isNear(a.course, b.course)
    }
}

/// Differences that nobody sees, and that make no frame.
private enum Resolution {
    /// Half a millimetre, degrees.
    static let position = 0.5e-8
    /// While the puck stands still: this share of its radius, and at most so many metres, less than a pixel of the closest
    /// map. So an estimate that settles by millimetres for an hour makes no frames. A puck that glides farther is shown on
    /// its whole way: steps of a tenth of a metre would be seen.
    static let standing = (share: 0.03, metres: 0.1)
    /// A radius that has grown or shrunk by such a share. It hardly grows unseen: the circle that is shown must hold.
    static let growth = 0.05
    static let shrinkage = 0.1
    /// Metres by which the radius of a puck that is carried forward grows.
    static let metres = 0.05
    /// Metres: the last digit of a radius on the wire.
    static let leastRadius = 0.001
    static let metresPerSecond = 0.01
    /// A compass's noise at rest is above it, and a pixel at the edge of a screen below.
    static let degrees = 0.1
}

/// Whether the circle that was shown, `b`, is as good as `a`. Without a fix it grows as it is carried forward, and is
/// shown to.
private func isSameRadius(_ a: Puck, _ b: Puck) -> Bool {
    guard let radius = a.accuracy, let shown = b.accuracy, a.state != .predicted else {
        return isNear(a.accuracy, b.accuracy, within: Resolution.metres)
    }
    let (most, least) = (shown * (1 + Resolution.growth), shown * (1 - Resolution.shrinkage))
    return radius <= most + Resolution.leastRadius && radius >= least - Resolution.leastRadius
}

private func isSamePlace(_ a: Puck, _ b: Puck) -> Bool {
    if a.coordinate.isNear(b.coordinate) { return true }
    guard a.stationary == true, b.stationary == true, !a.isGliding, !b.isGliding else { return false }
    let band = min(Resolution.standing.metres, Resolution.standing.share * (b.accuracy ?? 0))
    return greatCircleDistance(a.coordinate, b.coordinate) <= band
}

private func isNear(_ a: Double?, _ b: Double?, within tolerance: Double) -> Bool {
    guard let a, let b else { return (a == nil) == (b == nil) }
    return abs(a - b) <= tolerance
}

private func isNear(_ a: Direction?, _ b: Direction?) -> Bool {
    guard let a, let b else { return (a == nil) == (b == nil) }
    return abs(a.turn(to: b)) <= Resolution.degrees
}

extension Coordinate {
    fileprivate func isNear(_ other: Coordinate) -> Bool {
        abs(latitude - other.latitude) <= Resolution.position
            && abs(shortestTurn(from: longitude, to: other.longitude)) <= Resolution.position
    }
}

/// The frames of all clients that see the same: made once, counted once, sent to each.
struct Stream: Sendable {
    let key: StreamKey
    /// Who sees it, each with the number of its newest frame.
    var members: [Recipient] = []
    /// What the newest frame shows.
    var shown: FrameContent?
    /// When the client's own interval lets the next frame through.
    private var due: Instant?
    /// The jump count of the newest frame: another one now means that the next frame is a discontinuity.
    var jumps: UInt64
    /// Whether nothing that it shows is changing: it then waits for no tick, until something happens.
    var isResting = false

    init(key: StreamKey, jumps: UInt64) {
        self.key = key
        self.jumps = jumps
    }

    /// Gives the next frame its number for each who sees it. (`shared`: for all the same)
    mutating func countFrame(as shared: UInt64?) -> [Recipient] {
        for m in members.indices { members[m].countFrame(as: shared) }
        return members
    }

    /// Whether `content` is to be sent at `instant`; notes it as shown where it is. `always`: also where it looks as
    /// before, since something happened that a client counts.
    mutating func admit(_ content: FrameContent, jumps: UInt64, at instant: Instant, always: Bool) -> Bool {
        let jumped = jumps != self.jumps
        if let shown, !jumped {
            let same = content.looksLike(shown)
            guard always || !same, passes(content, from: shown, at: instant) else { return false }
        } else if shown == nil, content.puck == nil, content.camera == nil, content.markers == nil {
            return false
        }
        show(content, at: instant)
        self.jumps = jumps
        return true
    }

    /// Notes what its clients have been shown.
    mutating func show(_ content: FrameContent, at instant: Instant) {
        shown = content
        guard let least = key.minInterval else { return }
        let time = time(of: content, at: instant)
        let isOnTime = due.map { abs(time.seconds(since: $0)) <= tolerance(of: least) } ?? false
        due = (isOnTime ? due ?? time : time).advanced(by: least)
    }

    /// Whether `content` differs from what is shown, and only waits for the client's own interval to pass.
    func holdsBack(_ content: FrameContent, at instant: Instant) -> Bool {
        guard let shown else { return false }
        return isTooSoon(content, at: instant) && !content.looksLike(shown)
    }

    /// Whether the client's own interval has not passed yet. At “fix” it is measured between the fixes: one that arrives
    /// a little sooner than the one before it did is not left out for it.
    private func isTooSoon(_ content: FrameContent, at instant: Instant) -> Bool {
        guard let least = key.minInterval, let due else { return false }
        return time(of: content, at: instant).seconds(since: due) < -tolerance(of: least)
    }

    private func time(of content: FrameContent, at instant: Instant) -> Instant {
        key.rate == .fix ? instant.advanced(by: -(content.puck?.age ?? 0)) : instant
    }

    /// By how much a frame may be off the grid of intervals, seconds. The grid stays where it is meanwhile, so that no more
    /// frames come in a minute than the client asked for.
    private func tolerance(of interval: Double) -> Double {
        key.rate == .fix ? interval * 0.2 : min(interval * 0.2, key.rate.frameInterval / 2)
    }

    /// Whether the client's own thresholds let it through. A change of the puck's state always passes.
    private func passes(_ content: FrameContent, from shown: FrameContent, at instant: Instant) -> Bool {
        guard key.minInterval != nil || key.minDistance != nil else { return true }
        guard content.puck?.state == shown.puck?.state else { return true }
        if isTooSoon(content, at: instant) { return false }
        if let least = key.minDistance, let a = shown.puck?.coordinate, let b = content.puck?.coordinate {
            return greatCircleDistance(a, b) >= least
        }
        return true
    }
}
