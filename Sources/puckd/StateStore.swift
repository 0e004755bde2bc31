import PuckCore
import PuckSystem

/// The state that survives the process, as files in the state directory. Files are replaced atomically, and only their
/// owner can read them.
struct StateStore {
    private let directory: String

    init(directory: String) { self.directory = directory }

    /// Creates the directory if it is missing, and checks that it can hold the state. The check writes as many bytes as
    /// the state may need, because an empty file fits even on a full disk.
    func prepare() throws(SystemError) {
        try createDirectory(directory)
        let probe = "\(directory)/probe"
        try replaceFile(probe, with: [UInt8](repeating: 0x20, count: CoarsenerState.longestText))
        try removeFile(probe)
    }

    private var coarsenerPath: String { "\(directory)/approximate.state" }
    private var systemAccuracyPath: String { "\(directory)/system-accuracy" }
    /// The maximum size of a state file in bytes, larger than either ever is.
    private static let limit = 65_536

    /// An error: a state file that cannot be used.
    struct Damage: Error, CustomStringConvertible {
        let path: String
        let reason: String
        /// The path of the copy that was set aside; nil if there is none.
        let newPath: String?
        var description: String { "\(path): \(reason)" + (newPath.map { "; set aside as \($0)" } ?? "") }
    }

    /// Loads the state of the coarsener; nil if none was saved. A damaged file is set aside, so that only its own
    /// contents are lost.
    func loadCoarsener() throws -> CoarsenerState? {
        guard let bytes = try read(coarsenerPath) else { return nil }
        do {
            return try CoarsenerState(text: bytes)
        } catch {
            throw try setAside(coarsenerPath, "\(error)")
        }
    }

    /// Loads the accuracy to which an administrator restricted all clients; nil if there is no restriction.
    func loadSystemAccuracy() throws -> AccuracyMode? {
        guard let bytes = try read(systemAccuracyPath) else { return nil }
        guard String(decoding: bytes, as: UTF8.self) == "approximate\n" else {
            // The damaged file stays until the next save replaces it. Without it, the next start would find no
            // restriction. Set aside a copy, if there is room for one.
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
