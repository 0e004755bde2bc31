import CGPS

/// An open connection to gpsd through libgps. It closes with the last reference to it.
///
/// Unchecked, because a C pointer cannot express the transfer: the thread that opens it passes it on completely and
/// never uses it again; from then on, only the event loop's thread does.
final class GPSDSession: @unchecked Sendable {
    private let connection: OpaquePointer

    /// Why gpsd could not be reached.
    struct Failure: Error, Hashable {
        let reason: String
    }

    /// Connects and requests reports. Blocks as long as the resolver, the network and gpsd do.
    static func open(_ configuration: GPSDConfiguration) -> Result<GPSDSession, Failure> {
        var error = [CChar](repeating: 0, count: longestError)
        guard let connection = cgps_open(configuration.host, configuration.port, &error, error.count) else {
            let text = String(decoding: error.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let place = "\(configuration.host):\(configuration.port)"
            return .failure(Failure(reason: "can't connect to gpsd at \(place): \(text)"))
        }
        let session = GPSDSession(connection)
        if let objection = GPSDOwner(configuration).objection(to: session.descriptor) {
            return .failure(Failure(reason: "gpsd at \(configuration.host):\(configuration.port): \(objection)"))
        }
        guard session.send(watch) else { return .failure(Failure(reason: "gpsd closed the connection at once")) }
        return .success(session)
    }

    private init(_ connection: OpaquePointer) { self.connection = connection }

    deinit { cgps_close(connection) }

    /// The socket, to watch and to read.
    var descriptor: Int32 { cgps_descriptor(connection) }

    /// Sends a command. False if it could not be sent completely.
    func send(_ command: String) -> Bool { cgps_send(connection, command) }

    /// Requests the reports of all receivers, not of one: another must replace it when it is silent, and its name may
    /// change. The values are requested in units, not in the receiver's own scale.
    static let watch = #"?WATCH={"enable":true,"json":true,"scaled":false};"#
    /// Requests an answer that gpsd sends at once, to check that it is alive.
    static let probe = "?VERSION;"

    /// Requests the receiver's own sentences in addition to its reports, or stops them.
    static let sentences = #"?WATCH={"enable":true,"nmea":true};"#
    static let noSentences = #"?WATCH={"enable":true,"nmea":false};"#

    private static let longestError = 256
}
