import PuckCore
import PuckWire

/// The view that a stream shows.
enum ViewKey: Hashable, Sendable {
    /// A connection's own view without commands so far: it has no camera and no markers, so all of these look the
    /// same.
    case blank
    /// A connection's own.
    case own(ClientID)
    /// Shared, by name.
    case named(String)

    /// Its name in messages; empty for a connection's own.
    var name: String {
        if case .named(let name) = self { name } else { "" }
    }
}

/// One tier of a view.
struct ViewHalf: Hashable, Sendable {
    let view: ViewKey
    let tier: AccuracyMode
}

/// Everything that can make one client's stream differ from another's. Clients with the same key get the same bytes.
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
        // A blank view has neither, and an approximate puck has no arrow and no age: requesting them makes no
        // difference.
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
    /// Whether it has motions that move. Those of approximate clients are constants, made when their frames would be.
    var isMotion: Bool {
        if case .motion = rate, case .precise = tier { true } else { false }
    }

    /// What it asks of its view; nil where that is nothing.
    var wanted: ViewScene.Wanted? {
        camera || markers ? ViewScene.Wanted(tier: tier, camera: camera, markers: markers) : nil
    }
}

/// The content of a frame, without its time.
struct FrameContent: Hashable, Sendable {
    var puck: Puck?
    var camera: Camera?
    var markers: [Marker]?
    /// Whether its view moves by itself, or has just stopped.
    var isAnimating = false

    /// Adds the content of a view.
    mutating func show(_ scene: ViewScene) {
        camera = scene.camera
        markers = scene.markers
        isAnimating = scene.isAnimating
    }

    /// Whether a client that sees `other` would notice no difference. Age and fix time change with time alone, and
    /// altitude is noise on a map: changes of these alone cause no frame.
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

/// Invisible differences, which cause no frame.
private enum Resolution {
    /// Half a millimetre, degrees.
    static let position = 0.5e-8
    /// At a standstill: this share of the puck's radius, but at most so many metres, less than a pixel of the closest
    /// map. So an estimate that changes by millimetres for an hour causes no frames. If the puck glides farther,
    /// every frame shows it: steps of a tenth of a metre would be visible.
    static let standing = (share: 0.03, metres: 0.1)
    /// The share by which a radius may grow or shrink without a frame. The share for growing is small, because the
    /// shown circle must stay true.
    static let growth = 0.05
    static let shrinkage = 0.1
    /// The growth of the radius of an extrapolated puck that causes a frame, metres.
    static let metres = 0.05
    /// The last digit of a radius in messages, metres.
    static let leastRadius = 0.001
    static let metresPerSecond = 0.01
    /// More than a compass's noise at rest, and less than a pixel at the edge of a screen.
    static let degrees = 0.1
}

/// Whether the shown circle `b` is as good as `a`. Without a fix, the circle grows while the puck is extrapolated,
/// and the growth is shown.
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

/// The frames for all clients that see the same: made once, counted once, sent to each.
struct Stream: Sendable {
    let key: StreamKey
    /// The recipients, each with the number of its newest frame.
    var members: [Recipient] = []
    /// The content of the newest frame.
    var shown: FrameContent?
    /// When the client's own interval permits the next frame.
    private var due: Instant?
    /// The jump count of the newest frame: a different count means that the next frame is a discontinuity.
    var jumps: UInt64
    /// Whether its content does not change: then it waits for no tick, until an event.
    var isResting = false

    init(key: StreamKey, jumps: UInt64) {
        self.key = key
        self.jumps = jumps
    }

    /// Sets the number of the next frame for each recipient. (`shared`: for all the same.)
    mutating func countFrame(as shared: UInt64?) -> [Recipient] {
        for m in members.indices { members[m].countFrame(as: shared) }
        return members
    }

    /// Whether `content` must be sent at `instant`; if so, records it as shown. `always`: also if it looks the same,
    /// because of an event that a client counts.
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

    /// Records the content that its clients see.
    mutating func show(_ content: FrameContent, at instant: Instant) {
        shown = content
        guard let least = key.minInterval else { return }
        let time = time(of: content, at: instant)
        let isOnTime = due.map { abs(time.seconds(since: $0)) <= tolerance(of: least) } ?? false
        due = (isOnTime ? due ?? time : time).advanced(by: least)
    }

    /// Whether `content` differs from the shown one, and only waits for the client's own interval.
    func holdsBack(_ content: FrameContent, at instant: Instant) -> Bool {
        guard let shown else { return false }
        return isTooSoon(content, at: instant) && !content.looksLike(shown)
    }

    /// Whether the client's own interval has not passed yet. At “fix” the interval is measured between fixes: a fix
    /// that arrives slightly early is not left out.
    private func isTooSoon(_ content: FrameContent, at instant: Instant) -> Bool {
        guard let least = key.minInterval, let due else { return false }
        return time(of: content, at: instant).seconds(since: due) < -tolerance(of: least)
    }

    private func time(of content: FrameContent, at instant: Instant) -> Instant {
        key.rate == .fix ? instant.advanced(by: -(content.puck?.age ?? 0)) : instant
    }

    /// How far a frame may be from the grid of intervals, seconds. The grid itself does not move, so that a client
    /// does not get more frames a minute than it asked for.
    private func tolerance(of interval: Double) -> Double {
        key.rate == .fix ? interval * 0.2 : min(interval * 0.2, key.rate.frameInterval / 2)
    }

    /// Whether the client's own thresholds permit a frame. A change of the puck's state always passes.
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
