// Makes text from outside safe to show.

extension Unicode.Scalar {
    /// Whether showing it as it is can move a cursor, start a line, or hide or reorder the text around it: control and
    /// format characters (bidirectional controls among them), line and paragraph separators, and code points that have
    /// no agreed appearance.
    public var isUnprintable: Bool {
        // Most text is ASCII, for which no table is needed.
        if value < 0x7F { return value < 0x20 }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return true
        default: return false
        }
    }
}

extension String {
    /// Whether a terminal or a log can show it unchanged.
    public var isPrintable: Bool { !unicodeScalars.contains(where: \.isUnprintable) }

    /// The text with each unprintable character as a visible escape, such as `\u{1b}`. The result is one line.
    public var printable: String {
        guard !isPrintable else { return self }
        var result = ""
        for scalar in unicodeScalars {
            if scalar.isUnprintable {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
