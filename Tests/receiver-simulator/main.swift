import Glibc
import PuckCore
import PuckSystem
import PuckTestKit

// Blocked before there is a second thread, so that `sigwait` below is the one who gets them.
var endings = sigset_t()
sigemptyset(&endings)
sigaddset(&endings, SIGINT)
sigaddset(&endings, SIGTERM)
pthread_sigmask(SIG_BLOCK, &endings, nil)

do {
    let arguments = try Arguments(CommandLine.arguments.dropFirst())
    if arguments.wantsHelp {
        try writeAll(Array(Arguments.help.utf8), to: StandardDescriptor.output)
        exit(EXIT_SUCCESS)
    }
    var model = ReceiverModel(
        route: arguments.route, rate: arguments.rate, begin: Clocks.now.utc, seed: arguments.seed)
    model.compass = arguments.compass
    model.saysErrorEstimate = arguments.compass == nil
    let receiver = try PseudoTerminalReceiver(model)
    let device = receiver.device ?? ""
    let greeting =
        arguments.printsDeviceOnly ? device : "\(device)  (\(arguments.rate) Hz; `gpsd -N -n -b \(device)` reads it)"
    try writeAll(Array((greeting + "\n").utf8), to: StandardDescriptor.output)
    try receiver.start()
    var signal: Int32 = 0
    sigwait(&endings, &signal)
    receiver.stop()
} catch let error as UsageError {
    let usage: Int32 = 2
    let text = "receiver-simulator: \(error.message); --help tells what there is\n"
    try? writeAll(Array(text.utf8), to: StandardDescriptor.error)
    exit(usage)
} catch {
    try? writeAll(Array("receiver-simulator: \(error)\n".utf8), to: StandardDescriptor.error)
    exit(EXIT_FAILURE)
}
