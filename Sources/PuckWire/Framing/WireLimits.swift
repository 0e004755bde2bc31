/// The protocol's version, as in `hello`. It increases only on an incompatible change.
public let protocolVersion = 1

/// The limits for clients' requests. docs/protocol.md lists all of them.
public enum WireLimits {
    /// Longest request line in bytes, its newline not counted.
    public static let line = 65_536
    /// Most frames a second.
    public static let rate = 120.0
    /// Longest request id in bytes: of a string its UTF-8, of a number its text.
    public static let identifier = 128
    /// Longest name of a view, a marker or a purpose, in bytes of UTF-8.
    public static let name = 64
    /// Deepest nesting of arrays and objects. The deepest useful request, a feature collection with a collection of
    /// multi-polygons, has eleven.
    public static let depth = 32
    /// Most positions in the geometry of an overview; more than a line can hold, were they not as short as `[0,0]`.
    public static let positions = 4_096
}
