import PuckCore

/// What each user may still cost the daemon: requests are paid for in points, by what they cost, from an account that all of
/// the user's clients share. Whoever has overdrawn it is not read from until it is filled again: nothing is lost, and
/// others are served meanwhile.
///
/// A point is about a microsecond of a small server's processor.
struct Accounts: Sendable {
    /// Points a second that a user may spend for long: a quarter of a processor.
    static let income = 250_000.0
    /// Points that are saved at the most: what a program may do at its start without a wait.
    static let most = 100_000.0
    /// How long a user waits at least once overdrawn, seconds: so that a wait is worth its timer.
    private static let leastWait = 0.02
    /// Accounts that are kept at the most, those of absent users too; a full one holds nothing worth keeping.
    private static let kept = 1_024

    private struct Account {
        var points: Double
        var filled: Instant
        /// The second of the last charge, what was charged in it so far, and what in the one before it.
        private var second: Int64 = 0
        private var current = 0
        private var previous = 0

        init(points: Double, filled: Instant) {
            self.points = points
            self.filled = filled
        }

        mutating func charge(_ cost: Int, at instant: Instant) {
            points -= Double(cost)
            let now = instant.nanoseconds / 1_000_000_000
            if now != second { (previous, current, second) = (now == second + 1 ? current : 0, 0, now) }
            current += cost
        }

        func lately(at instant: Instant) -> Int {
            switch instant.nanoseconds / 1_000_000_000 - second {
            case ...0: previous + current
            case 1: current
            default: 0
            }
        }

        mutating func fill(at instant: Instant) {
            points = min(Accounts.most, points + max(0, instant.seconds(since: filled)) * Accounts.income)
            filled = max(filled, instant)
        }
    }

    private var accounts: [UInt32: Account] = [:]

    /// How many accounts are kept.
    var count: Int { accounts.count }

    /// Takes what something cost, also if there is less.
    mutating func charge(_ cost: Int, to user: UInt32, at instant: Instant) {
        if accounts[user] == nil, accounts.count >= Self.kept { forgetFull(at: instant) }
        var account = accounts[user] ?? Account(points: Self.most, filled: instant)
        account.fill(at: instant)
        account.charge(cost, at: instant)
        accounts[user] = account
    }

    /// When a user's requests may be read again; nil: now.
    func pause(of user: UInt32, at instant: Instant) -> Instant? {
        guard var account = accounts[user] else { return nil }
        account.fill(at: instant)
        guard account.points < 0 else { return nil }
        return instant.advanced(by: max(Self.leastWait, -account.points / Self.income))
    }

    /// How much a user has asked for in this second and the one before it.
    func standing(of user: UInt32, at instant: Instant) -> Standing {
        switch accounts[user]?.lately(at: instant) ?? 0 {
        case ...Self.little: .light
        case ...Self.more: .medium
        default: .heavy
        }
    }

    /// Points of a second and of the one before it, up to which a user asks for little, and for more. A connection, a
    /// subscription and twenty pings a second are less than little.
    private static let little = 2_000
    private static let more = 20_000

    private mutating func forgetFull(at instant: Instant) {
        accounts = accounts.filter { entry in
            var account = entry.value
            account.fill(at: instant)
            return account.points < Self.most
        }
    }
}

/// What all frames of one tier may cost together. More than that many are not made: fewer come to each then, and the rest of
/// the daemon goes on. (Of one tier, since one must not feel what the other is shown.)
struct FrameBudget: Sendable {
    /// Points a second.
    static let income = 300_000.0
    /// Points that are saved at the most.
    private static let most = 20_000.0
    /// Frames a second that everyone has however many there are.
    static let leastRate = 10.0

    private var points = FrameBudget.most
    private var filled = Instant(nanoseconds: 0)

    /// Whether ticks of a rate are to be left out at an instant.
    func isSpent(rate: Double, at instant: Instant) -> Bool {
        guard points < 0, rate > Self.leastRate else { return false }
        var filled = self
        filled.fill(at: instant)
        return filled.points < 0
    }

    /// Takes what the frames of a tick cost.
    mutating func charge(_ cost: Int, at instant: Instant) {
        fill(at: instant)
        points -= Double(cost)
    }

    private mutating func fill(at instant: Instant) {
        points = min(Self.most, points + max(0, instant.seconds(since: filled)) * Self.income)
        filled = max(filled, instant)
    }
}

/// What things cost, in points.
enum Cost {
    /// A frame that is made, and each client that it is sent to.
    static let frame = 6
    static let recipient = 2
    /// A connection: it is accepted, looked at and greeted.
    static let connection = 60
    /// A look at what came from a client, whatever it is.
    static let turn = 3
    /// A line, but for its bytes.
    static let line = 10
    /// Bytes of a line that cost a point to decode.
    static let bytesPerPoint = 10
    /// A refusal of a name that is not known: the nearest is looked for.
    static let unknownName = 30
    /// A message to one watcher, or a change of its stream.
    static let watcher = 4
    /// Leaving a stream and entering another.
    static let subscription = 40
    /// A line of `who`, or of what else is reported of each client.
    static let listed = 4
    /// A report of the daemon.
    static let status = 40
    /// Positions that cost a point to fit into a view, in each of both tiers.
    static let positionsPerPoint = 4
    /// Streams that cost a point to look through.
    static let streamsPerPoint = 8
    /// Groups of a client's that cost a point: all of them are looked at when it connects.
    static let groupsPerPoint = 8

    /// Decoding a line of so many bytes.
    static func decoding(_ bytes: Int) -> Int { line + bytes / bytesPerPoint }
}
