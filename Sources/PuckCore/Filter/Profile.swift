/// The kind of vehicle that carries the receiver: how it may move, and how it stands still.
public enum Profile: String, CaseIterable, Sendable {
    /// Detected from the motion.
    case auto
    /// A road vehicle.
    case car
    /// A vessel: it drifts, turns slowly, and is never completely still.
    case boat
    /// A bicycle.
    case bike
    /// A pedestrian or a slow robot.
    case walk
}
