import PuckCore
import PuckTestKit
import PuckText
import PuckWire

@testable import PuckServer

/// A hub in simulated time, and what it has sent to whom.
struct HubBench {
    var hub: Hub
    var now = ManualClock.defaultStart
    private(set) var sent: [ClientID: [ServerMessage]] = [:]
    /// The lines as they went out.
    private(set) var lines: [ClientID: [String]] = [:]
    /// The same, each with when.
    private(set) var deliveries: [ClientID: [Delivery]] = [:]
    /// Motions that were made for whom, each with when.
    private(set) var motions: [ClientID: [(at: Instant, plan: MotionPlan)]] = [:]
    private(set) var closed: Set<ClientID> = []
    private(set) var records: [AuditRecord] = []
    /// What is on the disk, in the order of saving.
    private(set) var kept: [KeptState] = []
    /// Why nothing can be saved; nil: all can.
    var diskFailure: String?
    /// Whether what is to be saved waits for `finishSaves`, as on a slow disk.
    var isDiskSlow = false
    private(set) var waitingSaves: [KeptState] = []
    /// Clients that read when `read(_:)` says so, and what waits for them.
    private var queues: [ClientID: OutputQueue] = [:]
    private var clients: UInt64 = 0
    private let limits: ServerLimits

    /// A line that was sent.
    struct Delivery: Hashable {
        var at: Instant
        var line: String
    }

    static let device = DeviceName("/dev/ttyACM0")
    static let user = ClientOrigin(identity: ClientIdentity(user: 1_000, groups: [1_000]))
    static let stranger = ClientOrigin(identity: ClientIdentity(user: 2_000, groups: [2_000]))
    /// Sees the approximate location, and may do everything else.
    static let steward = ClientOrigin(identity: ClientIdentity(user: 3_000, groups: [3_000]))
    static let root = ClientOrigin(identity: ClientIdentity(user: 0, groups: [0]))
    static let navigation = Purpose(
        key: "navigation", description: "Guidance while driving", seconds: 60, allowed: [.user(2_000)])

    init(limits: ServerLimits = ServerLimits()) {
        self.limits = limits
        hub = Self.hub(limits, nil, nil, at: now, seed: 1)
    }

    /// The policy of most tests.
    static let policy = AccessPolicy(
        rules: [
            .init(.user(0), Access(accuracy: .precise, roles: Set(Role.allCases))),
            .init(.user(1_000), Access(accuracy: .precise, roles: [.observer, .controller])),
            .init(.user(3_000), Access(accuracy: .approximate, roles: Set(Role.allCases))),
        ],
        purposes: [navigation])

    /// A policy that gives nobody more than the approximate location.
    static let policyForNobody = AccessPolicy(rules: [.init(.anyone, .unknown)], purposes: [])

    private static func hub(
        _ limits: ServerLimits, _ coarse: CoarsenerState?, _ accuracy: AccuracyMode?, at moment: Moment, seed: UInt64
    ) -> Hub {
        let coarsener = Coarsener(
            radius: .standard, state: coarse, at: moment, random: SeededGenerator(seed: seed))
        return Hub(
            settings: HubSettings(
                server: "puckd test", versions: [.init("puckd", "1.0"), .init("libgps", "3.25")], policy: policy,
                limits: limits),
            positioning: Positioning(settings: Pipeline.Settings(), coarsener: coarsener), systemAccuracy: accuracy,
            at: moment)
    }

    /// Ends the daemon, and starts it again `seconds` later with what it kept: nobody is connected then.
    mutating func restart(after seconds: Double, seed: UInt64) {
        hub.shutDown()
        carryOut()
        waitingSaves = []
        queues = [:]
        now = now.advanced(by: seconds)
        var coarse: CoarsenerState?
        var accuracy: AccuracyMode?
        for state in kept {
            switch state {
            case .coarsener(let state): coarse = state
            case .systemAccuracy(let mode): accuracy = mode
            }
        }
        hub = Self.hub(limits, coarse, accuracy, at: now, seed: seed)
    }

    mutating func connect(_ origin: ClientOrigin = HubBench.user) -> ClientID {
        clients += 1
        let id = ClientID(clients)
        hub.connect(id, origin, at: now)
        carryOut()
        return id
    }

    mutating func send(_ line: String, from id: ClientID) { send(.line(Array(line.utf8)), from: id) }

    mutating func send(_ event: LineFramer.Event, from id: ClientID) {
        hub.receive(event, from: id, at: now)
        carryOut()
    }

    mutating func reconfigure(_ policy: AccessPolicy) {
        hub.reconfigure(
            HubSettings(server: "puckd test", versions: [], policy: policy, limits: ServerLimits()), at: now)
        carryOut()
    }

    mutating func disconnect(_ id: ClientID) {
        hub.disconnect(id, at: now)
        carryOut()
    }

    /// Lets time go on with nothing done, as where the process is stopped, or the host sleeps; `clockStep`: seconds that the
    /// UTC clock is set forward besides.
    mutating func stop(_ seconds: Double, clockStep: Double = 0) {
        now = now.advanced(by: seconds)
        now.utc = now.utc.advanced(by: clockStep)
    }

