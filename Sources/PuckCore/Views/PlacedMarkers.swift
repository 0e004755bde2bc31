/// A named marker of a view.
struct PlacedMarker: Hashable, Sendable {
    var motion: MarkerMotion
    /// The accuracy of the client that placed it last.
    var owner: AccuracyMode
}

/// The markers of a view, in the order in which every frame shows them: they are shown far more often than placed.
struct PlacedMarkers: Hashable, Sendable {
    private var entries: [Entry] = []

    private struct Entry: Hashable, Sendable {
        let name: String
        var marker: PlacedMarker
    }

    /// The number of markers.
    var count: Int { entries.count }

    /// All markers, by name.
    var sorted: some Sequence<(name: String, marker: PlacedMarker)> { entries.lazy.map { ($0.name, $0.marker) } }

    /// The marker with a name; nil if there is none.
    subscript(name: String) -> PlacedMarker? {
        get {
            let place = place(of: name)
            return has(name, at: place) ? entries[place].marker : nil
        }
        set {
            let place = place(of: name)
            switch (newValue, has(name, at: place)) {
            case (let marker?, true): entries[place].marker = marker
            case (let marker?, false): entries.insert(Entry(name: name, marker: marker), at: place)
            case (nil, true): entries.remove(at: place)
            case (nil, false): break
            }
        }
    }

    /// The index of the first entry whose name is not before `name`.
    private func place(of name: String) -> Int {
        var range = entries.startIndex..<entries.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = entries[middle].name < name ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    private func has(_ name: String, at place: Int) -> Bool {
        place < entries.endIndex && entries[place].name == name
    }
}
