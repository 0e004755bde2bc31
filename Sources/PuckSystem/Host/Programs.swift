/// The program that a process runs, by the kernel's name for it: at most 15 bytes, which the process may have changed.
/// nil where the process is gone, or this one may not see it. (proc_pid_comm(5))
public func programName(ofProcess process: Int32) -> String? {
    guard process > 0, let bytes = try? readFile("/proc/\(process)/comm", limit: 64) else { return nil }
    let name = String(decoding: bytes, as: UTF8.self).filter { !$0.isNewline }
    return name.isEmpty ? nil : name
}
