/// A location as one of the two tiers sees it. Which tier a client is in is decided once, by which case it is handed.
public enum Location: Hashable, Sendable {
    /// Everything that is known. Its payload is the puck that the position estimate made.
    case precise(Puck)
    /// Only the coarsening stage can make one.
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
    /// The puck of an approximate client: state, position and accuracy; nothing else is known of it.
    public init(_ approximate: ApproximateLocation) {
        self.init(
            state: approximate.isStale ? .stale : .live, accuracyMode: .approximate,
            coordinate: approximate.coordinate, accuracy: approximate.accuracy)
    }
}
