import PuckClient
import PuckSystem
import Synchronization

/// A location that this program has placed, while it is in force.
final class PlacedLocation: Sendable {
    let session: Session
    /// The locations placed recently. Frames arrive later than the answers.
    private let recent = Mutex<[Placement]>([])

    /// More locations than are placed in one second.
    private static let mostRecent = 100
    /// The distance in metres by which rounding may move a position, and the share of its speed by which a location on the
    /// move may be ahead of where it is expected, or behind.
    private static let tolerance = (metres: 0.01, share: 1.5)

    init(_ session: Session) { self.session = session }

    /// Places or moves the location.
    func place(_ placement: Placement) async throws(Failure) {
        recent.withLock { recent in
            if recent.count == Self.mostRecent { recent.removeFirst() }
            recent.append(placement)
        }
        try await session.ask(.place(placement))
    }

    /// Places the location and does `work`. Throws as soon as the location is no longer in force.
    func hold(
        first: Placement, _ work: @escaping @Sendable (PlacedLocation) async throws(Failure) -> Void
    ) async throws(Failure) {
        try await place(first)
        // Events from here on happen after the placement.
        let updates = session.client.updates
        var options = SubscribeOptions()
        options.include = [.puck, .source]
        // A client that may not subscribe cannot see other clients' placements.
        if case .failure(let error) = await session.client.result(of: .subscribe(options)) {
            guard case .refused = error else { throw .client(error) }
            return try await work(self)
        }
        let failure = await withTaskGroup(of: Failure?.self) { group in
            group.addTask { () async -> Failure? in
                do throws(Failure) {
                    try await work(self)
                    return nil
                } catch {
                    return error
                }
            }
            group.addTask { () async -> Failure? in
                for await update in updates {
                    if case .event(.disconnected(let error, _)) = update.content { return .client(error) }
                    if self.isOver(by: update) {
                        return .refused("another program released the location or placed another; this one has ended")
                    }
                }
                return .client(.disconnected(nil))
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if let failure { throw failure }
    }

    /// Returns whether an update shows that another client or the receiver now determines the location.
    private func isOver(by update: Update) -> Bool {
        if case .event(.source(let source)) = update.content { return source.provider == .gpsd }
        guard let puck = update.frame?.puck, puck.accuracyMode == .precise else { return false }
        return recent.withLock { recent in
            !recent.contains {
                let way = Self.tolerance.share * ($0.speed ?? 0) * (puck.age ?? 0)
                return greatCircleDistance($0.coordinate, puck.coordinate) < Self.tolerance.metres + way
            }
        }
    }
}
