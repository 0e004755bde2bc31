import Glibc

/// What this process has used so far. (getrusage(2))
public struct ResourceUsage: Hashable, Sendable {
    /// Processor time, user and kernel, seconds.
    public var processorSeconds: Double
    /// The most memory it ever had resident, bytes.
    public var maximumResidentBytes: Int

    /// What this process has used up to now.
    public static var current: ResourceUsage {
        var usage = rusage()
        // It fails only for a process that is not asked for here.
        _ = getrusage(RUSAGE_SELF.rawValue, &usage)
        let seconds = Double(usage.ru_utime.tv_sec) + Double(usage.ru_stime.tv_sec)
        let microseconds = Double(usage.ru_utime.tv_usec) + Double(usage.ru_stime.tv_usec)
        return ResourceUsage(
            processorSeconds: seconds + microseconds / 1e6,
            // Told in units of 1,024 bytes.
            maximumResidentBytes: Int(usage.ru_maxrss) * 1_024)
    }
}

/// Limits on this process.
public enum ResourceLimits {
    /// How many descriptors it may have open at a time.
    public static var openFiles: Int {
        var limit = rlimit()
        _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }

    /// Raises the number of descriptors that it may have open at a time to `wanted`, or to as many as the host lets
    /// it; returns how many those are. Never lowers it.
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
