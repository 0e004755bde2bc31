import PuckClient
import PuckSystem

func complain(_ text: String) { PuckSystem.complain(text, as: "puckctl") }

private func run(_ subcommand: any Subcommand, socket: String) async -> Int32 {
    do throws(Failure) {
        try await subcommand.run(try Session(socket: socket))
        return ExitCode.success
    } catch {
        if let text = error.text(socket: socket) { complain(text) }
        return error.exitCode
    }
}

Signal.ignoreBrokenPipes()
do throws(UsageError) {
    let environment = environmentVariable("PUCKD_SOCKET")
    switch try parseArguments(Array(CommandLine.arguments.dropFirst()), environmentSocket: environment) {
    case .tell(let text):
        // It needs no daemon, and whoever has read enough of it may go.
        try? writeAll(Array(text.utf8), to: StandardDescriptor.output)
        exitProcess(ExitCode.success)
    // In this thread, and before there is another: it is about signals.
    case .grant(let command, let socket): exitProcess(command.run(puckd: socket))
    case .examine(let socket): exitProcess(await Doctor.examine(puckd: socket))
    case .run(let subcommand, let socket): exitProcess(await run(subcommand, socket: socket))
    }
} catch {
    complain(error.message)
    exitProcess(ExitCode.usage)
}
