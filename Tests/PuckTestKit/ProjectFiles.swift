import PuckSystem

/// The files of the package, for tests that compare its documents with its code.
public enum ProjectFiles {
    /// The maximum size of a file in bytes.
    private static let limit = 1_048_576

    /// Reads a file, by its path in the package.
    public static func read(_ path: String) throws -> [UInt8] { try readFile("\(root)/\(path)", limit: limit) }

    /// Returns the paths of a directory's entries, sorted by name. They are empty if the directory does not exist.
    public static func paths(in path: String) -> [String] {
        (entries(of: "\(root)/\(path)") ?? []).sorted().map { "\(path)/\($0)" }
    }

    /// The package's directory. This file is `Tests/PuckTestKit/ProjectFiles.swift` in it.
    public static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
}
