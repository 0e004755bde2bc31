import Glibc
import PuckCore

/// A receiver that is carried along a route, as a pure function of the time it is given and of its seed.
public struct ReceiverModel: Hashable, Sendable {
    /// What kind of compass it has.
    public enum Compass: Hashable, Sendable {
        /// A compass that says HDT: the bow points so many degrees to the right of the course.
        case compass(offset: Double)
        /// Two antennas, that say THS and HDT.
        case dualAntenna(offset: Double)
    }

    /// Fixes a second, 1 to 20: epochs fall on whole multiples of 1/rate of UTC.
    public let rate: Int
    /// Talker of the position sentences.
    public var talker = "GN"
    /// Seconds from an epoch to its first byte.
    public var latency = 0.05
    /// How wrong it is.
    public var noise: ReceiverNoise
    /// Its compass, if any.
    public var compass: Compass?
    /// Whether it says GST, its estimate of its own error. gpsd 3.22 holds GST and the heading in one place, and of a
    /// receiver that says both it writes an ATT that is no JSON and has parts of the GST in it.
    public var saysErrorEstimate = true
    /// GGA's quality while there is a fix.
    public var quality = 1
    /// Horizontal dilution of precision while there is a fix.
    public var hdop = 0.8
    /// Metres above mean sea level.
    public var altitudeMSL = 400.0
    /// Mean sea level above the ellipsoid, metres.
    public var geoidSeparation = 46.0
    /// Under this speed, m/s, the course is left empty, as receivers do.
    public var courseFloor = 0.3
    /// Seconds that the receiver's own clock is ahead of the time it is given (−1024 weeks: a week rollover).
    public var clockOffset = 0.0
    /// Whether it hears satellites: without, it says that it has no fix.
    public var hearsSatellites = true
    /// Whether it says anything at all.
    public var isSilent = false

    private let begin: UTC
    private let motion: RouteMotion
    private var random: SeededGenerator
    private var eastError = GaussMarkov()
    private var northError = GaussMarkov()
    private var last: UTC?

    /// A receiver at the start of `route` at `begin`.
    public init(route: Route, rate: Int = 1, noise: ReceiverNoise = .openSky, begin: UTC, seed: UInt64 = 1) {
        self.rate = min(20, max(1, rate))
        self.noise = noise
        self.begin = begin
        motion = RouteMotion(route)
        random = SeededGenerator(seed: seed)
    }

    /// Where it truly is.
    public func truth(at time: UTC) -> TruePosition { motion.position(at: time.seconds(since: begin)) }

    /// The first epoch after `time`.
    public func epoch(after time: UTC) -> UTC {
        let perSecond: Int64 = 1_000_000_000
        let second = time.nanoseconds / perSecond - (time.nanoseconds % perSecond < 0 ? 1 : 0)
        let ofSecond = time.nanoseconds - second * perSecond
        // A third of a second is no whole number of nanoseconds: epochs are cut off to them, and are not added up.
        let epoch = { (k: Int64) in k * perSecond / Int64(rate) }
        let k = ofSecond * Int64(rate) / perSecond + 1
        return UTC(nanoseconds: second * perSecond + (epoch(k) > ofSecond ? epoch(k) : epoch(k + 1)))
    }

    /// What it says of the epoch `time`: the sentences in the order of a u-blox receiver.
    public mutating func sentences(at time: UTC) -> [NMEASentence] {
        let (fix, heading) = measure(at: time)
        guard !isSilent else { return [] }
        var said: [NMEASentence] = [.rmc(fix, talker: talker), .vtg(fix, talker: talker), .gga(fix, talker: talker)]
        said.append(.gsa(fix, talker: talker))
        said += NMEASentence.gsv(fix)
        if saysErrorEstimate { said.append(.gst(fix, talker: talker)) }
        said.append(.zda(fix, talker: talker))
        switch (compass, heading) {
        case (.compass, let heading?): said.append(.hdt(heading))
        case (.dualAntenna, let heading?): said += [.ths(heading, talker: talker), .hdt(heading, talker: talker)]
        default: break
        }
        return said
    }

    /// The bytes of the epoch `time`; none while it is silent.
    public mutating func bytes(at time: UTC) -> [UInt8] { sentences(at: time).flatMap(\.bytes) }

    private mutating func measure(at time: UTC) -> (fix: SimulatedFix, heading: Direction?) {
        let truth = truth(at: time)
        let elapsed = last.map { time.seconds(since: $0) } ?? 0
        last = time
        // Drawn at every epoch, whether told or not, so that what happens in between does not change what comes after.
        let east =
            noise.white * random.nextNormal()
            + eastError.advance(
                seconds: elapsed, deviation: noise.correlated, correlationTime: noise.correlationTime, random: &random)
        let north =
            noise.white * random.nextNormal()
            + northError.advance(
                seconds: elapsed, deviation: noise.correlated, correlationTime: noise.correlationTime, random: &random)
        let course = truth.course.degrees * .pi / 180
        let eastSpeed = truth.speed * sin(course) + noise.velocity * random.nextNormal()
        let northSpeed = truth.speed * cos(course) + noise.velocity * random.nextNormal()
        let headingError = noise.heading * random.nextNormal()

        var fix = SimulatedFix(
            time: time.advanced(by: clockOffset), geoidSeparation: geoidSeparation, quality: quality, hdop: hdop,
            standardDeviation: max(0.1, hypot(noise.white, noise.correlated)),
            satellites: hearsSatellites ? SimulatedSatellite.openSky : SimulatedSatellite.blockedSky)
        if hearsSatellites {
            let speed = hypot(eastSpeed, northSpeed)
            fix.coordinate = LocalPlane(origin: truth.coordinate).unproject(east: east, north: north)
            fix.altitudeMSL = altitudeMSL
            fix.speed = speed
            fix.course = speed >= courseFloor ? Direction(wrapping: atan2(eastSpeed, northSpeed) * 180 / .pi) : nil
        }
        let offset: Double? =
            switch compass {
            case .compass(let offset), .dualAntenna(let offset): offset
            case nil: nil
            }
        return (fix, offset.flatMap { Direction(wrapping: truth.course.degrees + $0 + headingError) })
    }
}
