import PuckClient
import PuckSystem

// All output of puckctl goes through these functions. Names, reasons and descriptions come from other users and from
// devices, and must never reach a terminal as control sequences.

/// Writes a line to standard output. Unprintable characters are escaped.
func say(_ text: String) throws(Failure) { try write(text.printable + "\n") }

/// Writes a line of JSON to standard output. Unprintable characters become JSON's own escapes, so the JSON keeps its
/// meaning.
func say(json line: [UInt8]) throws(Failure) {
    try write(printableJSON(String(decoding: line, as: UTF8.self)) + "\n")
}

/// Writes text to standard output without escaping. The text must be safe to show.
func write(_ text: String) throws(Failure) {
    do throws(SystemError) {
        try writeAll(Array(text.utf8), to: StandardDescriptor.output)
    } catch {
        throw Failure(writing: error)
    }
}

/// Writes a line to standard error. Unprintable characters are escaped.
func complain(_ text: String) { PuckSystem.complain(text, as: "puckctl") }

/// Returns the same JSON in printable characters. Outside of strings, JSON has no unprintable characters except white
/// space, and strings contain none below U+0020. So each character below U+0020 is white space, and becomes a space.
/// See RFC 8259.
func printableJSON(_ text: String) -> String {
    guard !text.isPrintable else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
        if !scalar.isUnprintable {
            result.unicodeScalars.append(scalar)
        } else if scalar.value < 0x20 {
            result += " "
        } else {
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
    }
    return result
}
