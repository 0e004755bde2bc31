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
        account.points -= Double(cost)
        accounts[user] = account
    }

    /// When a user's requests may be read again; nil: now.
    func pause(of user: UInt32, at instant: Instant) -> Instant? {
        guard var account = accounts[user] else { return nil }
        account.fill(at: instant)
        guard account.points < 0 else { return nil }
        return instant.advanced(by: max(Self.leastWait, -account.points / Self.income))
    }

    private mutating func forgetFull(at instant: Instant) {
        accounts = accounts.filter { entry in
            var account = entry.value
            account.fill(at: instant)
            return account.points < Self.most
        }
    }
}

/// What things cost, in points.
enum Cost {
    /// A connection: it is accepted, looked at and greeted.
    static let connection = 60
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
    /// Connected clients that cost a point where a placed location is shown to them.
    static let shownPerPoint = 4

    /// Decoding a line of so many bytes.
    static func decoding(_ bytes: Int) -> Int { line + bytes / bytesPerPoint }
}
