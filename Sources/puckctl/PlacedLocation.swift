import PuckClient
import PuckSystem
import Synchronization

/// A location that this program has placed, for as long as it is in force.
final class PlacedLocation: Sendable {
    let session: Session
    /// What was placed last: frames come later than the answers.
    private let recent = Mutex<[Coordinate]>([])

    /// More than are placed in a second.
    private static let mostRecent = 100
    /// What rounding on the way may move a position by, metres.
    private static let tolerance = 0.01

    init(_ session: Session) { self.session = session }

    /// Places it, or moves it.
    func place(_ placement: Placement) async throws(Failure) {
        recent.withLock { recent in
            if recent.count == Self.mostRecent { recent.removeFirst() }
            recent.append(placement.coordinate)
        }
        try await session.ask(.place(placement))
    }

    /// Places it and does what is to be done meanwhile; fails as soon as it is no longer in force.
    func hold(
        first: Placement, _ work: @escaping @Sendable (PlacedLocation) async throws(Failure) -> Void
    ) async throws(Failure) {
        try await place(first)
        // What is told from here on is of the time after placing.
        let updates = session.client.updates
        var options = SubscribeOptions()
        options.include = [.puck, .source]
        // Whoever may not watch is told nothing of others.
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

    /// Whether an update shows that the location is another's, or the receiver's.
    private func isOver(by update: Update) -> Bool {
        if case .event(.source(let source)) = update.content { return source.provider == .gpsd }
        guard let puck = update.frame?.puck, puck.accuracyMode == .precise else { return false }
        return recent.withLock { recent in
            !recent.contains { greatCircleDistance($0, puck.coordinate) < Self.tolerance }
        }
    }
}
