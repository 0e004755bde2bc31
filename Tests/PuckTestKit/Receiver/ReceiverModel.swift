import Glibc
import PuckCore

/// A simulated receiver that moves along a route. Its output depends only on the times it is given and on its seed.
public struct ReceiverModel: Hashable, Sendable {
    /// The kind of compass.
    public enum Compass: Hashable, Sendable {
        /// A compass that sends HDT. The bow points `offset` degrees to the right of the course.
        case compass(offset: Double)
        /// Two antennas, which send THS and HDT.
        case dualAntenna(offset: Double)
    }

    /// The number of fixes per second, 1 to 20. Epochs are at whole multiples of 1/rate in UTC.
    public let rate: Int
    /// The talker of the position sentences; default `GN`.
    public var talker = "GN"
    /// The delay in seconds from an epoch to its first byte; default 0.05.
    public var latency = 0.05
    /// The errors of the receiver.
    public var noise: ReceiverNoise
    /// The compass; nil, the default, if there is none.
    public var compass: Compass?
    /// Whether the receiver sends GST, its estimate of its own error; default true. gpsd 3.22 stores GST and the
    /// heading in the same place. For a receiver that sends both, it writes an ATT that is not valid JSON and contains
    /// parts of the GST.
    public var saysErrorEstimate = true
    /// The quality in GGA while there is a fix; default 1.
    public var quality = 1
    /// The horizontal dilution of precision while there is a fix; default 0.8.
    public var hdop = 0.8
    /// The altitude in metres above mean sea level; default 400.
    public var altitudeMSL = 400.0
    /// The height in metres of mean sea level above the ellipsoid; default 46.
    public var geoidSeparation = 46.0
    /// The speed in m/s below which the course is empty, as in real receivers; default 0.3.
    public var courseFloor = 0.3
    /// The seconds by which the receiver's clock is ahead of the given time; default 0. −1024 weeks simulates a week
    /// rollover.
    public var clockOffset = 0.0
    /// Whether the receiver receives satellites; default true. Without them it reports that it has no fix.
    public var hearsSatellites = true
    /// Whether the receiver sends nothing; default false.
    public var isSilent = false

    private let begin: UTC
    private let motion: RouteMotion
    private var random: SeededGenerator
    private var eastError = GaussMarkov()
    private var northError = GaussMarkov()
    private var last: UTC?

    /// Creates a receiver that is at the start of `route` at the time `begin`.
    public init(route: Route, rate: Int = 1, noise: ReceiverNoise = .openSky, begin: UTC, seed: UInt64 = 1) {
        self.rate = min(20, max(1, rate))
        self.noise = noise
        self.begin = begin
        motion = RouteMotion(route)
        random = SeededGenerator(seed: seed)
    }

    /// Returns the true position.
    public func truth(at time: UTC) -> TruePosition { motion.position(at: time.seconds(since: begin)) }

    /// Returns the first epoch after `time`.
    public func epoch(after time: UTC) -> UTC {
        let perSecond: Int64 = 1_000_000_000
        let second = time.nanoseconds / perSecond - (time.nanoseconds % perSecond < 0 ? 1 : 0)
        let ofSecond = time.nanoseconds - second * perSecond
        // A third of a second is not a whole number of nanoseconds, so each epoch is truncated separately, not summed.
        let epoch = { (k: Int64) in k * perSecond / Int64(rate) }
        let k = ofSecond * Int64(rate) / perSecond + 1
        return UTC(nanoseconds: second * perSecond + (epoch(k) > ofSecond ? epoch(k) : epoch(k + 1)))
    }

    /// Returns the sentences for the epoch `time`, in the order of a u-blox receiver.
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

    /// Returns the bytes for the epoch `time`; empty while the receiver is silent.
    public mutating func bytes(at time: UTC) -> [UInt8] { sentences(at: time).flatMap(\.bytes) }

    private mutating func measure(at time: UTC) -> (fix: SimulatedFix, heading: Direction?) {
        let truth = truth(at: time)
        let elapsed = last.map { time.seconds(since: $0) } ?? 0
        last = time
        // Draw the errors at every epoch, even if they are not sent, so that later epochs do not depend on what
        // happened in between.
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
