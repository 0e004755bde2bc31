import Glibc
import PuckSystem

/// A serial line without a cable: what is written to it, gpsd reads from the device `path`. It is gone, for gpsd too,
/// with this object.
final class SerialLine {
    private let terminal: PseudoTerminal

    /// The device that gpsd opens, such as `/dev/pts/3`.
    var path: String { terminal.path }

    /// A line that any user may open: gpsd started by root reads it as user `gpsd`.
    init() throws {
        terminal = try PseudoTerminal()
        guard chmod(terminal.path, 0o666) == 0 else { throw KitError.system("chmod \(terminal.path)") }
    }

    /// Writes as much as there is room for, and returns how much that was: what nobody reads is lost, as on a cable.
    @discardableResult
    func offer(_ bytes: ArraySlice<UInt8>) -> Int {
        discardInput()
        guard case .bytes(let count) = bytes.withUnsafeBytes({ PuckSystem.write($0, to: terminal.controller.number) })
        else { return 0 }
        return count
    }

    /// Writes all of it, waiting for the reader for at most `seconds`.
    func send(_ bytes: [UInt8], within seconds: Double) throws {
        let deadline = Deadline(seconds: seconds)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = offer(rest)
            rest = rest.dropFirst(count)
            guard count == 0 else { continue }
            guard !deadline.hasPassed else { throw KitError("\(path): not read within \(seconds) s") }
            deadline.pause()
        }
    }

    /// Throws away what gpsd wrote to the receiver: probes of drivers that it is not.
    private func discardInput() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case .bytes = buffer.withUnsafeMutableBytes({
            PuckSystem.read(from: terminal.controller.number, into: $0)
        }) {}
    }
}
