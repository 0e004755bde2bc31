import Glibc
import PuckSystem

/// A real gpsd for one test, with its own port and control socket. It shares nothing with the host's gpsd.
public final class GPSDProcess {
    /// The TCP port on 127.0.0.1.
    public let port: UInt16

    private let directory: TestDirectory
    private let program: String
    private let options: [String]
    private var devices: [String]
    private var process: TestProcess?

    private var controlSocket: String { directory.file("control") }

    /// The maximum time in seconds from gpsd's start until it accepts a connection.
    public static let startTime = 10.0
    /// The maximum size of the gpsd program in bytes.
    private static let largestProgram = 64 << 20
    /// The maximum size of gpsd's log in bytes.
    private static let largestLog = 16 << 20
    /// The number of attempts with another port, if another process takes the free port first.
    private static let attempts = 5

    /// Starts gpsd with these devices, and waits until it accepts connections.
    ///
    /// With the default options, gpsd only reads (`-b`) and keeps one speed (`-s`). Without them, it probes an unknown
    /// receiver with each of its drivers and tries each speed, which takes seconds. In this time it does not answer,
    /// and it discards what the receiver sends.
    public init(devices: [String] = [], options: [String] = ["-b", "-s", "38400"]) throws {
        directory = try TestDirectory()
        self.devices = devices
        self.options = options
        // Run a copy, because AppArmor's profile applies to the path /usr/sbin/gpsd and allows only serial ports.
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

    /// Whether gpsd is running.
    public var isRunning: Bool { process?.isRunning ?? false }
    /// The process ID; nil if gpsd is not running.
    public var pid: pid_t? { isRunning ? process?.pid : nil }
    /// The output on standard error.
    public var log: String { Self.text(directory.file("log")) }

    /// Ends gpsd with SIGKILL, like a crash.
    public func kill() {
        process?.kill()
        process = nil
    }

    /// Ends gpsd with SIGTERM, like its service.
    public func stop() throws {
        try process?.terminate()
        process = nil
    }

    /// Starts gpsd again with the same port and devices.
    public func restart() throws {
        kill()
        process = try Self.start(
            program, options: options, port: port, control: controlSocket, devices: devices, log: directory.file("log"))
    }

    /// Adds a device, like udev's hook when a receiver is plugged in.
    public func add(_ device: String) throws {
        try control("+\(device)")
        devices.append(device)
    }

    /// Removes a device, like udev's hook when a receiver is unplugged.
    public func remove(_ device: String) throws {
        try control("-\(device)")
        devices.removeAll { $0 == device }
    }

    /// Waits until gpsd has opened a device. gpsd reads only what the receiver sends after that.
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

    /// Connects to gpsd.
    public func connect() throws -> LineClient { try LineClient(port: port) }

    /// Connects to gpsd and watches all reports from now on.
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
        // gpsd 3.22 answers OK, and gpsd 3.25 answers ACK.
        guard answer == "OK" || answer.contains(#""class":"ACK""#) else {
            throw KitError("gpsd's control socket answered “\(answer)” to \(command)")
        }
    }

    private static func start(
        _ program: String, options: [String], port: UInt16, control: String, devices: [String], log: String
    ) throws -> TestProcess {
        let arguments = ["-N", "-n", "-S", String(port), "-F", control] + options + devices
        // Keep gpsd off the system bus, where it would send the simulated position to the host's programs.
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

    /// The command that runs gpsd in its own IPC namespace, if this user may create one. Otherwise gpsd writes its
    /// position and time to shared memory, where a time server on the host would use the simulated time.
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
