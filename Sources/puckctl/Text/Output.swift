import PuckClient
import PuckSystem

// All that puckctl prints goes through here, or through `complain`: names, reasons and descriptions come from other users
// and devices, and none of it may reach a terminal as a command.

/// Writes a line to standard output, with every unprintable character as an escape.
func say(_ text: String) throws(Failure) { try write(text.printable + "\n") }

/// Writes a line of JSON to standard output. It stays the same JSON: unprintable characters become JSON's own escapes.
func say(json line: [UInt8]) throws(Failure) {
    try write(printableJSON(String(decoding: line, as: UTF8.self)) + "\n")
}

/// Writes text that is safe to show as it is.
func write(_ text: String) throws(Failure) {
    do throws(SystemError) {
        try writeAll(Array(text.utf8), to: StandardDescriptor.output)
    } catch {
        throw Failure(writing: error)
    }
}

/// Writes one line to standard error, with every unprintable character as an escape.
func complain(_ text: String) { PuckSystem.complain(text, as: "puckctl") }

/// The same JSON in printable characters. (RFC 8259) Outside of strings JSON has no unprintable characters but white space,
/// and within strings none below U+0020: of these each becomes a space.
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
