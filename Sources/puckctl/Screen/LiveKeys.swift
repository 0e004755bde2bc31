import PuckClient

/// What a key does besides changing the screen.
enum KeyAction: Hashable, Sendable {
    case quit
    case ask(Request)
}

extension LiveState {
    /// The range and step of the map's zoom, which keys change.
    private static let zooms = 1.0...22.0
    private static let zoomStep = 0.5

    /// Applies a key. Returns what is to be done besides; nil if nothing. `view` is the watched view.
    mutating func press(_ key: Character, view: String) -> KeyAction? {
        notice = nil
        switch key {
        case "q": return .quit
        case "m", "\t": face = face == .map ? .table : .map
        case "u": units = units.next
        case "+", "=": zoom = min(Self.zooms.upperBound, shownZoom + Self.zoomStep)
        case "-": zoom = max(Self.zooms.lowerBound, shownZoom - Self.zoomStep)
        case "0": zoom = nil
        case "t": return .ask(.view(name: view, .trackNext))
        case "a":
            let isApproximate = authorization?.accuracy == .approximate
            return .ask(.accuracy(isApproximate ? .precise : .approximate, scope: .client))
        default: break
        }
        return nil
    }
}
