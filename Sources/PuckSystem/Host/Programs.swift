/// Returns the kernel's name for the program that a process runs: at most 15 bytes, which the process can change.
/// Returns nil if the process is gone or hidden from this one. See proc_pid_comm(5).
public func programName(ofProcess process: Int32) -> String? {
    guard process > 0, let bytes = try? readFile("/proc/\(process)/comm", limit: 64) else { return nil }
    let name = String(decoding: bytes, as: UTF8.self).filter { !$0.isNewline }
    return name.isEmpty ? nil : name
}
