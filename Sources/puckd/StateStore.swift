import PuckCore
import PuckSystem

/// What outlives the process, in files of the state directory: written whole and renamed, for their owner only.
struct StateStore {
    private let directory: String

    init(directory: String) { self.directory = directory }

    /// Makes sure, before anybody relies on it, that what is to be kept can be: makes the directory if only it is missing,
    /// and writes as many bytes to it as there may be to keep. An empty file finds room on a full disk.
    func prepare() throws(SystemError) {
        try createDirectory(directory)
        let probe = "\(directory)/probe"
        try replaceFile(probe, with: [UInt8](repeating: 0x20, count: CoarsenerState.longestText))
        try removeFile(probe)
    }

    private var coarsenerPath: String { "\(directory)/approximate.state" }
    private var systemAccuracyPath: String { "\(directory)/system-accuracy" }
    /// More than either file ever has, bytes.
    private static let limit = 65_536

    /// A kept file that can't be used.
    struct Damage: Error, CustomStringConvertible {
        let path: String
        let reason: String
        /// Where it has been set aside; nil: nowhere.
        let newPath: String?
        var description: String { "\(path): \(reason)" + (newPath.map { "; set aside as \($0)" } ?? "") }
    }

    /// The coarsening stage's state; nil where none is kept. A damaged file is set aside, so that it costs only what it
    /// held.
    func loadCoarsener() throws -> CoarsenerState? {
        guard let bytes = try read(coarsenerPath) else { return nil }
        do {
            return try CoarsenerState(text: bytes)
        } catch {
            throw try setAside(coarsenerPath, "\(error)")
        }
    }

    /// The accuracy to which an admin bound everyone; nil: nobody is bound.
    func loadSystemAccuracy() throws -> AccuracyMode? {
        guard let bytes = try read(systemAccuracyPath) else { return nil }
        guard String(decoding: bytes, as: UTF8.self) == "approximate\n" else {
            // It stays until another is saved over it: without any, the next start would bind nobody. What is set aside is a
            // copy, if there is room for one.
            let copy = "\(systemAccuracyPath).damaged"
            let isCopied = (try? replaceFile(copy, with: bytes)) != nil
            throw Damage(
                path: systemAccuracyPath, reason: "expected the one line “approximate”", newPath: isCopied ? copy : nil)
        }
        return .approximate
    }

    func save(_ state: CoarsenerState) throws(SystemError) {
        try replaceFile(coarsenerPath, with: Array(state.text.utf8))
    }

    func save(systemAccuracy: AccuracyMode?) throws(SystemError) {
        if systemAccuracy == .approximate {
            try replaceFile(systemAccuracyPath, with: Array("approximate\n".utf8))
        } else {
            try removeFileForGood(systemAccuracyPath)
        }
    }

    private func read(_ path: String) throws(SystemError) -> [UInt8]? {
        do throws(SystemError) {
            return try readFile(path, limit: Self.limit)
        } catch {
            if error.isNotFound { return nil }
            throw error
        }
    }

    private func setAside(_ path: String, _ reason: String) throws(SystemError) -> Damage {
        let newPath = "\(path).damaged"
        try renameFile(path, to: newPath)
        return Damage(path: path, reason: reason, newPath: newPath)
    }
}
