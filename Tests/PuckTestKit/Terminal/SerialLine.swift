import Glibc
import PuckSystem

/// A simulated serial line: gpsd reads what is written to it from the device `path`. The device disappears with this
/// object.
final class SerialLine {
    private let terminal: PseudoTerminal

    /// The device for gpsd, such as `/dev/pts/3`.
    var path: String { terminal.path }

    /// Creates a line that any user may open, because gpsd started by root reads it as the user `gpsd`.
    init() throws {
        terminal = try PseudoTerminal()
        guard chmod(terminal.path, 0o666) == 0 else { throw KitError.system("chmod \(terminal.path)") }
    }

    /// Writes as many bytes as there is room for, and returns their number. The rest is not written, like bytes that
    /// are lost on a cable.
    @discardableResult
    func offer(_ bytes: ArraySlice<UInt8>) -> Int {
        discardInput()
        guard case .bytes(let count) = bytes.withUnsafeBytes({ PuckSystem.write($0, to: terminal.controller.number) })
        else { return 0 }
        return count
    }

    /// Writes all bytes, waiting up to `seconds` for the reader.
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

    /// Discards what gpsd wrote to the receiver: probes for other drivers.
    private func discardInput() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case .bytes = buffer.withUnsafeMutableBytes({
            PuckSystem.read(from: terminal.controller.number, into: $0)
        }) {}
    }
}
