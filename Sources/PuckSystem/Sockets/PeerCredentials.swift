import CLinux
import Glibc
import PuckCore

/// Who was at the other end of a Unix socket when it connected, by the kernel's word. (SO_PEERCRED, SO_PEERGROUPS)
public struct PeerCredentials: Hashable, Sendable {
    /// The process; 0 where it is not of our PID namespace.
    public var process: Int32
    /// The user.
    public var user: UInt32
    /// The main group.
    public var group: UInt32
    /// The other groups.
    public var supplementaryGroups: [UInt32]

    /// Credentials as given.
    public init(process: Int32, user: UInt32, group: UInt32, supplementaryGroups: [UInt32]) {
        self.process = process
        self.user = user
        self.group = group
        self.supplementaryGroups = supplementaryGroups
    }

    /// The credentials of a connected socket's other end.
    public init(of socket: Int32) throws(SystemError) {
        var credentials = clinux_peer_credentials()
        var length = socklen_t(MemoryLayout.size(ofValue: credentials))
        try systemCall("ask who connected") { getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) }
        process = credentials.pid
        user = credentials.uid
        group = credentials.gid
        supplementaryGroups = try PeerCredentials.groups(of: socket)
    }

    /// Groups that a client may be in. Linux lets it be in 65,536, which who has as many sub-gids can do: each connection
    /// would then cost half a megabyte, and milliseconds. Leaving some of them out could give it more than it may have, so
    /// it is no client. (NGROUPS_MAX; directory services go to 1,015)
    static let mostGroups = 1_024

    private static func groups(of socket: Int32) throws(SystemError) -> [UInt32] {
        // Most processes have a few; the kernel tells how much room it wants where that is too little.
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
    /// The part of them that decides what a client may see and do.
    public var identity: ClientIdentity {
        ClientIdentity(user: user, groups: Set(supplementaryGroups + [group]))
    }
}
