import PuckCore

// What users' requests cost, and what they may still cost.
extension Hub {
    /// When a user's requests may be read again; nil: now.
    public func pause(of user: UInt32, at moment: Moment) -> Instant? {
        accounts.pause(of: user, at: moment.monotonic)
    }

    /// How much a user has asked for lately.
    func standing(of user: UInt32, at moment: Moment) -> Standing { accounts.standing(of: user, at: moment.monotonic) }

    /// Whether a client of that origin may have what is kept for those who look after the machine.
    public func isPrivileged(_ identity: ClientIdentity) -> Bool {
        identity.user == 0 || settings.policy.access(of: identity).roles.contains(.admin)
    }

    /// Charges a user for a turn: what comes byte by byte costs more than its bytes.
    public mutating func chargeTurn(of user: UInt32, at moment: Moment) {
        accounts.charge(Cost.turn, to: user, at: moment.monotonic)
    }

    /// Charges a client's user.
    mutating func charge(_ cost: Int, to id: ClientID, at moment: Moment) {
        guard let user = clients[id]?.origin.identity.user else { return }
        accounts.charge(cost, to: user, at: moment.monotonic)
    }

    /// Does what a client asked for, and charges its user for all that comes of it.
    mutating func charging(_ id: ClientID, at moment: Moment, _ work: (inout Hub) -> Void) {
        spent = 0
        work(&self)
        charge(spent, to: id, at: moment)
    }

    // MARK: Streams that are large

    /// Bytes of a frame from which on it is charged to whoever takes it: a puck and a camera have a third of them.
    static let heavyFrame = 2_048
    /// Bytes of such a frame that cost a point.
    private static let heavyBytesPerPoint = 50

    /// Charges the first of a stream's clients for a large frame: markers are many only if somebody put them there.
    mutating func chargeFrame(of bytes: Int, to recipients: [Recipient], at moment: Moment) {
        guard bytes >= Self.heavyFrame, let first = recipients.first else { return }
        charge(bytes / Self.heavyBytesPerPoint, to: first.client, at: moment)
    }

    /// Whether a stream's frames are large, and all who take them have spent too much: it then misses one. Who has not is to
    /// miss none for another's sake.
    func isOverdrawn(_ stream: Stream, at moment: Moment) -> Bool {
        guard let markers = stream.shown?.markers, markers.count >= Self.heavyMarkers else { return false }
        return stream.members.allSatisfy { member in
            clients[member.client].map { pause(of: $0.origin.identity.user, at: moment) != nil } ?? true
        }
    }

    /// Markers from which on a frame is large.
    private static let heavyMarkers = 32
}
