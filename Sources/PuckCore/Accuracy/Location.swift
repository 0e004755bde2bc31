/// A location for one of the two tiers. The case decides once which tier a client is in.
public enum Location: Hashable, Sendable {
    /// All known data: the puck of the position estimate.
    case precise(Puck)
    /// Only the coarsening stage can create one.
    case approximate(ApproximateLocation)

    /// The puck to show.
    public var puck: Puck {
        switch self {
        case .precise(let puck): puck
        case .approximate(let location): Puck(location)
        }
    }
}

extension Puck {
    /// The puck of an approximate client: state, position and accuracy, and nothing else.
    public init(_ approximate: ApproximateLocation) {
        self.init(
            state: approximate.isStale ? .stale : .live, accuracyMode: .approximate,
            coordinate: approximate.coordinate, accuracy: approximate.accuracy)
    }
}
