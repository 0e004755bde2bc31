import PuckSystem
import PuckTestKit

/// The recorded receivers among the shared files, with the JSON that gpsd makes of each.
enum Recordings {
    /// The names of all; none where the shared files are missing.
    static let names: [String] = {
        guard let index = SharedFiles.path("receivers/INDEX.tsv"), let table = try? readFile(index, limit: limit)
        else { return [] }
        return String(decoding: table, as: UTF8.self).split(separator: "\n").compactMap { row in
            guard let name = row.split(separator: "\t").first, name.hasSuffix(".log") else { return nil }
            return String(name)
        }
    }()

    /// The lines of JSON that gpsd makes of a recording.
    static func lines(of name: String) throws -> [ArraySlice<UInt8>] {
        guard let path = SharedFiles.path("receivers/\(name).chk") else { throw KitError("no JSON of \(name)") }
        return try readFile(path, limit: limit).split(separator: UInt8(ascii: "\n"))
            .filter { $0.first == UInt8(ascii: "{") }
    }

    /// More than any of them has, bytes.
    private static let limit = 16 << 20
}
