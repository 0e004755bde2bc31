import PuckSystem

/// The package's own files, for tests that hold its documents against its code.
public enum ProjectFiles {
    /// More than any document has, bytes.
    private static let limit = 1_048_576

    /// The bytes of a file, by its path in the package.
    public static func read(_ path: String) throws -> [UInt8] { try readFile("\(root)/\(path)", limit: limit) }

    /// The package's directory: this file is `Tests/PuckTestKit/ProjectFiles.swift` in it.
    public static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
}
