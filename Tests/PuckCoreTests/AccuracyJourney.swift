@testable import PuckCore

/// The coarsening stage on a journey in simulated time: what it did, and where the receiver was when.
struct AccuracyJourney {
    /// One epoch as it was taken or missed.
    struct Epoch {
        var time: Double
        var place: Coordinate?
        var state: CoarsenerState
    }
    /// One message as every approximate client gets it.
    struct Sent {
        var time: Double
        var location: ApproximateLocation
    }

    var stage: Coarsener
    private(set) var epochs: [Epoch] = []
    private(set) var sent: [Sent] = []
    private(set) var sources: [SourceStatus] = []
    private(set) var actions: [CoarsenerAction] = []
    private(set) var withdrawals = 0
    private(set) var now: Double
    /// Where it is kept.
    var disk = AccuracyDisk()

    static let standard = Moment(monotonic: Instant(seconds: 5_000), utc: UTC(seconds: 1_700_000_000))

    /// Both clocks at simulated second `time`.
    static func moment(_ time: Double) -> Moment { standard.advanced(by: time) }

    init(radius: Int = 2_500, state: CoarsenerState? = nil, at start: Double = 0, seed: UInt64 = 7) {
        stage = Coarsener(
            radius: ApproximateRadius(metres: radius) ?? .standard, state: state, at: Self.moment(start),
            random: SeededGenerator(seed: seed))
        now = start
        disk.file = state
    }

    /// Lives for `duration` seconds, with a location each `step` seconds where `track` knows one.
    mutating func live(
        for duration: Double, step: Double = 10, accuracy: Double = 8, _ track: (Double) -> Coordinate?
    ) {
        let end = now + duration
        while now < end {
            let next = now + step
            while let deadline = stage.deadline, deadline < Self.moment(next).monotonic {
                let due = deadline.seconds - Self.standard.monotonic.seconds
                take(stage.advance(to: Self.moment(due)), due, track(now))
            }
            now = next
            if let place = track(now) { stage.observe(place, accuracy: accuracy, at: Self.moment(now)) }
        }
    }

    /// Stays at a place.
    mutating func stay(_ place: Coordinate, for duration: Double, step: Double = 10, accuracy: Double = 8) {
        live(for: duration, step: step, accuracy: accuracy) { _ in place }
    }

    /// Has no fix.
    mutating func beBlind(for duration: Double) { live(for: duration) { _ in nil } }

    /// What the next run would find if the process ended now.
    var kept: CoarsenerState? { disk.file }

    /// Another run, from what this one kept.
    func restarted(after pause: Double = 1, seed: UInt64 = 8) -> AccuracyJourney {
        var next = AccuracyJourney(
            radius: kept?.radius.metres ?? 2_500, state: kept, at: now + pause, seed: seed)
        next.disk = disk
        return next
    }

    private mutating func take(_ actions: [CoarsenerAction], _ time: Double, _ place: Coordinate?) {
        self.actions += actions
        for action in actions {
            switch action {
            case .save(let state):
                let isKept = disk.keeps(state)
                stage.saved(isKept: isKept, at: Self.moment(time))
                if isKept { epochs.append(Epoch(time: time, place: place, state: state)) }
            case .publish(let location): sent.append(Sent(time: time, location: location))
            case .withdraw: withdrawals += 1
            case .source(let source): sources.append(source)
            }
        }
    }
}

/// A place `east` and `north` metres from another.
func offset(_ place: Coordinate, east: Double = 0, north: Double = 0) -> Coordinate {
    LocalPlane(origin: place).unproject(east: east, north: north)
}

/// A place somewhere in the middle of Europe, not far from a cell's centre at 2,500 m.
let middle: Coordinate = {
    let lattice = HexagonalLattice(radius: 2_500)
    let near = Coordinate(wrappingLongitude: 11.5, clampingLatitude: 48.1)
    return lattice.coordinate(of: lattice.nearest(to: near))
}()

/// A place on the border between two cells, near `middle`: as far from one centre as from the other, within a metre.
let border: Coordinate = {
    let lattice = HexagonalLattice(radius: 2_500)
    let own = lattice.nearest(to: middle)
    var inside = 0.0
    var outside = 4_000.0
    while outside - inside > 0.5 {
        let half = (inside + outside) / 2
        if lattice.nearest(to: offset(middle, east: half)) == own { inside = half } else { outside = half }
    }
    return offset(middle, east: (inside + outside) / 2)
}()

/// The disk that a journey's state is kept on, with the faults that a disk can have.
struct AccuracyDisk {
    /// Where saving fails. A failure before the renaming leaves the old file; one after it leaves the new one, of which
    /// nobody knows whether a power cut would keep it.
    enum Fault: CaseIterable {
        case create, write, flush, rename, flushDirectory
    }
    /// What fails; nil: nothing.
    var fault: Fault?
    /// Bytes that still find room.
    var room = Int.max
    /// The file as the next run finds it.
    var file: CoarsenerState?
    private(set) var failures = 0

    /// Saves as `replaceFile` does. False: it failed.
    mutating func keeps(_ state: CoarsenerState) -> Bool {
        let length = state.text.utf8.count
        let isFull = length > room
        if isFull || fault != nil { failures += 1 }
        if isFull { return false }
        if fault == nil || fault == .flushDirectory { file = state }
        if fault == nil { room = room == .max ? room : room - length }
        return fault == nil
    }
}
