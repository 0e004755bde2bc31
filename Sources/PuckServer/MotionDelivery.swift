import PuckCore
import PuckWire

/// A motion that is to be sent: made once for all who draw the same.
/// It is large, and kept for each client: all of them hold the same one.
public final class MotionLine: Hashable, Sendable {
    /// What it says.
    public let plan: MotionPlan
    /// Who may see it.
    let tier: AccuracyMode
    /// The screen's zoom; nil if it is not known.
    let zoom: Double?
    /// What it says on the wire, but for its number.
    private let body: FrameBody

    init(_ plan: MotionPlan, for tier: AccuracyMode, zoom: Double?) {
        self.plan = plan
        self.tier = tier
        self.zoom = zoom
        body = MotionEncoder.body(plan, for: tier)
    }

    /// Whether both say the same to the same.
    public static func == (a: MotionLine, b: MotionLine) -> Bool {
        a === b || (a.tier == b.tier && a.zoom == b.zoom && a.body == b.body && a.plan == b.plan)
    }

    /// Hashes what it says.
    public func hash(into hasher: inout Hasher) { hasher.combine(body) }

    /// Bytes of its lines, about.
    var size: Int { body.count }

    /// The line under a number. Like a frame's it is filled up with spaces for precise clients, so that its length hardly
    /// tells what moves.
    public func line(numbered sequence: UInt64) -> [UInt8] {
        MotionEncoder.line(numbered: sequence, body, isFilled: tier == .precise)
    }

    /// The motion for a client that draws by another one than the one before it.
    func joined(to drawn: MotionPlan) -> MotionLine {
        MotionLine(plan.joined(to: drawn, zoom: zoom), for: tier, zoom: zoom)
    }
}

/// What one client draws by. Of motions only the newest waits to be read; it joins to the last one that was written.
struct MotionDelivery: Sendable {
    /// The newest motion that was written, at least in part.
    private var written: MotionLine?
    /// The one that waits.
    private var waiting: MotionLine?

    /// The line of the next motion. One that waits unread is taken out of the queue.
    mutating func line(of motion: MotionLine, numbered sequence: UInt64, in queue: inout OutputQueue) -> [UInt8] {
        var motion = motion
        if let waiting {
            if queue.makeRoomForFrame() {
                if let written { motion = motion.joined(to: written.plan) }
            } else {
                written = waiting
            }
        }
        waiting = motion
        return motion.line(numbered: sequence)
    }

    /// Takes note of what was written since.
    mutating func settle(_ queue: OutputQueue) {
        guard queue.isEmpty, let waiting else { return }
        written = waiting
        self.waiting = nil
    }
}
