import PuckCore
import PuckWire

// Limits the markers and positions of one user. Each connection's own view can hold many markers, and a user can have many
// connections.
extension Hub {
    /// Maximum markers in all views that one user's clients created, in both tiers.
    static let markersPerUser = 4_096
    /// Maximum positions that the overviews of these views fit, in both tiers.
    static let positionsPerUser = 65_536

    /// The failure if a command would exceed the limits of the view's creator; nil if it would not.
    mutating func roomFailure(for command: ViewCommand, in key: ViewKey, by id: ClientID) -> RequestFailure? {
        guard let user = maker(of: key) ?? clients[id]?.origin.identity.user else { return nil }
        switch command {
        case .marker(let name, _, _, _):
            guard views[key]?.hasMarker(named: name) != true else { return nil }
            guard total(of: user, \.markerCount) >= Self.markersPerUser else { return nil }
            return RequestFailure(
                code: .tooMany, message: "the views of one user have at most \(Self.markersPerUser) markers",
                field: "marker")
        case .overview(let options):
            // The new overview replaces the view's present one.
            let others = total(of: user, \.fittedPositions) - (views[key]?.fittedPositions ?? 0)
            guard others + 2 * options.geometry.coordinates.count > Self.positionsPerUser else { return nil }
            return RequestFailure(
                code: .tooMany,
                message: "the views of one user keep at most \(Self.positionsPerUser / 2) positions in sight",
                field: "geometry")
        default:
            return nil
        }
    }

    private mutating func total(of user: UInt32, _ weight: (ViewState) -> Int) -> Int {
        spent += views.count / Cost.streamsPerPoint
        return views.sum { maker(of: $0) == user ? weight($1) : 0 }
    }

    /// The user who created a view; nil if it does not exist yet.
    private func maker(of key: ViewKey) -> UInt32? {
        switch key {
        case .blank: nil
        case .own(let id): clients[id]?.origin.identity.user
        case .named: viewMakers[key]
        }
    }
}
