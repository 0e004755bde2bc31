import Foundation

/// Recordings that are not part of the package: in the directory that PUCKD_SHARED names, else in `../shared`.
enum Shared {
    static let receivers: String? = {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let shared = ProcessInfo.processInfo.environment["PUCKD_SHARED"] ?? package.path + "/../shared"
        let receivers = shared + "/receivers"
        return FileManager.default.fileExists(atPath: receivers) ? receivers : nil
    }()

    /// The names of the recordings that have gpsd's JSON.
    static var recordings: [String] {
        guard let receivers else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: receivers)) ?? []
        return names.filter { $0.hasSuffix(".log.chk") }.sorted()
    }

    /// The lines of a recording's JSON.
    static func lines(of recording: String) -> [ArraySlice<UInt8>] {
        guard let receivers else { return [] }
        let data = FileManager.default.contents(atPath: receivers + "/" + recording) ?? Data()
        return [UInt8](data).split(separator: UInt8(ascii: "\n")).filter { $0.first == UInt8(ascii: "{") }
    }
}