    /// Lets time go on, doing what falls due.
    mutating func run(_ seconds: Double) {
        let end = now.monotonic.advanced(by: seconds)
        while let due = hub.deadline, due <= end {
            if due > now.monotonic { now = now.at(due) }
            hub.advance(to: now)
            carryOut()
        }
        now = now.at(end)
    }

    /// A fix of now, `east` metres from the start of all, at `speed` m/s eastwards.
    mutating func fix(east: Double = 0, north: Double = 0, speed: Double = 0, mode: FixMode = .threeDimensional) {
        let plane = LocalPlane(origin: Coordinate(wrappingLongitude: 8.5, clampingLatitude: 47.4))
        var report = PositionReport(device: Self.device, time: now.utc, mode: mode)
        if mode != .none {
            report.coordinate = plane.unproject(east: east, north: north)
            report.altitudeEllipsoid = 450
            report.speed = speed
            report.course = speed > 0 ? Direction(90) : nil
            report.eph = 5
        }
        hub.receive(.position(report), at: now)
        carryOut()
    }

    /// Stands still for so long, with a fix a second.
    mutating func stand(seconds: Int) {
        for _ in 0..<seconds {
            fix()
            run(1)
        }
    }

    /// Drives eastwards with a fix a second.
    mutating func drive(seconds: Int, speed: Double = 10, from east: Double = 0) {
        for second in 0..<seconds {
            fix(east: east + Double(second) * speed, speed: speed)
            run(1)
        }
    }

    /// Forgets what was sent so far.
    mutating func clear() {
        sent = [:]
        lines = [:]
        deliveries = [:]
        motions = [:]
    }

    func messages(to id: ClientID) -> [ServerMessage] { sent[id] ?? [] }
    func frames(to id: ClientID) -> [Frame] {
        messages(to: id).compactMap { if case .frame(let frame) = $0 { frame } else { nil } }
    }
    func pucks(to id: ClientID) -> [Puck] { frames(to: id).compactMap(\.puck) }
    func errors(to id: ClientID) -> [ErrorMessage] {
        messages(to: id).compactMap { if case .error(let error) = $0 { error } else { nil } }
    }
    func authorizations(to id: ClientID) -> [AuthorizationMessage] {
        messages(to: id).compactMap { if case .authorization(let message) = $0 { message } else { nil } }
    }

    /// Takes what the disk was given while it was slow.
    mutating func finishSaves(failure: String? = nil) {
        let saves = waitingSaves
        waitingSaves = []
        for state in saves { finish(state, failure) }
        carryOut()
    }

    private mutating func finish(_ state: KeptState, _ failure: String?) {
        if failure == nil { kept.append(state) }
        hub.saved(state, failure: failure, at: now)
    }

    /// Has a client read from now on only when `read(_:)` says so.
    mutating func slowDown(_ id: ClientID) { queues[id] = OutputQueue(limit: 1 << 20) }

    /// Has a slow client read what waits for it, as the server does it.
    mutating func read(_ id: ClientID) {
        hub.expireGrants(at: now)
        carryOut()
        var bytes: [UInt8] = []
        queues[id]?.drain { chunk in
            bytes += Array(chunk)
            return chunk.count
        }
        for line in bytes.split(separator: 0x0A) { note(Array(line), to: id) }
    }

    mutating func carryOut() {
        while true {
            let actions = hub.drainActions()
            if actions.isEmpty { return }
            for action in actions { carryOut(action) }
        }
    }

    private mutating func carryOut(_ action: HubAction) {
        switch action {
        case .send(let id, let bytes): deliver(bytes, to: id)
        case .tellConnections(let id, let request, let connections):
            deliver(ServerMessageEncoder.line(.ok(id: request, .connections(connections))), to: id)
        case .frame(let body, _, let recipients):
            var line = FrameLine()
            line.hold(body)
            for recipient in recipients {
                line.withLine(numbered: recipient.sequence) { deliver(Array($0), to: recipient.client, isFrame: true) }
            }
        case .motion(let motion, let recipients):
            for recipient in recipients {
                motions[recipient.client, default: []].append((now.monotonic, motion.plan))
                deliver(motion.line(numbered: recipient.sequence), to: recipient.client, isFrame: true)
            }
        case .close(let id, let last):
            if let last {
                queues[id]?.replaceAll(with: [])
                deliver(last, to: id)
            }
            closed.insert(id)
        case .record(let record): records.append(record)
        case .save(let state) where isDiskSlow: waitingSaves.append(state)
        case .save(let state): finish(state, diskFailure)
        case .dropFrame(let id): queues[id]?.dropFrame()
        }
    }

    private mutating func deliver(_ bytes: [UInt8], to id: ClientID, isFrame: Bool = false) {
        guard queues[id] == nil else {
            if isFrame { queues[id]?.appendFrame(bytes) } else { _ = queues[id]?.append(bytes) }
            return
        }
        note(Array(bytes.dropLast()), to: id)
    }

    private mutating func note(_ line: [UInt8], to id: ClientID) {
        let text = String(decoding: line, as: UTF8.self)
        lines[id, default: []].append(text)
        deliveries[id, default: []].append(Delivery(at: now.monotonic, line: text))
        if let message = try? ServerMessageDecoder.decode(line) { sent[id, default: []].append(message) }
    }
}
