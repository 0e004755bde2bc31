import PuckSystem

/// The four bypasses by which gpsd itself gives precise positions to other users of this host, and whether each is
/// open. A failure means that it could not be examined.
struct WaysRound: Sendable {
    /// Whether a process listens on gpsd's TCP port.
    var port: Result<Bool, SystemError>
    /// gpsd's shared memory; nil if there is none.
    var segment: Result<SharedMemorySegment?, SystemError>
    /// Whether a fix was received on the system's D-Bus; nil if there is no bus.
    var signal: Result<Bool?, SystemError>
    /// The receiver's tty and its permissions; nil if the tty is unknown.
    var tty: (path: String, access: Result<FileAccess?, SystemError>)?

    /// gpsd's port. See gpsd(8).
    private static let gpsdPort: UInt16 = 2947
    /// gpsd's key, which spells "GPSD". See gpsd.h in gpsd's sources.
    private static let segmentKey: Int32 = 0x4750_5344
    /// The time in seconds to listen: long enough for a receiver with a fix every two seconds.
    private static let listening = 2.5

    /// Whether puckd may hide a receiver from this user, and the command that shows it.
    private let hiding: (isHidden: Bool, remedies: [String])

    /// Examines each bypass with this user's permissions, and the tty if puckd reports the receiver. `puckctl` is the
    /// user's command line for puckctl.
    init(of chain: Chain, puckctl: String) {
        hiding = (chain.hidesReceiver, chain.remediesOfHiding(puckctl: puckctl))
        let device = chain.source?.device?.path
        port = Result { () throws(SystemError) in try isListening(onLocalPort: Self.gpsdPort) }
        segment = Result { () throws(SystemError) in try SharedMemorySegment(key: Self.segmentKey) }
        signal = Result { () throws(SystemError) in
            try isHeardOnBus(interface: "org.gpsd", member: "fix", within: Self.listening)
        }
        tty = device.map { path in (path, Result { () throws(SystemError) in try FileAccess(of: path) }) }
    }

    /// The findings.
    var findings: [Finding] {
        [
            finding("port 2947", port) { isOpen in
                isOpen
                    ? exposed("port 2947", "every user of this host gets precise positions from it")
                    : Finding(subject: "port 2947", verdict: .ok, text: "closed to users of this host")
            },
            finding("shared memory", segment) { segment in
                // Judge by the permission bits if they are known, because root can read what other users cannot.
                guard let segment, segment.mode.map({ $0 & 0o004 != 0 }) ?? segment.isReadable else {
                    return Finding(subject: "shared memory", verdict: .ok, text: "none that every user may read")
                }
                return exposed("shared memory", "every user may read gpsd's (ipcs -m, key 0x47505344)")
            },
            finding("D-Bus", signal) { isHeard in
                isHeard == true
                    ? exposed("D-Bus", "gpsd sends every fix to all users (busctl monitor org.gpsd)")
                    : Finding(subject: "D-Bus", verdict: .ok, text: "no fix was heard on it")
            },
            tty.map { tty in finding("tty", tty.access) { Self.finding(of: $0, at: tty.path) } }
                ?? Finding(
                    subject: "tty", verdict: .unknown,
                    text: hiding.isHidden
                        ? "puckd names it to precise clients only" : "puckd reports no receiver",
                    remedies: hiding.remedies),
        ]
    }

    private func finding<Value>(
        _ subject: String, _ result: Result<Value, SystemError>, _ judge: (Value) -> Finding
    ) -> Finding {
        switch result {
        case .success(let value): judge(value)
        case .failure(let error): Finding(subject: subject, verdict: .unknown, text: "\(error)")
        }
    }

    private static func finding(of access: FileAccess?, at path: String) -> Finding {
        guard let access else { return Finding(subject: "tty", verdict: .unknown, text: "there is no \(path)") }
        if access.mode & 0o006 != 0 { return exposed("tty", "every user may open \(path)") }
        let group = (try? Users.name(ofGroup: access.group)) ?? "\(access.group)"
        let members = (try? Users.members(ofGroup: access.group)) ?? []
        guard access.mode & 0o060 != 0, !members.isEmpty else {
            return Finding(subject: "tty", verdict: .ok, text: "\(path) is closed to users of this host")
        }
        return exposed("tty", "\(members.joined(separator: ", ")) may open \(path) (group \(group))")
    }
}

/// Returns a finding about an open bypass.
private func exposed(_ subject: String, _ text: String) -> Finding {
    Finding(subject: subject, verdict: .doubtful, text: text, remedies: ["sudo puckd-private on closes all four ways"])
}
