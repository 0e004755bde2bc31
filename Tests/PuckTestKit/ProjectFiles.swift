import PuckSystem

/// The package's own files, for tests that hold its documents against its code.
public enum ProjectFiles {
    /// More than any document has, bytes.
    private static let limit = 1_048_576

    /// The bytes of a file, by its path in the package.
    public static func read(_ path: String) throws -> [UInt8] { try readFile("\(root)/\(path)", limit: limit) }

    /// The paths of what is in a directory, by the names' order; none where there is no such directory.
    public static func paths(in path: String) -> [String] {
        (entries(of: "\(root)/\(path)") ?? []).sorted().map { "\(path)/\($0)" }
    }

    /// The package's directory: this file is `Tests/PuckTestKit/ProjectFiles.swift` in it.
    public static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
}
