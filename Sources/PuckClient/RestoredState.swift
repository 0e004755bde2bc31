import PuckCore
import PuckWire

/// What a client has asked for that ends with its connection, and is asked for again on the next.
///
/// Not among it: a grant, which a person may have meant for then only; a placed location, which would be an old one told
/// as new; markers and single movements of the camera, which the client sends as its own state goes on.
struct RestoredState {
    private var accuracy: AccuracyMode?
    private var subscription: SubscribeOptions?
    /// Of the view that is watched.
    private(set) var steering = Steering()

    /// How a view was steered.
    struct Steering {
        fileprivate var viewport: Viewport?
        fileprivate var follow: FollowOptions?
        fileprivate var mode = TrackingMode.none
    }

    /// The view that is watched; nil: none, or the connection's own.
    private var view: String? { subscription?.view }

    /// Records a request that was carried out.
    mutating func record(_ request: Request) {
        switch request {
        case .subscribe(let options):
            if options.view != view { steering = Steering() }
            subscription = options
            if let mode = options.accuracy { ask(for: mode) }
        case .unsubscribe:
            subscription = nil
            steering = Steering()
        case .accuracy(let mode, .client): ask(for: mode)
        case .requestPrecise: ask(for: .precise)
        case .view(let name, .viewport(let viewport)) where name == view: steering.viewport = viewport
        case .view(let name, .follow(let options, _)) where name == view:
            steering.follow = steering.follow?.changed(by: options) ?? options
        case .view, .accuracy, .endPrecise, .place, .release, .status, .ping, .who: break
        }
    }

    private mutating func ask(for mode: AccuracyMode) { accuracy = mode == .approximate ? mode : nil }

    /// Records the mode of the watched view, whoever steered it.
    mutating func record(_ message: ViewMessage) {
        if isWatched(message) { steering.mode = message.mode }
    }

    /// Whether a message is about the view that is watched.
    func isWatched(_ message: ViewMessage) -> Bool { subscription != nil && message.view == view ?? "" }

    /// What to ask for first on a new connection. A wish for less accuracy goes with the subscription, so that nothing
    /// more precise comes in between.
    var opening: [Request] {
        guard var options = subscription else { return accuracy.map { [.accuracy($0, scope: .client)] } ?? [] }
        options.accuracy = accuracy
        return [.subscribe(options)]
    }

    /// What to ask of the view that is watched, where it turns out to be as nobody has touched it. A shared one that
    /// others have gone on steering stays theirs.
    func requests(steering: Steering) -> [Request] {
        var commands: [ViewCommand] = steering.viewport.map { [.viewport($0)] } ?? []
        if steering.mode != .none {
            if let options = steering.follow { commands.append(.follow(options, transition: .default)) }
            commands.append(.track(steering.mode))
        }
        return commands.map { .view(name: view, $0) }
    }
}

extension FollowOptions {
    /// These options, and over them what a later request names.
    func changed(by later: FollowOptions) -> FollowOptions {
        var options = self
        if later.zoom != .unchanged { options.zoom = later.zoom }
        if later.bearing != .unchanged { options.bearing = later.bearing }
        if later.pitch != .unchanged { options.pitch = later.pitch }
        if later.padding != .unchanged { options.padding = later.padding }
        return options
    }
}
