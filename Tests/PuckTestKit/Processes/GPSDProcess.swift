import Glibc
import PuckSystem

/// A real gpsd of a test's own: its own port, its own control socket, nothing shared with the host's gpsd.
public final class GPSDProcess {
    /// The TCP port that it serves on 127.0.0.1.
    public let port: UInt16

    private let directory: TestDirectory
    private let program: String
    private let options: [String]
    private var devices: [String]
    private var process: TestProcess?

    private var controlSocket: String { directory.file("control") }

    /// How long gpsd may take from its start until it accepts a connection, seconds.
    public static let startTime = 10.0
    /// More than any gpsd has, bytes.
    private static let largestProgram = 64 << 20
    /// How much of gpsd's log is read, bytes.
    private static let largestLog = 16 << 20
    /// How often another port is tried where the one found free was taken meanwhile.
    private static let attempts = 5

    /// Starts gpsd on these devices, and waits until it accepts connections.
    ///
    /// By default it only reads (`-b`) and keeps one speed (`-s`). Otherwise it probes an unknown receiver with what
    /// drivers it has and tries one speed after the other, which takes seconds in which it does not answer and throws
    /// away what the receiver says.
    public init(devices: [String] = [], options: [String] = ["-b", "-s", "38400"]) throws {
        directory = try TestDirectory()
        self.devices = devices
        self.options = options
        // A copy, since AppArmor's profile of /usr/sbin/gpsd goes by the path and knows serial ports only.
        program = try directory.write(
            readFile(Self.installedProgram(), limit: Self.largestProgram), to: "gpsd", mode: 0o755)
        var failure: (any Error)?
        for _ in 0..<Self.attempts {
            let candidate = try freePort()
            do {
                process = try Self.start(
                    program, options: options, port: candidate, control: directory.file("control"), devices: devices,
                    log: directory.file("log"))
                port = candidate
                return
            } catch { failure = error }
        }
        throw failure ?? KitError("gpsd did not start")
    }

    /// Whether it runs.
    public var isRunning: Bool { process?.isRunning ?? false }
    /// Its process id; nil while it does not run.
    public var pid: pid_t? { isRunning ? process?.pid : nil }
    /// What it wrote to standard error.
    public var log: String { Self.text(directory.file("log")) }

    /// Ends it as a crash would: SIGKILL.
    public func kill() {
        process?.kill()
        process = nil
    }

    /// Ends it as its service does: SIGTERM.
    public func stop() throws {
        try process?.terminate()
        process = nil
    }

    /// Starts it again, on the same port, with the devices that it had.
    public func restart() throws {
        kill()
        process = try Self.start(
            program, options: options, port: port, control: controlSocket, devices: devices, log: directory.file("log"))
    }

    /// Tells it of a device, as udev's hook does when one is plugged in.
    public func add(_ device: String) throws {
        try control("+\(device)")
        devices.append(device)
    }

    /// Tells it that a device is gone, as udev's hook does.
    public func remove(_ device: String) throws {
        try control("-\(device)")
        devices.removeAll { $0 == device }
    }

    /// Waits until it has opened a device: only what the receiver says after that is read.
    public func waitUntilOpen(_ device: String, within seconds: Double = GPSDProcess.startTime) throws {
        let client = try connect()
        let open = #""path":"\#(device)","#
        let deadline = Deadline(seconds: seconds)
        while !deadline.hasPassed {
            try client.send("?DEVICES;")
            let answer = try client.lines.first(within: deadline.remaining) { $0.contains(#""class":"DEVICES""#) }
            if answer.contains(open), answer.contains(#""activated":""#) { return }
            deadline.pause()
        }
        throw KitError("gpsd did not open \(device) within \(seconds) s: \(log)")
    }

    /// A connection to it.
    public func connect() throws -> LineClient { try LineClient(port: port) }

    /// A connection to it that is sent every report from now on.
    public func watch() throws -> LineClient {
        let client = try connect()
        try client.send(#"?WATCH={"enable":true,"json":true};"#)
        try client.lines.first(within: Self.startTime) { $0.contains(#""class":"WATCH""#) }
        return client
    }

    private func control(_ command: String) throws {
        let client = try LineClient(path: controlSocket)
        try client.send(command + "\r")
        let answer = client.lines.next(within: Self.startTime) ?? ""
        // As 3.22 says it, and as 3.25 does.
        guard answer == "OK" || answer.contains(#""class":"ACK""#) else {
            throw KitError("gpsd's control socket answered “\(answer)” to \(command)")
        }
    }

    private static func start(
        _ program: String, options: [String], port: UInt16, control: String, devices: [String], log: String
    ) throws -> TestProcess {
        let arguments = ["-N", "-n", "-S", String(port), "-F", control] + options + devices
        // Nothing on the system bus: it would tell the host's programs where the simulated receiver is.
        let environment = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent"]
        let command = withoutSharedMemory + [program] + arguments
        let process = try TestProcess(
            command[0], Array(command.dropFirst()), environment: environment, output: .file(log))
        var accepts = false
        let answered = Deadline.poll(seconds: startTime) {
            guard process.isRunning else { return true }
            accepts = (try? LineClient(port: port, within: 0)) != nil
            return accepts
        }
        guard answered, accepts, process.isRunning else {
            throw KitError("gpsd does not accept connections on port \(port) after \(startTime) s: \(text(log))")
        }
        return process
    }

    /// gpsd writes its position and time into shared memory, where a time server of the host would take it for the
    /// true time: it gets an IPC namespace of its own where this user may have one.
    private static let withoutSharedMemory: [String] = {
        let command = geteuid() == 0 ? ["unshare", "--ipc"] : ["unshare", "--map-current-user", "--ipc"]
        let trial = try? TestProcess(command[0], command.dropFirst() + ["true"], output: .discard)
        return (try? trial?.waitForEnd()) == .exited(0) ? command : ["env"]
    }()

    private static func text(_ path: String) -> String {
        (try? readFile(path, limit: largestLog)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static func installedProgram() throws -> String {
        // /usr/sbin is not in an ordinary user's PATH.
        let path = (environmentVariable("PATH") ?? "") + ":/usr/local/sbin:/usr/sbin"
        for directory in path.split(separator: ":") where access("\(directory)/gpsd", X_OK) == 0 {
            return "\(directory)/gpsd"
        }
        throw KitError("gpsd is not installed, and this test is about a real one: apt-get install gpsd")
    }
}
