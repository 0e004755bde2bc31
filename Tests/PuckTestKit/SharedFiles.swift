import Glibc
import PuckSystem

/// Recordings and measuring programs that are shared with other projects and are not part of this one. They are in the
/// directory PUCKD_SHARED, or otherwise in `shared` beside the package. Tests that need them are skipped without them.
public enum SharedFiles {
    /// Returns the path of a shared file or directory; nil if it does not exist.
    public static func path(_ name: String) -> String? {
        let path = "\(environmentVariable("PUCKD_SHARED") ?? packageRoot + "/../shared")/\(name)"
        return access(path, R_OK) == 0 ? path : nil
    }

    /// The package's directory. This file is `Tests/PuckTestKit/SharedFiles.swift` in it.
    private static let packageRoot = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
}
