import PuckCore

/// All views, and those that have a deadline.
struct ViewTable: Sendable {
    private var states: [ViewKey: ViewState] = [:]
    /// The deadlines of the views that have one. Most views rest, and a check of each before every tick would cost more than a
    /// frame.
    private var deadlines: [ViewKey: Instant] = [:]

    subscript(key: ViewKey) -> ViewState? {
        get { states[key] }
        set {
            states[key] = newValue
            index(newValue?.deadline, of: key)
        }
    }

    /// The number of views.
    var count: Int { states.count }

    /// The sum of `weight` over all views.
    func sum(_ weight: (ViewKey, ViewState) -> Int) -> Int { states.reduce(0) { $0 + weight($1.key, $1.value) } }

    /// The earliest deadline of all views.
    var deadline: Instant? { deadlines.isEmpty ? nil : deadlines.values.min() }

    /// The views whose deadline is at or before `instant`.
    func due(by instant: Instant) -> [ViewKey] {
        deadlines.isEmpty ? [] : deadlines.filter { $0.value <= instant }.map(\.key)
    }

    /// What a view's watchers see at an instant; nil if the view does not exist.
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
