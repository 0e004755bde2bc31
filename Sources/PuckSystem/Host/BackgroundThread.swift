import Glibc

/// Runs `work` on a new thread. Use it for calls that block, such as name resolution. The thread ends when `work`
/// returns. It cannot be joined; send results to the event loop through a `Sender`.
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
