import PuckCore
import PuckSystem
import PuckWire

// The order in which the server reads requests. Timers and gpsd come first. Then users have turns for some milliseconds,
// light users before the others; then timers and gpsd come again.
extension Server {
    /// How long the server reads clients before it serves timers and gpsd again, seconds.
    private static let slice = 0.002
    /// The length of a client's turn, and of a turn of a user who goes before others, seconds.
    private static let turn = 0.000_5
    private static let shortTurn = 0.000_1

    /// Queues a client whose socket has input. `goesOn`: it had a turn, and has more input.
    func wait(for id: ClientID, goesOn: Bool = false) {
        guard let socket = sockets[id] else { return }
        // The peer has disconnected and had a turn. If many clients are connected, the server does not read the rest.
        if goesOn, socket.isDeaf, sockets.count > limits.clients / 2 { return ending.append(id) }
        if resting[socket.peer.user] != nil {
            if socket.isDeaf { return ending.append(id) }
            socket.pauseReports()
        }
        guard waiting.insert(id).inserted else { return socket.pauseReports() }
        let standing = standing(of: socket.peer.user)
        turns.add(id, of: socket.peer.user, as: goesOn ? standing.afterTurn : standing)
    }

    /// Reads the clients whose turn it is. The loop calls it after each batch of events, and again while clients wait.
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
        // A user may disconnect all of its clients at once.
        while let id = ending.last, loop.now.monotonic < end {
            ending.removeLast()
            sockets[id]?.abandon()
        }
        if !turns.isEmpty || !ending.isEmpty { reading?.schedule() }
    }

    private func standing(of user: UInt32) -> Standing { Self.standing(of: user, at: loop.now, in: &hub) }

    /// Takes the hub `inout` to avoid a copy, like `deadline(of:)`.
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

    /// Bytes held for one client from which the server checks the total of its user.
    private static let muchHeld = 16_384

    /// Memory that reading from and writing to a user's clients uses now, bytes.
    func heldBytes(of user: UInt32) -> Int {
        sockets.values.reduce(0) { $0 + ($1.peer.user == user ? $1.heldBytes : 0) }
    }

    /// Whether this is more than the limit of a user, or of all users together.
    func holdsTooMuch(_ user: UInt32) -> Bool {
        if heldBytes(of: user) > limits.bytesPerUser { return true }
        return sockets.values.reduce(0) { $0 + $1.heldBytes } > limits.bytesInAll
    }

    // MARK: Users with overdrawn accounts

    /// Whether a user's account is overdrawn. If so, the user gets no turn until it has points again.
    private func pause(_ user: UInt32, at moment: Moment) -> Bool {
        guard let until = hub.pause(of: user, at: moment) else { return false }
        if resting.updateValue(until, forKey: user) == nil { giveUpOnTheGone(of: user) }
        turns.rest(user)
        if restTimer?.deadline.map({ until < $0 }) ?? true { restTimer?.arm(at: until) }
        return true
    }

    /// Drops the disconnected clients of a user without points. Input that the server has not read yet is lost.
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
