import PuckCore

let helpText = """
    usage: puckd [--config FILE] [--check-config]
           puckd replay [OPTION]… FILE
           puckd --version | --help

    Turns gpsd's fixes into a smooth location puck and a follow camera, and serves them on a Unix socket. It runs in
    the foreground and logs to the journal or to standard error.

      --config FILE    the configuration file; by default \(defaultConfigurationPath)
      --check-config   report every error in the configuration and exit
      --version        print the version
      --help           print this

    SIGHUP reloads the configuration; SIGTERM and SIGINT end puckd.
    Exit codes: 0 ended by a signal, 1 failed, 2 wrong command line, 3 wrong configuration.

    """

let replayHelpText = """
    usage: puckd replay [OPTION]… FILE

    Reads gpsd's JSON lines, as `gpspipe -w` writes them, and prints the frames that the daemon would have sent, in
    simulated time. The same input gives the same bytes. Each line may begin with its arrival time, as `gpspipe -w -uu`
    writes it. “-” is standard input.

      --rate fix|motion|N           a frame for each fix (default), motions, or up to N frames a second (1 to 120);
                                    none while nothing changes
      --accuracy precise|approximate
                                    the accuracy of the client; by default precise
      --view \(TrackingMode.allCases.map(\.rawValue).joined(separator: "|"))
                                    the camera's tracking mode
      --profile \(Profile.allCases.map(\.rawValue).joined(separator: "|"))
                                    the vehicle that carries the receiver
      --approximate-radius METRES   the radius of approximate locations
      --state-directory DIRECTORY   where state is kept over restarts (created if missing); by default nowhere
      --stamp                       begin each line with its delivery time: SECONDS.MICROSECONDS:
      --help                        print this

    Exit codes: 0 success, 1 failed, 2 wrong command line, 4 the recording has no position report or no time.

    """
