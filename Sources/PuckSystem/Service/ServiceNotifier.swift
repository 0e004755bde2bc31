import CSystemd

/// Notifications to the service manager about the service's state. Without a service manager (no NOTIFY_SOCKET) they do
/// nothing. See sd_notify(3). For the watchdog, see `EventLoop.watchdog()`.
public struct ServiceNotifier: Sendable {
    /// Creates a notifier for this process.
    public init() {}

    /// Reports that the service is ready.
    public func ready(status: String) { notify("READY=1", status: status) }
    /// Reports one line of status, which `systemctl status` shows. It must not contain coordinates.
    public func status(_ status: String) { notify(nil, status: status) }
    /// Reports that the service is reading its configuration again. `microseconds` is the start on CLOCK_MONOTONIC, the
    /// service manager's clock; default now. `ready(status:)` reports the end. See Type=notify-reload in
    /// systemd.service(5).
    public func reloading(since microseconds: Int64 = Clocks.monotonicMicroseconds) {
        notify("RELOADING=1\nMONOTONIC_USEC=\(microseconds)", status: nil)
    }
    /// Reports that the service is shutting down.
    public func stopping() { notify("STOPPING=1", status: nil) }

    private func notify(_ state: String?, status: String?) {
        // A line break in the status would start another assignment.
        let line = status.map { "STATUS=" + $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
        let message = [state, line].compactMap { $0 }.joined(separator: "\n")
        // The service continues even if the service manager does not receive the message.
        _ = sd_notify(0, message)
    }
}
