import PuckCore
import PuckSystem

/// Users' names, looked up on a thread of its own: a name service may take seconds. Policy goes by numbers, which the
/// kernel has: a name is for people, and comes when it comes.
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

    /// Names that are kept; one that is asked for after this time is looked up anew, seconds.
    private static let kept = 1_024
    private static let lasts = 300.0
    /// Look-ups that wait. Others are done when their user comes again.
    private static let mostWaiting = 64

    /// Names; `onName` is called on the loop with each that comes.
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

    /// A user's name as far as it is known; what is not, or not for sure any more, is looked up.
    func name(of user: UInt32) -> String? {
        let entry = known[user]
        let isFresh = entry.map { loop.now.monotonic.seconds(since: $0.since) < Self.lasts } ?? false
        if !isFresh, !asked.contains(user) { ask(user) }
        return entry?.name
    }

    private func ask(_ user: UInt32) {
        let sender = inbox.sender
        let isAsked = worker.submit {
            // One that can't be looked up has none.
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

/// Whom the letter box hands its letters to, which is made after it.
private final class Keeper {
    weak var owner: UserNames?
}
