/// The positions of the last seconds, at most `capacity` of them, to measure their distances.
struct RecentPositions: Hashable, Sendable {
    private static let capacity = 16
    private var entries: [Entry] = []
    private let memory: Double

    private struct Entry: Hashable, Sendable {
        var instant: Instant
        var position: PlaneVector
    }

    /// Positions of that many seconds.
    init(memory: Double) {
        self.memory = memory
        entries.reserveCapacity(Self.capacity + 1)
    }

    /// Adds a position. A fast receiver's positions are thinned, so that they cover the whole time.
    mutating func add(_ position: PlaneVector, at instant: Instant) {
        entries.removeAll { instant.seconds(since: $0.instant) > memory }
        if let last = entries.last, instant.seconds(since: last.instant) < memory / Double(Self.capacity) { return }
        entries.append(Entry(instant: instant, position: position))
    }

    /// Removes all positions.
    mutating func clear() { entries.removeAll(keepingCapacity: true) }

    /// Moves all of them, when the plane's origin moves.
    mutating func move(by change: PlaneChange) {
        for i in entries.indices { entries[i].position = change.place(entries[i].position) }
    }

    /// The largest distance of any position from `position`, m; nil if they do not cover most of the time.
    func spread(about position: PlaneVector, at instant: Instant) -> Double? {
        guard let first = entries.first, entries.count > 2 else { return nil }
        guard instant.seconds(since: first.instant) >= 0.7 * memory else { return nil }
        return entries.reduce(0) { max($0, ($1.position - position).length) }
    }
}
