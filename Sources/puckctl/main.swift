import PuckClient
import PuckSystem

private func run(_ subcommand: any Subcommand, _ socket: PuckdSocket, _ units: Units) async -> Int32 {
    do throws(Failure) {
        let reconnects = subcommand.reconnects
        try await subcommand.run(try Session(socket: socket, units: units, reconnects: reconnects))
        return ExitCode.success
    } catch {
        if let text = error.text(socket: socket) { complain(text) }
        return error.exitCode
    }
}

Signal.ignoreBrokenPipes()
do throws(UsageError) {
    let environment = Environment(
        socket: environmentVariable("PUCKD_SOCKET").flatMap { $0.isEmpty ? nil : $0 },
        units: environmentVariable("PUCKCTL_UNITS"))
    let call = try parseArguments(Array(CommandLine.arguments.dropFirst()), environment)
    let socket: PuckdSocket =
        if let path = call.socket {
            PuckdSocket(named: path)
        } else if call.task.needsPuckd {
            PuckdSocket(runtimeDirectory: environmentVariable("XDG_RUNTIME_DIR"))
        } else {
            PuckdSocket(named: PuckClient.defaultPath)
        }
    switch call.task {
    case .tell(let text):
        // A reader may close the pipe when it has read enough.
        try? write(text)
        exitProcess(ExitCode.success)
    // This runs on the main thread, before any other thread starts, because it sets up signals.
    case .grant(let command): exitProcess(command.run(puckd: socket))
    case .examine: exitProcess(await Doctor.examine(puckd: socket))
    case .run(let subcommand): exitProcess(await run(subcommand, socket, call.units))
    }
} catch {
    complain(error.message)
    exitProcess(ExitCode.usage)
}
