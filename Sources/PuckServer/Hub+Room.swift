import PuckCore
import PuckWire

// How much one user may have kept: a connection's own view has room for many markers, and a user for many connections.
extension Hub {
    /// Markers of all views that a user's clients made, in both tiers.
    static let markersPerUser = 4_096
    /// Positions that these views keep in sight, in both tiers.
    static let positionsPerUser = 65_536

    /// Why a command would make a view keep more than its maker may have; nil if it would not.
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
            // What the view keeps now makes room for it.
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

    /// The user who made a view; nil if it is not there yet.
    private func maker(of key: ViewKey) -> UInt32? {
        switch key {
        case .blank: nil
        case .own(let id): clients[id]?.origin.identity.user
        case .named: viewMakers[key]
        }
    }
}
