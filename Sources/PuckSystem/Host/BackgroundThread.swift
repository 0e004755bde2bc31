import Glibc

/// Runs `work` on a thread of its own, for calls that block, such as name resolution. The thread ends with `work`;
/// nobody waits for it, and results go through a `Sender`.
public func runInBackground(_ work: sending @escaping () -> Void) throws(SystemError) {
    let box = Unmanaged.passRetained(BackgroundWork(work))
    var thread = pthread_t()
    let result = pthread_create(
        &thread, nil,
        { data in
            if let data { Unmanaged<BackgroundWork>.fromOpaque(data).takeRetainedValue().work() }
            return nil
        }, box.toOpaque())
    guard result == 0 else {
        box.release()
        throw SystemError("start a thread", code: result)
    }
    pthread_detach(thread)
}

private final class BackgroundWork {
    let work: () -> Void
    init(_ work: @escaping () -> Void) { self.work = work }
}
