import PuckCore
import PuckSystem

/// Looks up users' names on a separate thread, because a name service may take seconds. The policy uses the numbers that
/// the kernel reports; names are only for people, and may arrive later.
final class UserNames {
    private struct Entry {
        var name: String?
        var since: Instant
    }

    private let worker: Worker
    private let inbox: Inbox<(user: UInt32, name: String?)>
    private let loop: EventLoop
    private var known: [UInt32: Entry] = [:]
    private var asked: Set<UInt32> = []

    /// Maximum number of cached names, and the time after which a name is looked up again, seconds.
    private static let kept = 1_024
    private static let lasts = 300.0
    /// Maximum number of waiting look-ups. Further ones are done when their user connects again.
    private static let mostWaiting = 64

    /// Creates the cache. `onName` is called on the loop with each name that arrives.
    init(loop: EventLoop, onName: @escaping (_ user: UInt32, _ name: String?) -> Void) throws(SystemError) {
        self.loop = loop
        let keep = Keeper()
        inbox = try loop.inbox(of: (user: UInt32, name: String?).self) { found in
            keep.owner?.keep(found.name, of: found.user)
            onName(found.user, found.name)
        }
        worker = try Worker(limit: Self.mostWaiting)
        keep.owner = self
    }

    /// A user's name, if it is known. Starts a look-up if it is unknown or outdated.
    func name(of user: UInt32) -> String? {
        let entry = known[user]
        let isFresh = entry.map { loop.now.monotonic.seconds(since: $0.since) < Self.lasts } ?? false
        if !isFresh, !asked.contains(user) { ask(user) }
        return entry?.name
    }

    private func ask(_ user: UInt32) {
        let sender = inbox.sender
        let isAsked = worker.submit {
            // A user whose name cannot be looked up has none.
            sender.send((user, (try? Users.name(ofUser: user)) ?? nil))
        }
        if isAsked { asked.insert(user) }
    }

    private func keep(_ name: String?, of user: UInt32) {
        asked.remove(user)
        if known.count >= Self.kept { known = [:] }
        known[user] = Entry(name: name, since: loop.now.monotonic)
    }
}

/// The receiver of the look-ups' results, which is created after the mailbox.
private final class Keeper {
    weak var owner: UserNames?
}
