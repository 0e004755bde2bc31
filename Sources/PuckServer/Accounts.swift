import PuckCore

/// The remaining work that the daemon does for each user. Each request costs points, which an account pays that all of the
/// user's clients share. The server does not read from a user whose account is overdrawn until it has points again: no
/// request is lost, and other users are served meanwhile.
///
/// A point is about a microsecond of a small server's processor.
struct Accounts: Sendable {
    /// Points a second that a user may spend permanently: a quarter of a processor.
    static let income = 250_000.0
    /// Maximum points of an account: what a program may spend at its start without a wait.
    static let most = 100_000.0
    /// The shortest wait of a user whose account is overdrawn, seconds. A shorter wait is not worth a timer.
    private static let leastWait = 0.02
    /// Maximum number of accounts, including those of absent users. A full account needs no entry.
    private static let kept = 1_024

    private struct Account {
        var points: Double
        var filled: Instant
        /// The second of the last charge, the points charged in it so far, and those charged in the second before it.
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

    /// The number of accounts.
    var count: Int { accounts.count }

    /// Charges a cost, also if the account has fewer points.
    mutating func charge(_ cost: Int, to user: UInt32, at instant: Instant) {
        if accounts[user] == nil, accounts.count >= Self.kept { forgetFull(at: instant) }
        var account = accounts[user] ?? Account(points: Self.most, filled: instant)
        account.fill(at: instant)
        account.charge(cost, at: instant)
        accounts[user] = account
    }

    /// The instant from which the server may read a user's requests again; nil: now.
    func pause(of user: UInt32, at instant: Instant) -> Instant? {
        guard var account = accounts[user] else { return nil }
        account.fill(at: instant)
        guard account.points < 0 else { return nil }
        return instant.advanced(by: max(Self.leastWait, -account.points / Self.income))
    }

    /// How much a user has spent in this second and the one before it.
    func standing(of user: UInt32, at instant: Instant) -> Standing {
        switch accounts[user]?.lately(at: instant) ?? 0 {
        case ...Self.little: .light
        case ...Self.more: .medium
        default: .heavy
        }
    }

    /// Maximum points in two successive seconds for a light user, and for a medium one. A connection, a subscription and
    /// twenty pings a second are light.
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

/// The work that the daemon does for all frames of one tier. Beyond it, streams skip frames, and the rest of the daemon
/// continues. Each tier has its own budget, because the frames of one tier must not influence the other.
struct FrameBudget: Sendable {
    /// Points a second.
    static let income = 300_000.0
    /// Maximum points of the budget.
    private static let most = 20_000.0
    /// Frames a second that every stream gets, however many streams exist.
    static let leastRate = 10.0

    private var points = FrameBudget.most
    private var filled = Instant(nanoseconds: 0)

    /// Whether streams of a rate skip their tick at an instant.
    func isSpent(rate: Double, at instant: Instant) -> Bool {
        guard points < 0, rate > Self.leastRate else { return false }
        var filled = self
        filled.fill(at: instant)
        return filled.points < 0
    }

    /// Charges the cost of a tick's frames.
    mutating func charge(_ cost: Int, at instant: Instant) {
        fill(at: instant)
        points -= Double(cost)
    }

    private mutating func fill(at instant: Instant) {
        points = min(Self.most, points + max(0, instant.seconds(since: filled)) * Self.income)
        filled = max(filled, instant)
    }
}

/// Costs, in points.
enum Cost {
    /// Making a frame, and sending it to one client.
    static let frame = 6
    static let recipient = 2
    /// Accepting a connection, checking it, and sending `hello`.
    static let connection = 60
    /// Reading from a client once, regardless of the number of bytes.
    static let turn = 3
    /// A line, without its bytes.
    static let line = 10
    /// Bytes of a line that the server decodes for one point.
    static let bytesPerPoint = 10
    /// Refusing an unknown name, which includes the search for the nearest known one.
    static let unknownName = 30
    /// A message to one watcher, or a change of its stream.
    static let watcher = 4
    /// Leaving a stream and entering another.
    static let subscription = 40
    /// One client's entry in `who` or in another report about all clients.
    static let listed = 4
    /// An answer to `status`.
    static let status = 40
    /// Positions that a view fits for one point, in each of the two tiers.
    static let positionsPerPoint = 4
    /// Streams that the hub searches for one point.
    static let streamsPerPoint = 8
    /// Groups of a client that the server checks for one point: it checks all of them when the client connects.
    static let groupsPerPoint = 8

    /// The cost of decoding a line of that many bytes.
    static func decoding(_ bytes: Int) -> Int { line + bytes / bytesPerPoint }
}
