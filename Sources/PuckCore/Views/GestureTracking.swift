/// The gestures that are under way: which client is in which one.
///
/// A gesture's last word often comes late, when its fling is over and someone has asked to follow again since. It
/// must not end that. So an `ended` whose beginning was seen changes nothing more, and one whose beginning was not
/// is a whole gesture.
struct GestureTracking: Hashable, Sendable {
    private var touching: Set<Touch> = []

    /// A bound on memory, for clients that never send `ended`.
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
