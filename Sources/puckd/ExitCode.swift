import PuckSystem

/// What the process ends with. (sysexits.h has no better words for these)
enum ExitCode {
    static let success: Int32 = 0
    /// Something failed that the message names.
    static let failure: Int32 = 1
    /// The command line can't be understood.
    static let usage: Int32 = 2
    /// The configuration is wrong.
    static let configuration: Int32 = 3
    /// The recording holds nothing to replay.
    static let badInput: Int32 = 4
}

/// Writes a line to standard error.
func complain(_ text: String) { PuckSystem.complain(text, as: "puckd") }

/// Writes text to standard output.
func say(_ text: String) {
    try? writeAll(Array(text.utf8), to: StandardDescriptor.output)
}
