/// The last reported position, and since when it is reported. Some receivers repeat a position, to the last digit,
/// while they receive no satellites.
struct SaidPosition: Hashable, Sendable {
    /// The relation of a fix to it.
    enum News: Hashable, Sendable {
        /// A new position follows another, as usual.
        case new
        /// The last position is repeated.
        case repeated
        /// A new position, after one that was repeated for so many seconds.
        case newAfter(seconds: Double)
    }

    private var position: PlaneVector
    private var since: Instant
    private var newest: Instant

    init(_ position: PlaneVector, at instant: Instant) {
        self.position = position
        since = instant
        newest = instant
    }

    /// Takes the position of a fix.
    mutating func take(_ position: PlaneVector, at instant: Instant) -> News {
        defer { newest = instant }
        if position == self.position { return .repeated }
        defer {
            self.position = position
            since = instant
        }
        return newest > since ? .newAfter(seconds: instant.seconds(since: since)) : .new
    }

    /// Moves with the plane's origin.
    mutating func move(by change: PlaneChange) { position = change.place(position) }
}
