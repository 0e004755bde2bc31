import Glibc

/// The resources that this process has used so far. See getrusage(2).
public struct ResourceUsage: Hashable, Sendable {
    /// Processor time in seconds, in user and kernel mode together.
    public var processorSeconds: Double
    /// The highest resident memory so far, in bytes.
    public var maximumResidentBytes: Int

    /// The usage up to now.
    public static var current: ResourceUsage {
        var usage = rusage()
        // For RUSAGE_SELF this cannot fail.
        _ = getrusage(RUSAGE_SELF.rawValue, &usage)
        let seconds = Double(usage.ru_utime.tv_sec) + Double(usage.ru_stime.tv_sec)
        let microseconds = Double(usage.ru_utime.tv_usec) + Double(usage.ru_stime.tv_usec)
        return ResourceUsage(
            processorSeconds: seconds + microseconds / 1e6,
            // The kernel reports units of 1,024 bytes.
            maximumResidentBytes: Int(usage.ru_maxrss) * 1_024)
    }
}

/// The limits on this process.
public enum ResourceLimits {
    /// The number of descriptors that this process may have open at the same time.
    public static var openFiles: Int {
        var limit = rlimit()
        _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }

    /// Raises the number of descriptors that this process may have open at the same time to `wanted`, or to the host's
    /// hard limit if that is lower. It never lowers the number. Returns the resulting number.
    @discardableResult
    public static func raiseOpenFiles(to wanted: Int) throws(SystemError) -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        try systemCall("read the limit of open files") { getrlimit(resource, &limit) }
        let goal = min(rlim_t(clamping: wanted), limit.rlim_max)
        if goal > limit.rlim_cur {
            limit.rlim_cur = goal
            try systemCall("raise the limit of open files to \(goal)") { setrlimit(resource, &limit) }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
