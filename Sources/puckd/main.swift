import PuckCore
import PuckSystem

/// Runs a command and returns the exit code.
private func run(_ command: Command) -> Int32 {
    switch command {
    case .help: say(helpText)
    case .replayHelp: say(replayHelpText)
    case .version: say("puckd \(programVersion)\n")
    case .replay(let command): return runReplay(command)
    case .checkConfiguration(let path):
        return withConfiguration(path) { configuration in
            for warning in configuration.warnings { complain(warning) }
            say("\(path.printable): ok\n")
            return ExitCode.success
        }
    case .run(let path):
        return withConfiguration(path, otherwise: turnAwayClients) { configuration in
            do throws(SystemError) {
                return try Daemon(configuration, path: path).run()
            } catch {
                complain("\(error)")
                return ExitCode.failure
            }
        }
    }
    return ExitCode.success
}

private func withConfiguration(
    _ path: String, otherwise: () -> Void = {}, _ work: (Configuration) -> Int32
) -> Int32 {
    do throws(Configuration.Failure) {
        return work(try Configuration.read(path))
    } catch {
        for line in error.lines { complain(line) }
        otherwise()
        return ExitCode.configuration
    }
}

/// Turns away the clients that wait on the service manager's socket.
private func turnAwayClients() {
    do throws(SystemError) { try TurningAway.run() } catch { complain("\(error)") }
}

do throws(UsageError) {
    exitProcess(run(try parseArguments(Array(CommandLine.arguments.dropFirst()))))
} catch {
    complain(error.message)
    exitProcess(ExitCode.usage)
}
