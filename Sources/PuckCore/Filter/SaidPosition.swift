/// The position that a receiver said last, and since when. Some receivers say it again, to the last digit, while they see
/// nothing.
struct SaidPosition: Hashable, Sendable {
    /// What a fix says of it.
    enum News: Hashable, Sendable {
        /// A position follows another, as usual.
        case new
        /// It says the last position again.
        case repeated
        /// It says a new position, after one that was repeated for so many seconds.
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

    /// Takes what a fix says.
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
