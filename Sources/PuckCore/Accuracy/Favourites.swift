/// Points that were shown while the receiver stayed at one place. Each owns its whole circle, the oldest first. So
/// one dwelling is always shown as one point, however near to a cell's border it lies.
///
/// It contains only points of the public lattice.
struct Favourites: Hashable, Sendable {
    /// One point and its history.
    struct Entry: Hashable, Sendable {
        var point: LatticePoint
        /// Still epochs at which it was shown, up to `needed`.
        var stillEpochs: Int
        /// When it was last shown: days since 1970.
        var lastUsed: Int
    }

    /// The points that own their circles, oldest first.
    private(set) var owners: [Entry]
    /// The points that were shown for too few still epochs so far, oldest first.
    private(set) var candidates: [Entry]

    /// Still epochs after which a point owns its circle: two hours.
    static let needed = 4
    /// The maximum number of each kind.
    static let limit = 32
    /// Days after which an unused point is dropped.
    static let keptDays = 180

    init(owners: [Entry] = [], candidates: [Entry] = []) {
        self.owners = owners
        self.candidates = candidates
    }

    /// The oldest owner that meets a condition.
    func oldest(where condition: (LatticePoint) -> Bool) -> LatticePoint? {
        owners.first { condition($0.point) }?.point
    }

    /// Records that `point` was shown at an epoch on that day, `still` or not.
    mutating func shown(_ point: LatticePoint, still: Bool, day: Int) {
        drop(before: day - Self.keptDays)
        if let i = owners.firstIndex(where: { $0.point == point }) {
            owners[i].lastUsed = max(owners[i].lastUsed, day)
            return
        }
        guard still else { return }
        var entry = Entry(point: point, stillEpochs: 0, lastUsed: day)
        if let i = candidates.firstIndex(where: { $0.point == point }) { entry = candidates.remove(at: i) }
        entry.stillEpochs += 1
        entry.lastUsed = max(entry.lastUsed, day)
        if entry.stillEpochs < Self.needed {
            Self.add(entry, to: &candidates)
        } else {
            Self.add(entry, to: &owners)
        }
    }

    private mutating func drop(before day: Int) {
        owners.removeAll { $0.lastUsed < day }
        candidates.removeAll { $0.lastUsed < day }
    }

    private static func add(_ entry: Entry, to list: inout [Entry]) {
        if list.count >= limit, let idle = list.indices.min(by: { list[$0].lastUsed < list[$1].lastUsed }) {
            list.remove(at: idle)
        }
        list.append(entry)
    }
}
