import PuckCore

/// The log: static text that can be searched for, and fields for what differs.
///
/// Coordinates, and whatever they can be told from, are never logged, at no level: the journal outlives every grant,
/// and more people read it than may see where somebody is. `LogField` values are numbers and texts only, so that a
/// coordinate can't slip in as a whole.
public struct Log: Sendable {
    /// Messages under this level are left out.
    public var level: LogLevel
    var sink: any LogSink

    /// A log that goes to `sink`.
    public init(level: LogLevel, sink: any LogSink) {
        self.level = level
        self.sink = sink
    }

    /// For whoever looks into puckd itself.
    public func debug(_ text: StaticString, _ fields: LogFields = [:]) { write(.debug, text, fields) }
    /// What happens in the course of things.
    public func info(_ text: StaticString, _ fields: LogFields = [:]) { write(.info, text, fields) }
    /// What is unusual, and may need someone.
    public func notice(_ text: StaticString, _ fields: LogFields = [:]) { write(.notice, text, fields) }
    /// What went wrong, and was got over.
    public func warning(_ text: StaticString, _ fields: LogFields = [:]) { write(.warning, text, fields) }
    /// What went wrong, and was not.
    public func error(_ text: StaticString, _ fields: LogFields = [:]) { write(.error, text, fields) }

    /// A message of a level that is known only when it is written.
    public func write(_ level: LogLevel, _ text: StaticString, _ fields: LogFields = [:]) {
        guard level >= self.level else { return }
        sink.write(
            LogEntry(
                level: level, text: text.description, fields: fields.map { ($0.key.description, $0.value.logText) }))
    }
}

/// What differs from message to message, in order: names in lower case and underscores, and values.
public typealias LogFields = KeyValuePairs<StaticString, any LogField>

/// A value that may stand in a log.
public protocol LogField {
    /// The value as text.
    var logText: String { get }
}

extension String: LogField {
    /// The string itself.
    public var logText: String { self }
}
extension Substring: LogField {
    /// The string itself.
    public var logText: String { String(self) }
}
extension Bool: LogField {
    /// `true` or `false`.
    public var logText: String { description }
}
extension Double: LogField {
    /// In decimal.
    public var logText: String { description }
}
extension FixedWidthInteger where Self: LogField {
    /// In decimal.
    public var logText: String { String(self) }
}
extension Int: LogField {}
extension Int32: LogField {}
extension Int64: LogField {}
extension UInt32: LogField {}
extension UInt64: LogField {}
extension SystemError: LogField {
    /// What failed, and why.
    public var logText: String { description }
}

/// One message of the log.
public struct LogEntry: Sendable {
    /// How much it matters.
    public var level: LogLevel
    /// The static text.
    public var text: String
    /// Names and values, in order.
    public var fields: [(name: String, value: String)]

    /// The message in one line: the text, then the fields. Values with anything but plain characters are quoted, so
    /// that nothing a client sends can pass for another field or another line.
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

/// Where messages go.
public protocol LogSink: Sendable {
    /// Writes one message. It never fails: a log that can't be written has nowhere to say so.
    func write(_ entry: LogEntry)
}
