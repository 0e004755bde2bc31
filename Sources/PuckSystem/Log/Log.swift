import PuckCore

/// A structured log. Each message has a constant text, which can be searched for, and fields for the variable parts.
///
/// The log never contains coordinates, or anything that reveals them, at any level: the journal outlives every grant,
/// and more people can read it than may see a user's location. A `LogField` is a number, a text, a Boolean or an error,
/// never a compound value, so a coordinate cannot be logged as a whole by accident.
public struct Log: Sendable {
    /// The lowest level to write. Messages below it are dropped.
    public var level: LogLevel
    var sink: any LogSink

    /// Creates a log that writes to `sink`.
    public init(level: LogLevel, sink: any LogSink) {
        self.level = level
        self.sink = sink
    }

    /// Logs a detail for debugging puckd itself.
    public func debug(_ text: StaticString, _ fields: LogFields = [:]) { write(.debug, text, fields) }
    /// Logs a normal event.
    public func info(_ text: StaticString, _ fields: LogFields = [:]) { write(.info, text, fields) }
    /// Logs an unusual event that may need attention.
    public func notice(_ text: StaticString, _ fields: LogFields = [:]) { write(.notice, text, fields) }
    /// Logs a problem that puckd recovered from.
    public func warning(_ text: StaticString, _ fields: LogFields = [:]) { write(.warning, text, fields) }
    /// Logs a problem that puckd could not recover from.
    public func error(_ text: StaticString, _ fields: LogFields = [:]) { write(.error, text, fields) }

    /// Logs a message at a level chosen at run time.
    public func write(_ level: LogLevel, _ text: StaticString, _ fields: LogFields = [:]) {
        guard level >= self.level else { return }
        sink.write(
            LogEntry(
                level: level, text: text.description, fields: fields.map { ($0.key.description, $0.value.logText) }))
    }
}

/// The variable parts of a message, in order. Names are in lower case with underscores.
public typealias LogFields = KeyValuePairs<StaticString, any LogField>

/// A value that may appear in the log.
public protocol LogField {
    /// The value as text.
    var logText: String { get }
}

extension String: LogField {
    /// The string itself.
    public var logText: String { self }
}
extension Substring: LogField {
    /// The text itself.
    public var logText: String { String(self) }
}
extension Bool: LogField {
    /// `true` or `false`.
    public var logText: String { description }
}
extension Double: LogField {
    /// The number in decimal.
    public var logText: String { description }
}
extension FixedWidthInteger where Self: LogField {
    /// The number in decimal.
    public var logText: String { String(self) }
}
extension Int: LogField {}
extension Int32: LogField {}
extension Int64: LogField {}
extension UInt32: LogField {}
extension UInt64: LogField {}
extension SystemError: LogField {
    /// The operation and the reason.
    public var logText: String { description }
}

/// One message of the log.
public struct LogEntry: Sendable {
    /// The message's level.
    public var level: LogLevel
    /// The constant text.
    public var text: String
    /// The names and values of the fields, in order.
    public var fields: [(name: String, value: String)]

    /// The message on one line: the text, then the fields as `name=value`. A value with any special character is quoted
    /// and escaped, so that input from a client cannot imitate another field or another line.
    public var line: String {
        var line = text
        for (name, value) in fields {
            line += " \(name)=\(LogEntry.isPlain(value) ? value : LogEntry.quoted(value))"
        }
        return line
    }

    private static func isPlain(_ value: String) -> Bool {
        let special: Set<Unicode.Scalar> = ["\"", "\\", "="]
        return !value.isEmpty
            && value.unicodeScalars.allSatisfy {
                $0.isASCII && $0.value > 0x20 && $0.value < 0x7F && !special.contains($0)
            }
    }

    private static func quoted(_ value: String) -> String {
        var result = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            default: result += String(scalar).printable
            }
        }
        return result + "\""
    }
}

/// A destination for messages.
public protocol LogSink: Sendable {
    /// Writes one message. It never fails, because there is nowhere to report a log that cannot be written.
    func write(_ entry: LogEntry)
}
