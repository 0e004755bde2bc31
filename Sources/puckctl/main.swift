import PuckClient
import PuckSystem
import PuckWire

private func complain(_ text: String) { PuckSystem.complain(text, as: "puckctl") }

private func run(_ invocation: Invocation) -> Int32 {
    let connection: PuckConnection
    do throws(SystemError) {
        connection = try PuckConnection(path: invocation.socket)
    } catch {
        complain("\(error)" + advice(for: error))
        return ExitCode.connection
    }
    do throws(Failure) {
        try Commands(connection: connection).run(invocation.command)
        return ExitCode.success
    } catch {
        return exitCode(for: error)
    }
}

private func exitCode(for failure: Failure) -> Int32 {
    switch failure {
    case .refused(let error):
        complain("\(error.message) (\(error.code.rawValue))")
        return error.isFatal ? ExitCode.connection : ExitCode.refused
    case .connection(.closed): complain("puckd closed the connection; systemctl status puckd tells whether it runs")
    case .connection(.timedOut):
        complain("puckd does not answer; systemctl status puckd, and its journal, may tell why")
    case .connection(.system(let error)): complain("\(error)")
    case .connection(.protocolViolation(let expected)): complain("this is not puckd: expected \(expected)")
    case .unread: return ExitCode.success
    }
    return ExitCode.connection
}

/// What to do next where connecting fails.
private func advice(for error: SystemError) -> String {
    if error.isNobodyThere {
        return "; is puckd running (systemctl status puckd), and is this its socket (--socket, PUCKD_SOCKET)?"
    }
    if error.isPermission { return "; the socket's permissions do not let you: see [socket] mode in puckd.conf" }
    return ""
}

Signal.ignoreBrokenPipes()
do throws(UsageError) {
    let invocation = try parseArguments(
        Array(CommandLine.arguments.dropFirst()), environmentSocket: environmentVariable("PUCKD_SOCKET"))
    switch invocation.command {
    case .help(let topic):
        // Help needs no daemon.
        try? say(topic?.help ?? helpText, end: "")
        exitProcess(ExitCode.success)
    case .version:
        try? say("puckctl \(programVersion)")
        exitProcess(ExitCode.success)
    default: exitProcess(run(invocation))
    }
} catch {
    complain(error.message)
    exitProcess(ExitCode.usage)
}
