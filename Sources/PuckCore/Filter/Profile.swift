/// What carries the receiver: how it may move, and what standing still looks like.
public enum Profile: String, CaseIterable, Sendable {
    /// Found out from the motion itself.
    case auto
    /// A road vehicle.
    case car
    /// A vessel: it drifts, turns slowly, and is never quite still.
    case boat
    /// A bicycle.
    case bike
    /// A pedestrian or a slow robot.
    case walk
}
