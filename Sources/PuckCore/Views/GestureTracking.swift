/// The gestures in progress, by client.
///
/// The end of a gesture often arrives late, when its fling is over and somebody has already asked to follow again. It
/// must not end this following. So an `ended` changes nothing more if the gesture's beginning was seen; otherwise it
/// counts as a whole gesture.
struct GestureTracking: Hashable, Sendable {
    private var touching: Set<Touch> = []

    /// Limits memory, because a client may never send `ended`.
    private static let limit = 64

    private struct Touch: Hashable, Sendable {
        let client: UInt64?
        let kind: GestureKind
    }

    /// Records the phase of a gesture. Returns true if it only ends a gesture that was already answered.
    mutating func update(_ kind: GestureKind, _ phase: GesturePhase, of client: UInt64?) -> Bool {
        let touch = Touch(client: client, kind: kind)
        switch phase {
        case .began, .changed:
            if touching.count >= Self.limit { touching.removeAll() }
            touching.insert(touch)
            return false
        case .ended:
            return touching.remove(touch) != nil
        }
    }
}
