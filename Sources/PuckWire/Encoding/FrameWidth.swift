import PuckCore

/// How wide the lines of a stream's frames are made: as wide as its widest frame can be, so that their length says nothing
/// of what they show. It hangs on what the stream shows and on which markers there are.
public enum FrameWidth {
    /// Bytes of the widest frame with nothing in it, but for its view's name.
    static let frame = 128
    /// Bytes that the widest puck adds, and some to spare for fields to come.
    static let puck = 576
    /// Bytes that the widest camera adds.
    static let camera = 256
    /// Bytes that markers add, and each marker beside its name.
    static let markers = 16
    static let marker = 80
    /// What is wider than it should be is made a multiple of this, bytes.
    static let step = 256

    /// The width of the lines of a frame whose body has so many bytes.
    public static func width(ofBody bytes: Int, view: String, puck: Bool, camera: Bool, markers: [Marker]?) -> Int {
        var width = frame + written(view) + (puck ? Self.puck : 0) + (camera ? Self.camera : 0)
        if let markers {
            width += Self.markers
            for marker in markers { width += Self.marker + written(marker.name) }
        }
        let needed = bytes + FrameLine.room
        return needed <= width ? width : (needed + step - 1) / step * step
    }

    /// Bytes of a name on the wire at the most: a quote or a backslash takes two.
    private static func written(_ name: String) -> Int {
        name.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "\"") || $1 == UInt8(ascii: "\\") ? 2 : 1) }
    }
}
