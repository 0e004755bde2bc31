import PuckCore
import PuckGPSD
import PuckReplay
import PuckSystem

/// Runs `puckd replay`: reads files and writes to standard output. Returns the exit code.
func runReplay(_ command: ReplayCommand) -> Int32 {
    Signal.ignoreBrokenPipes()
    do {
        let store = command.stateDirectory.map { StateStore(directory: $0) }
        try store?.prepare()
        // The descriptor stays open as a number until the process ends, because Swift 6.0's optimizer crashes on an
        // owned descriptor that lives across this loop.
        let input = try openInput(command.file).release()
        var replay = Replay(command.options, coarsenerState: try store?.loadCoarsener())
        var output = OutputBuffer(stamped: command.stamp)
        var splitter = LineSplitter()
        var buffer = [UInt8](repeating: 0, count: OutputBuffer.size)
        reading: while true {
            switch buffer.withUnsafeMutableBytes({ read(from: input, into: $0) }) {
            case .bytes(let count):
                for line in splitter.append(buffer[..<count]) { replay.receive(line) { output.append($0, $1) } }
                try output.flushIfFull()
            case .closed: break reading
            case .wouldBlock: _ = try waitUntilReady(input, for: .readable)
            case .failed(let error): throw error
            }
        }
        for line in splitter.append([UInt8(ascii: "\n")]) { replay.receive(line) { output.append($0, $1) } }
        replay.end { output.append($0, $1) }
        try output.flush()
        if let state = replay.coarsenerState { try store?.save(state) }
        if let missing = replay.missing {
            complain("\(command.file): \(missing); expected gpsd's JSON lines, as gpspipe -w -uu writes them")
            return ExitCode.badInput
        }
        return ExitCode.success
    } catch let error as SystemError where error.isBrokenPipe {
        // The reader has closed the pipe: it needs no more output.
        return ExitCode.success
    } catch {
        complain("\(error)")
        return ExitCode.failure
    }
}

private func openInput(_ path: String) throws(SystemError) -> FileDescriptor {
    try openForReading(path == "-" ? "/dev/stdin" : path)
}

/// A buffer for standard output.
private struct OutputBuffer {
    static let size = 65_536
    let stamped: Bool
    private var bytes: [UInt8] = []

    init(stamped: Bool) { self.stamped = stamped }

    mutating func append(_ delivered: UTC, _ line: UnsafeRawBufferPointer) {
        if stamped { bytes.append(contentsOf: "\(stamp(delivered)): ".utf8) }
        bytes.append(contentsOf: line)
    }
    mutating func flushIfFull() throws(SystemError) {
        if bytes.count >= Self.size { try flush() }
    }
    mutating func flush() throws(SystemError) {
        try writeAll(bytes, to: StandardDescriptor.output)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Formats a time as seconds and microseconds, like gpspipe.
    private func stamp(_ time: UTC) -> String {
        let microseconds = time.nanoseconds / 1_000
        let fraction = String(microseconds % 1_000_000)
        return "\(microseconds / 1_000_000).\(String(repeating: "0", count: 6 - fraction.count))\(fraction)"
    }
}
