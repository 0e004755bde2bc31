import Glibc
import PuckSystem

/// A fake gpsd that a test controls byte by byte, to reproduce rare behaviour of a real one. It listens on 127.0.0.1,
/// on a port that the host chooses.
public final class FakeGPSD {
    /// The port on which it listens.
    public let port: UInt16
    private var socket: ListeningSocket?

    /// Creates a fake gpsd that listens.
    public init() throws {
        let socket = try ListeningSocket(loopbackPort: 0)
        guard let port = socket.port else { throw KitError("the fake gpsd has no port") }
        self.socket = socket
        self.port = port
    }

    /// Stops listening, like a gpsd that has ended: new connections are refused. Accepted clients stay connected.
    public func stopListening() { socket = nil }

    /// Listens on the same port again.
    public func listenAgain() throws {
        guard socket == nil else { return }
        socket = try ListeningSocket(loopbackPort: port)
    }

    /// Accepts a waiting client; returns nil if there is none.
    public func accept() throws -> FakeGPSDClient? {
        guard let socket, let connection = try socket.accept() else { return nil }
        return FakeGPSDClient(connection)
    }

    /// Waits up to `seconds` for a client and accepts it, for tests whose client runs elsewhere.
    public func accept(within seconds: Double) throws -> FakeGPSDClient {
        var client: FakeGPSDClient?
        _ = try Deadline.poll(seconds: seconds) {
            client = try accept()
            return client != nil
        }
        guard let client else { throw KitError("nobody connected to the fake gpsd within \(seconds) s") }
        return client
    }
}

/// One connection to the fake gpsd, at gpsd's end. It closes with its last reference.
public final class FakeGPSDClient {
    /// Whether the client has closed its end.
    public private(set) var isClosed = false
    /// The bytes that the client has sent.
    public private(set) var received: [UInt8] = []
    private var socket: FileDescriptor?

    init(_ socket: consuming FileDescriptor) { self.socket = consume socket }

    /// The lines that the client has sent. This reads available bytes without waiting.
    public var lines: [String] {
        look()
        return received.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns whether the client has sent a line with this prefix.
    public func hasReceived(_ start: String) -> Bool { lines.contains { $0.hasPrefix(start) } }

    /// Reads the bytes that the client has sent, without waiting.
    public func look() {
        guard let number = socket?.number else { return }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            switch buffer.withUnsafeMutableBytes({ receive(from: number, into: $0) }) {
            case .bytes(let count): received += buffer.prefix(count)
            case .wouldBlock: return
            case .closed, .failed:
                isClosed = true
                return
            }
        }
    }

    /// Sends bytes, waiting up to `seconds` for the client to read them.
    public func send(_ bytes: [UInt8], within seconds: Double = 5) throws {
        let deadline = Deadline(seconds: seconds)
        var rest = bytes[...]
        while !rest.isEmpty {
            rest = rest.dropFirst(try offer(Array(rest)))
            guard rest.isEmpty || !deadline.hasPassed else { throw KitError("not read within \(seconds) s") }
            if !rest.isEmpty { deadline.pause() }
        }
    }

    /// Sends text as it is: a line, part of a line, or several lines.
    public func send(_ text: String, within seconds: Double = 5) throws {
        try send(Array(text.utf8), within: seconds)
    }

    /// Sends as many bytes as there is room for, without waiting. Returns their number.
    public func offer(_ bytes: [UInt8]) throws -> Int {
        guard let number = socket?.number else { throw KitError("the fake gpsd has closed this connection") }
        switch bytes.withUnsafeBytes({ PuckSystem.send($0, to: number) }) {
        case .bytes(let count): return count
        case .wouldBlock: return 0
        case .closed: throw KitError("the client has closed the connection")
        case .failed(let error): throw error
        }
    }

    /// Closes the connection, like a gpsd that has ended.
    public func close() { socket = nil }
}

extension FakeGPSDClient {
    /// Sends gpsd's messages to a new client that watches: its version, its receivers (all open), and the state of the
    /// watch.
    public func greet(devices: [String], release: String = "3.25") throws {
        let list = devices.map { #"{"class":"DEVICE","path":"\#($0)","activated":"2026-06-01T12:00:00.000Z"}"# }
        try send(#"{"class":"VERSION","release":"\#(release)","rev":"x","proto_major":3,"proto_minor":15}"# + "\r\n")
        try send(#"{"class":"DEVICES","devices":[\#(list.joined(separator: ","))]}"# + "\r\n")
        try send(#"{"class":"WATCH","enable":true,"json":true,"scaled":false}"# + "\r\n")
    }

    /// Sends a TPV for the epoch `second` seconds after 2026-06-01T12:00:00Z. With the default `mode`, it has a fix.
    public func report(_ device: String, second: Int, mode: Int = 3, latitude: Double = 51.5) throws {
        try send(FakeGPSDClient.position(device, second: second, mode: mode, latitude: latitude))
    }

    /// Returns the line of such a TPV, with its line end.
    public static func position(_ device: String, second: Int, mode: Int = 3, latitude: Double = 51.5) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = "2026-06-01T\(two(12 + second / 3600)):\(two(second / 60 % 60)):\(two(second % 60)).000Z"
        let fix = mode >= 2 ? #","lat":\#(latitude),"lon":0.5"# : ""
        return #"{"class":"TPV","device":"\#(device)","mode":\#(mode),"time":"\#(time)"\#(fix)}"# + "\r\n"
    }
}
