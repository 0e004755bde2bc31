import Glibc
import PuckSystem

/// Recordings and measuring programs that are shared with other projects and are no part of this one: in
/// `PUCKD_SHARED`, else in `shared` beside the package. Tests that read them are skipped where they are not.
public enum SharedFiles {
    /// The path of something in there; nil where it is not there.
    public static func path(_ name: String) -> String? {
        let path = "\(environmentVariable("PUCKD_SHARED") ?? packageRoot + "/../shared")/\(name)"
        return access(path, R_OK) == 0 ? path : nil
    }

    /// This file is `Tests/PuckTestKit/SharedFiles.swift` in it.
    private static let packageRoot = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
}
