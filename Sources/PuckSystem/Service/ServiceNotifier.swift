import CSystemd

/// Tells the service manager how the service is doing; without one (no NOTIFY_SOCKET) nothing happens. (sd_notify(3))
/// The watchdog is the event loop's: see `EventLoop.watchdog()`.
public struct ServiceNotifier: Sendable {
    /// A notifier for this process.
    public init() {}

    /// The service is up.
    public func ready(status: String) { notify("READY=1", status: status) }
    /// One line on what it is doing, which `systemctl status` shows. It is no place for coordinates.
    public func status(_ status: String) { notify(nil, status: status) }
    /// It reads its configuration again, since so many microseconds of CLOCK_MONOTONIC, the service manager's own clock;
    /// `ready(status:)` ends that. (Type=notify-reload)
    public func reloading(since microseconds: Int64 = Clocks.monotonicMicroseconds) {
        notify("RELOADING=1\nMONOTONIC_USEC=\(microseconds)", status: nil)
    }
    /// It is on its way down.
    public func stopping() { notify("STOPPING=1", status: nil) }

    private func notify(_ state: String?, status: String?) {
        // A line break in the status would start another setting.
        let line = status.map { "STATUS=" + $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
        let message = [state, line].compactMap { $0 }.joined(separator: "\n")
        // Whether the manager hears it makes no difference to what is to be done.
        _ = sd_notify(0, message)
    }
}
