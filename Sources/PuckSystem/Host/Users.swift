import Glibc

/// The host's users and groups, from the name service. A lookup may wait for the network, so do not do one for each
/// event of the event loop.
public enum Users {
    /// The effective user ID of this process.
    public static var current: UInt32 { geteuid() }

    /// Returns a user's name; nil if the host does not know the user.
    public static func name(ofUser uid: UInt32) throws(SystemError) -> String? {
        var entry = passwd()
        return try lookUp("look up user \(uid)", &entry, { getpwuid_r(uid, $0, $1, $2, $3) }) {
            String(cString: $0.pw_name)
        }
    }
    /// Returns a group's name; nil if the host does not know the group.
    public static func name(ofGroup gid: UInt32) throws(SystemError) -> String? {
        var entry = group()
        return try lookUp("look up group \(gid)", &entry, { getgrgid_r(gid, $0, $1, $2, $3) }) {
            String(cString: $0.gr_name)
        }
    }
    /// Returns a user's ID; nil if the host does not know the name.
    public static func id(ofUser name: String) throws(SystemError) -> UInt32? {
        var entry = passwd()
        return try lookUp("look up user \(name)", &entry, { getpwnam_r(name, $0, $1, $2, $3) }) { $0.pw_uid }
    }
    /// Returns a group's ID; nil if the host does not know the name.
    public static func id(ofGroup name: String) throws(SystemError) -> UInt32? {
        var entry = group()
        return try lookUp("look up group \(name)", &entry, { getgrnam_r(name, $0, $1, $2, $3) }) { $0.gr_gid }
    }

    /// Returns the names of a group's members, without the users that have it as their primary group. Returns an empty
    /// array if the host does not know the group.
    public static func members(ofGroup gid: UInt32) throws(SystemError) -> [String] {
        var entry = group()
        return try lookUp("look up group \(gid)", &entry, { getgrgid_r(gid, $0, $1, $2, $3) }) { entry in
            var names: [String] = []
            var next = entry.gr_mem
            while let name = next?.pointee {
                names.append(String(cString: name))
                next = next?.advanced(by: 1)
            }
            return names
        } ?? []
    }

    private typealias Call<Entry> = (
        UnsafeMutablePointer<Entry>, UnsafeMutablePointer<CChar>, Int,
        UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>
    ) -> Int32

    /// The sizes of the buffer in bytes. A group with many members needs a large buffer: the size doubles from the
    /// first to the largest.
    private static let firstBuffer = 1_024
    private static let largestBuffer = 1 << 20

    private static func lookUp<Entry, Value>(
        _ operation: String, _ entry: inout Entry, _ call: Call<Entry>, _ value: (Entry) -> Value
    ) throws(SystemError) -> Value? {
        var size = firstBuffer
        while true {
            var found: UnsafeMutablePointer<Entry>?
            let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
            defer { buffer.deallocate() }
            let result = call(&entry, buffer, size, &found)
            switch result {
            case 0: return found.map { value($0.pointee) }
            // Besides 0, getpwnam(3) and the like return these codes for an entry that does not exist, depending on the
            // source.
            case ENOENT, ESRCH, EBADF, EPERM: return nil
            case EINTR: continue
            case ERANGE where size < largestBuffer: size *= 2
            default: throw SystemError(operation, code: result)
            }
        }
    }
}
