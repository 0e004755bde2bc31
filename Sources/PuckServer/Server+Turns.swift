import PuckCore
import PuckSystem
import PuckWire

// Whose requests are read when. Timers and gpsd come first; then users have their turns, who asks for little first, for some
// milliseconds, and again what is urgent.
extension Server {
    /// How long clients are read before what is urgent has its turn, seconds.
    private static let slice = 0.002
    /// How long one client is read before the next user has a turn, seconds; and how long if its user goes before others.
    private static let turn = 0.000_5
    private static let shortTurn = 0.000_1

    /// Puts a client in line that has something to be read. `goesOn`: it had a turn, and is not done.
    func wait(for id: ClientID, goesOn: Bool = false) {
        guard let socket = sockets[id] else { return }
        // It is gone, and had a turn: while many are connected it is not kept until all that it sent is read.
        if goesOn, socket.isDeaf, sockets.count > limits.clients / 2 { return ending.append(id) }
        if resting[socket.peer.user] != nil {
            if socket.isDeaf { return ending.append(id) }
            socket.pauseReports()
        }
        guard waiting.insert(id).inserted else { return socket.pauseReports() }
        let standing = standing(of: socket.peer.user)
        turns.add(id, of: socket.peer.user, as: goesOn ? standing.afterTurn : standing)
    }

    /// Reads those whose turn it is. It is called after each batch of what is ready, and for what is left over.
    func read() {
        let end = loop.now.monotonic.advanced(by: Self.slice)
        while let (id, standing) = turns.next(standing: { [self] in standing(of: $0) }) {
            waiting.remove(id)
            guard let socket = sockets[id] else { continue }
            let now = loop.now
            if pause(socket.peer.user, at: now) {
                wait(for: id, goesOn: true)
            } else {
                let length = standing == .heavy ? Self.turn : Self.shortTurn
                serve(socket, until: now.monotonic.advanced(by: length))
            }
            guard loop.now.monotonic < end else { break }
        }
        // A user may have all of its clients go at once.
        while let id = ending.last, loop.now.monotonic < end {
            ending.removeLast()
            sockets[id]?.abandon()
        }
        if !turns.isEmpty || !ending.isEmpty { reading?.schedule() }
    }

    private func standing(of user: UInt32) -> Standing { Self.standing(of: user, at: loop.now, in: &hub) }

    /// Asked where the hub lies, as `deadline(of:)` is.
    private static func standing(of user: UInt32, at moment: Moment, in hub: inout Hub) -> Standing {
        hub.standing(of: user, at: moment)
    }

    private func serve(_ socket: ClientSocket, until end: Instant) {
        let user = socket.peer.user
        let turn = socket.takeTurn { [self] in
            let now = loop.now
            return now.monotonic >= end || hub.pause(of: user, at: now) != nil
        }
        hub.chargeTurn(of: user, at: loop.now)
        guard sockets[socket.id] === socket else { return }
        if socket.heldBytes > Self.muchHeld, holdsTooMuch(user) {
            return overload(socket, "more than \(limits.bytesPerUser) bytes of your requests are incomplete")
        }
        if case .more = turn { wait(for: socket.id, goesOn: true) }
    }

    /// Bytes that one client holds from which on it is looked how many all of its user's do.
    private static let muchHeld = 16_384

    /// What reading from and writing to a user's clients takes of memory now, bytes.
    func heldBytes(of user: UInt32) -> Int {
        sockets.values.reduce(0) { $0 + ($1.peer.user == user ? $1.heldBytes : 0) }
    }

    /// Whether that is more than the user may have, or all users together.
    func holdsTooMuch(_ user: UInt32) -> Bool {
        if heldBytes(of: user) > limits.bytesPerUser { return true }
        return sockets.values.reduce(0) { $0 + $1.heldBytes } > limits.bytesInAll
    }

    // MARK: Users who have spent too much

    /// Whether a user has spent too much; then it is passed over until it has not.
    private func pause(_ user: UInt32, at moment: Moment) -> Bool {
        guard let until = hub.pause(of: user, at: moment) else { return false }
        if resting.updateValue(until, forKey: user) == nil { giveUpOnTheGone(of: user) }
        turns.rest(user)
        if restTimer?.deadline.map({ until < $0 }) ?? true { restTimer?.arm(at: until) }
        return true
    }

    /// Clients whose peers are gone are not kept until their user may spend again: what they sent last is lost.
    private func giveUpOnTheGone(of user: UInt32) {
        let gone = waiting.filter { id in
            guard let socket = sockets[id] else { return false }
            return socket.peer.user == user && socket.isDeaf
        }
        waiting.subtract(gone)
        ending += gone
    }

    func wakeUsers(at moment: Moment) {
        for (user, until) in resting where until <= moment.monotonic {
            resting[user] = nil
            turns.wake(user)
        }
        if let next = resting.values.min() { restTimer?.arm(at: next) }
        if !turns.isEmpty { reading?.schedule() }
    }
}
