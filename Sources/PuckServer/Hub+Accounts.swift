import PuckCore

// The costs of users' requests, and the users' accounts.
extension Hub {
    /// The instant from which the server may read a user's requests again; nil: now.
    public func pause(of user: UInt32, at moment: Moment) -> Instant? {
        accounts.pause(of: user, at: moment.monotonic)
    }

    /// How much a user has spent recently.
    func standing(of user: UInt32, at moment: Moment) -> Standing { accounts.standing(of: user, at: moment.monotonic) }

    /// Whether a client may use the connections and views that are reserved for root and administrators.
    public func isPrivileged(_ identity: ClientIdentity) -> Bool {
        identity.user == 0 || settings.policy.access(of: identity).roles.contains(.admin)
    }

    /// Charges a user for one turn of reading, because input that arrives byte by byte costs more than its bytes.
    public mutating func chargeTurn(of user: UInt32, at moment: Moment) {
        accounts.charge(Cost.turn, to: user, at: moment.monotonic)
    }

    /// Charges a client's user.
    mutating func charge(_ cost: Int, to id: ClientID, at moment: Moment) {
        guard let user = clients[id]?.origin.identity.user else { return }
        accounts.charge(cost, to: user, at: moment.monotonic)
    }

    /// Carries out a client's request, and charges its user for all work that it causes.
    mutating func charging(_ id: ClientID, at moment: Moment, _ work: (inout Hub) -> Void) {
        spent = 0
        work(&self)
        charge(spent, to: id, at: moment)
    }

    // MARK: Large frames

    /// Bytes from which a frame is charged to a recipient. A puck and a camera take a third of them.
    static let heavyFrame = 2_048
    /// Bytes of a large frame that cost one point.
    private static let heavyBytesPerPoint = 50

    /// Charges the first of a stream's clients for a large frame: a frame is large only because clients added markers.
    mutating func chargeFrame(of bytes: Int, to recipients: [Recipient], at moment: Moment) {
        guard bytes >= Self.heavyFrame, let first = recipients.first else { return }
        charge(bytes / Self.heavyBytesPerPoint, to: first.client, at: moment)
    }

    /// Whether a stream's frames are large and all its recipients have overdrawn their accounts. The stream then skips a
    /// frame. A recipient that has points left must not miss a frame because of the others.
    func isOverdrawn(_ stream: Stream, at moment: Moment) -> Bool {
        guard let markers = stream.shown?.markers, markers.count >= Self.heavyMarkers else { return false }
        return stream.members.allSatisfy { member in
            clients[member.client].map { pause(of: $0.origin.identity.user, at: moment) != nil } ?? true
        }
    }

    /// The number of markers from which a frame is large.
    private static let heavyMarkers = 32
}
