// The size of a view, for limits on its cost.
extension ViewState {
    /// Positions that must be fitted again for a new screen size, in both tiers.
    public var fittedPositions: Int { precise.fittedPositions + approximate.fittedPositions }

    /// Markers, in both tiers.
    public var markerCount: Int { precise.markers.count + approximate.markers.count }

    /// Whether either tier has a marker with that name.
    public func hasMarker(named name: String) -> Bool {
        precise.markers[name] != nil || approximate.markers[name] != nil
    }
}

extension TierView {
    fileprivate var fittedPositions: Int {
        switch activity {
        case .overview(let options, _), .moving(_, .overview(let options, _)): options.geometry.coordinates.count
        case .idle, .landed, .resting, .awaiting, .moving, .following: 0
        }
    }
}
