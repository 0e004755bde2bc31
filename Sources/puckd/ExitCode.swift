import PuckSystem

/// The process's exit codes. sysexits.h has no better codes for these.
enum ExitCode {
    static let success: Int32 = 0
    /// A failure that the message describes.
    static let failure: Int32 = 1
    /// The command line is invalid.
    static let usage: Int32 = 2
    /// The configuration is invalid.
    static let configuration: Int32 = 3
    /// The recording contains nothing to replay.
    static let badInput: Int32 = 4
}

/// Writes a line to standard error, after the program's name.
func complain(_ text: String) { PuckSystem.complain(text, as: "puckd") }

/// Writes text to standard output.
func say(_ text: String) {
    try? writeAll(Array(text.utf8), to: StandardDescriptor.output)
}
