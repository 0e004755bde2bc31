/// The hands that are on the map: which client is in which gesture.
///
/// A gesture's last word often comes late, when its fling is over and someone has asked to follow again since. It
/// must not end that. So an `ended` whose beginning was seen changes nothing more, and one whose beginning was not
/// is a whole gesture.
struct Hands: Hashable, Sendable {
    private var touching: Set<Touch> = []

    /// More than any crowd has hands; clients that never say `ended` must not fill the memory.
    private static let limit = 64

    private struct Touch: Hashable, Sendable {
        let client: UInt64?
        let kind: GestureKind
    }

    /// Takes note of a gesture's phase. Whether it only ends what was already answered.
    mutating func note(_ kind: GestureKind, _ phase: GesturePhase, of client: UInt64?) -> Bool {
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
