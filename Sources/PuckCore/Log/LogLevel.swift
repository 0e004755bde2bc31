/// How much a message matters, from least to most.
public enum LogLevel: String, CaseIterable, Comparable, Sendable {
    /// For whoever looks into puckd itself. Coordinates may stand here, and nowhere above.
    case debug
    /// What happens in the course of things.
    case info
    /// What is unusual, and may need someone.
    case notice
    /// What went wrong, and was got over.
    case warning
    /// What went wrong, and was not.
    case error

    /// The number that syslog and the journal know it by. (syslog(3))
    public var priority: Int {
        switch self {
        case .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        }
    }

    /// Whether `a` matters less.
    public static func < (a: LogLevel, b: LogLevel) -> Bool { a.priority > b.priority }
}
