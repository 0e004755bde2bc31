/// The types of request, and the fields that each may have beside `type` and `id`.
enum RequestType: String, CaseIterable {
    case subscribe, unsubscribe, accuracy, requestPrecise, endPrecise
    case track, follow, overview, ease, fly, idle, gesture, viewport, marker, removeMarker
    case place, release, status, ping, who

    var fields: [String] {
        switch self {
        case .subscribe:
            ["include", "rate", "view", "accuracy", "bearing", "minDistance", "minInterval", "staleAfter"]
        case .unsubscribe, .endPrecise, .release, .status, .ping, .who: []
        case .accuracy: ["mode", "scope"]
        case .requestPrecise: ["purpose"]
        case .track: ["view", "mode"]
        case .follow: ["view", "zoom", "bearing", "pitch", "padding", "transition"]
        case .overview:
            ["view", "geometry", "padding", "geometryPadding", "maxZoom", "bearing", "pitch", "duration"]
        case .ease, .fly: ["view", "camera", "duration", "curve"]
        case .idle: ["view"]
        case .gesture: ["view", "kind", "phase", "camera"]
        case .viewport: ["view", "width", "height", "fov"]
        case .place:
            [
                "position", "accuracy", "altitude", "altitudeMSL", "altitudeAccuracy", "heading", "headingAccuracy",
                "pitch", "roll", "speed", "course", "monotonic",
            ]
        case .marker: ["view", "marker", "position", "duration", "curve"]
        case .removeMarker: ["view", "marker"]
        }
    }
}
