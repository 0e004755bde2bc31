import PuckClient
import PuckSystem
import Synchronization

/// A location that this program has placed, while it is in force.
final class PlacedLocation: Sendable {
    let session: Session
    /// The instants of the locations placed recently. Frames arrive later than the answers.
    private let recent = Mutex<[Instant]>([])

    /// More locations than are placed in one second.
    private static let mostRecent = 100
    /// The seconds by which rounding may move an instant.
    private static let tolerance = 0.001

    init(_ session: Session) { self.session = session }

    /// Places or moves the location.
    func place(_ placement: Placement) async throws(Failure) {
        var placement = placement
        let instant = placement.instant ?? Clocks.now.monotonic
        placement.instant = instant
        recent.withLock { recent in
            if recent.count == Self.mostRecent { recent.removeFirst() }
            recent.append(instant)
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
        guard let frame = update.frame, let puck = frame.puck, puck.accuracyMode == .precise, let age = puck.age else {
            return false
        }
        let instant = frame.moment.monotonic.advanced(by: -age)
        return recent.withLock { recent in
            !recent.contains { abs($0.seconds(since: instant)) <= Self.tolerance }
        }
    }
}
