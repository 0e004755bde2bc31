import Glibc

/// The host's users and groups, by the name service. It may ask the network: not for the event loop's every event.
public enum Users {
    /// The user that this process acts as.
    public static var current: UInt32 { geteuid() }

    /// A user's name; nil where the host knows none.
    public static func name(ofUser uid: UInt32) throws(SystemError) -> String? {
        var entry = passwd()
        return try lookUp("look up user \(uid)", &entry, { getpwuid_r(uid, $0, $1, $2, $3) }) {
            String(cString: $0.pw_name)
        }
    }
    /// A group's name; nil where the host knows none.
    public static func name(ofGroup gid: UInt32) throws(SystemError) -> String? {
        var entry = group()
        return try lookUp("look up group \(gid)", &entry, { getgrgid_r(gid, $0, $1, $2, $3) }) {
            String(cString: $0.gr_name)
        }
    }
    /// A user's number; nil where the host knows none of that name.
    public static func id(ofUser name: String) throws(SystemError) -> UInt32? {
        var entry = passwd()
        return try lookUp("look up user \(name)", &entry, { getpwnam_r(name, $0, $1, $2, $3) }) { $0.pw_uid }
    }
    /// A group's number; nil where the host knows none of that name.
    public static func id(ofGroup name: String) throws(SystemError) -> UInt32? {
        var entry = group()
        return try lookUp("look up group \(name)", &entry, { getgrnam_r(name, $0, $1, $2, $3) }) { $0.gr_gid }
    }

    /// The names of a group's members, but for those whose first group it is; empty where the host knows no such group.
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

    /// Groups of many members need large buffers: they double from here up to the limit, in bytes.
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
            // What getpwnam(3) and its kin say for "none" besides 0, depending on the source.
            case ENOENT, ESRCH, EBADF, EPERM: return nil
            case EINTR: continue
            case ERANGE where size < largestBuffer: size *= 2
            default: throw SystemError(operation, code: result)
            }
        }
    }
}
