import Glibc
import PuckSystem

/// A gpsd that does what a test says, byte by byte, and nothing of its own: what a real one does once in a thousand
/// years can be had at once. It listens on a port of 127.0.0.1 that the host chose.
public final class FakeGPSD {
    /// The port that it listens on.
    public let port: UInt16
    private var socket: ListeningSocket?

    /// One that listens.
    public init() throws {
        let socket = try ListeningSocket(loopbackPort: 0)
        guard let port = socket.port else { throw KitError("the fake gpsd has no port") }
        self.socket = socket
        self.port = port
    }

    /// Stops listening, as a gpsd that ended: whoever connects is refused. Clients that are accepted stay.
    public func stopListening() { socket = nil }

    /// Listens again, on the same port.
    public func listenAgain() throws {
        guard socket == nil else { return }
        socket = try ListeningSocket(loopbackPort: port)
    }

    /// A client that waits to be accepted; nil where none does.
    public func accept() throws -> FakeGPSDClient? {
        guard let socket, let connection = try socket.accept() else { return nil }
        return FakeGPSDClient(connection)
    }

    /// The next client; for a test whose client runs elsewhere.
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

/// One connection to the fake gpsd, at gpsd's end. It is closed with its last reference.
public final class FakeGPSDClient {
    /// Whether the client closed its end.
    public private(set) var isClosed = false
    /// What the client sent.
    public private(set) var received: [UInt8] = []
    private var socket: FileDescriptor?

    init(_ socket: consuming FileDescriptor) { self.socket = consume socket }

    /// What the client sent so far, as lines. Reads what has come, without waiting.
    public var lines: [String] {
        look()
        return received.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether the client sent a line that begins so.
    public func hasReceived(_ start: String) -> Bool { lines.contains { $0.hasPrefix(start) } }

    /// Takes in what the client has sent, without waiting.
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

    /// Sends bytes as they are, waiting for the client to read for at most `seconds`.
    public func send(_ bytes: [UInt8], within seconds: Double = 5) throws {
        let deadline = Deadline(seconds: seconds)
        var rest = bytes[...]
        while !rest.isEmpty {
            rest = rest.dropFirst(try offer(Array(rest)))
            guard rest.isEmpty || !deadline.hasPassed else { throw KitError("not read within \(seconds) s") }
            if !rest.isEmpty { deadline.pause() }
        }
    }

    /// Sends text as it is: a line, half a line, or several.
    public func send(_ text: String, within seconds: Double = 5) throws {
        try send(Array(text.utf8), within: seconds)
    }

    /// Sends what there is room for, without waiting, and says how many bytes that was.
    public func offer(_ bytes: [UInt8]) throws -> Int {
        guard let number = socket?.number else { throw KitError("the fake gpsd has closed this connection") }
        switch bytes.withUnsafeBytes({ PuckSystem.send($0, to: number) }) {
        case .bytes(let count): return count
        case .wouldBlock: return 0
        case .closed: throw KitError("the client has closed the connection")
        case .failed(let error): throw error
        }
    }

    /// Closes the connection, as a gpsd that ended.
    public func close() { socket = nil }
}

extension FakeGPSDClient {
    /// What gpsd sends to whoever connects and watches: its version, its receivers (all open), and that it watches.
    public func greet(devices: [String], release: String = "3.25") throws {
        let list = devices.map { #"{"class":"DEVICE","path":"\#($0)","activated":"2026-06-01T12:00:00.000Z"}"# }
        try send(#"{"class":"VERSION","release":"\#(release)","rev":"x","proto_major":3,"proto_minor":15}"# + "\r\n")
        try send(#"{"class":"DEVICES","devices":[\#(list.joined(separator: ","))]}"# + "\r\n")
        try send(#"{"class":"WATCH","enable":true,"json":true,"scaled":false}"# + "\r\n")
    }

    /// Sends a TPV of an epoch, so many seconds after 2026-06-01T12:00:00Z: a fix, unless `mode` says otherwise.
    public func report(_ device: String, second: Int, mode: Int = 3, latitude: Double = 51.5) throws {
        try send(FakeGPSDClient.position(device, second: second, mode: mode, latitude: latitude))
    }

    /// The line of such a TPV, with its end.
    public static func position(_ device: String, second: Int, mode: Int = 3, latitude: Double = 51.5) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = "2026-06-01T\(two(12 + second / 3600)):\(two(second / 60 % 60)):\(two(second % 60)).000Z"
        let fix = mode >= 2 ? #","lat":\#(latitude),"lon":0.5"# : ""
        return #"{"class":"TPV","device":"\#(device)","mode":\#(mode),"time":"\#(time)"\#(fix)}"# + "\r\n"
    }
}
