import PuckCore
import PuckWire

/// The state that a client had on a connection and restores on the next one.
///
/// It does not include grants, because a user may have meant a grant only for that time; placed locations, because an
/// old location would appear as a new one; and markers and single camera movements, because the client sends new ones
/// as its own state changes.
struct RestoredState {
    private var accuracy: AccuracyMode?
    private var subscription: SubscribeOptions?
    /// The steering of the watched view.
    private(set) var steering = Steering()

    /// The steering of a view.
    struct Steering {
        fileprivate var viewport: Viewport?
        fileprivate var follow: FollowOptions?
        fileprivate var mode = TrackingMode.none
    }

    /// The watched view; nil means none, or the connection's own view.
    private var view: String? { subscription?.view }

    /// Records a successful request.
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

    /// Records the mode of the watched view, also if another client steered it.
    mutating func record(_ message: ViewMessage) {
        if isWatched(message) { steering.mode = message.mode }
    }

    /// Returns whether a message is about the watched view.
    func isWatched(_ message: ViewMessage) -> Bool { subscription != nil && message.view == view ?? "" }

    /// The first requests on a new connection. A request for less accuracy is part of the subscription, so that nothing
    /// more precise arrives in between.
    var opening: [Request] {
        guard var options = subscription else { return accuracy.map { [.accuracy($0, scope: .client)] } ?? [] }
        options.accuracy = accuracy
        return [.subscribe(options)]
    }

    /// Returns the requests that restore the watched view, if no client has steered it yet. A shared view that other
    /// clients have steered in the meantime stays unchanged.
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
    /// Returns these options with the changes of a later request.
    func changed(by later: FollowOptions) -> FollowOptions {
        var options = self
        if later.zoom != .unchanged { options.zoom = later.zoom }
        if later.bearing != .unchanged { options.bearing = later.bearing }
        if later.pitch != .unchanged { options.pitch = later.pitch }
        if later.padding != .unchanged { options.padding = later.padding }
        return options
    }
}
