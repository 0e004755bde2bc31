import PuckCore

/// The views there are, and which of them have something to do by the clock.
struct ViewTable: Sendable {
    private var states: [ViewKey: ViewState] = [:]
    /// Of the views that have one. Most rest, and looking at each before every tick would cost more than its frame.
    private var deadlines: [ViewKey: Instant] = [:]

    subscript(key: ViewKey) -> ViewState? {
        get { states[key] }
        set {
            states[key] = newValue
            index(newValue?.deadline, of: key)
        }
    }

    /// How many there are.
    var count: Int { states.count }

    /// The sum of what `weight` says of each.
    func sum(_ weight: (ViewKey, ViewState) -> Int) -> Int { states.reduce(0) { $0 + weight($1.key, $1.value) } }

    /// When the next of them has something to do.
    var deadline: Instant? { deadlines.isEmpty ? nil : deadlines.values.min() }

    /// The views that have something to do by `instant`.
    func due(by instant: Instant) -> [ViewKey] {
        deadlines.isEmpty ? [] : deadlines.filter { $0.value <= instant }.map(\.key)
    }

    /// What a view's watchers see at an instant; nil where there is no such view.
    mutating func scene(of key: ViewKey, at instant: Instant, _ wanted: ViewScene.Wanted, pucks: TierPucks)
        -> ViewScene?
    {
        guard let i = states.index(forKey: key) else { return nil }
        let scene = states.values[i].scene(at: instant, wanted, pucks: pucks)
        index(scene.deadline, of: key)
        return scene
    }

    private mutating func index(_ deadline: Instant?, of key: ViewKey) {
        if deadline != nil || !deadlines.isEmpty { deadlines[key] = deadline }
    }
}
