import CLinux
import Glibc
import PuckCore

/// The identity of a Unix socket's peer when it connected, from the kernel (SO_PEERCRED, SO_PEERGROUPS).
public struct PeerCredentials: Hashable, Sendable {
    /// The process ID; 0 if the process is outside of this PID namespace.
    public var process: Int32
    /// The user ID.
    public var user: UInt32
    /// The primary group's ID.
    public var group: UInt32
    /// The IDs of the supplementary groups.
    public var supplementaryGroups: [UInt32]

    /// Creates credentials from these values.
    public init(process: Int32, user: UInt32, group: UInt32, supplementaryGroups: [UInt32]) {
        self.process = process
        self.user = user
        self.group = group
        self.supplementaryGroups = supplementaryGroups
    }

    /// Reads the credentials of a connected socket's peer.
    public init(of socket: Int32) throws(SystemError) {
        var credentials = clinux_peer_credentials()
        var length = socklen_t(MemoryLayout.size(ofValue: credentials))
        try systemCall("ask who connected") { getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) }
        process = credentials.pid
        user = credentials.uid
        group = credentials.gid
        supplementaryGroups = try PeerCredentials.groups(of: socket)
    }

    /// The largest number of groups that a client may be in. Linux allows 65,536 (NGROUPS_MAX), which a user with that many
    /// subordinate group IDs can reach; each connection would then cost half a megabyte and milliseconds. A client in more
    /// groups is refused, because ignoring some of them could give it too much access. Directory services allow 1,015.
    static let mostGroups = 1_024

    private static func groups(of socket: Int32) throws(SystemError) -> [UInt32] {
        // Most processes have few groups. If there is too little room, the kernel returns the required size.
        var groups = [gid_t](repeating: 0, count: 32)
        while true {
            var length = socklen_t(groups.count * MemoryLayout<gid_t>.stride)
            let result = interruptible { getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, &groups, &length) }
            let count = Int(length) / MemoryLayout<gid_t>.stride
            switch result {
            case .success: return Array(groups.prefix(count))
            case .failure(ERANGE) where count > mostGroups:
                throw SystemError(
                    "look at your groups", code: ERANGE,
                    message: "you are in \(count) of them, and a client may be in \(mostGroups)")
            case .failure(ERANGE) where count > groups.count:
                groups = [gid_t](repeating: 0, count: count)
            case .failure(let code): throw SystemError("ask for the groups of who connected", code: code)
            }
        }
    }
}

extension PeerCredentials {
    /// The part of the credentials that decides what a client may see and do.
    public var identity: ClientIdentity {
        ClientIdentity(user: user, groups: Set(supplementaryGroups + [group]))
    }
}
