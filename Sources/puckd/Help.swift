import PuckCore

let helpText = """
    usage: puckd [--config FILE] [--check-config]
           puckd replay [OPTION]… FILE
           puckd --version | --help

    Turns the receiver that gpsd reads into a steady location puck and a follow camera, and serves them on a Unix
    socket. It runs in the foreground, and logs to the journal or to standard error.

      --config FILE    the configuration; by default \(defaultConfigurationPath)
      --check-config   report every error in the configuration, and exit
      --version        print the version
      --help           print this

    SIGHUP reads the configuration again; SIGTERM and SIGINT end it.
    Exit codes: 0 ended as asked, 1 failed, 2 wrong command line, 3 wrong configuration.

    """

let replayHelpText = """
    usage: puckd replay [OPTION]… FILE

    Reads gpsd's JSON lines (what `gpspipe -w` writes) and prints the frames that the daemon would have sent, in
    simulated time: the same input gives the same bytes. Lines may carry their arrival in front, as `gpspipe -w -uu`
    writes it. “-” is standard input.

      --rate fix|N                  a frame with each fix (default), or up to N a second (1 to 120): one is made only
                                    where something changed
      --accuracy precise|approximate
                                    by default precise
      --view \(TrackingMode.allCases.map(\.rawValue).joined(separator: "|"))
                                    the camera's tracking mode
      --profile \(Profile.allCases.map(\.rawValue).joined(separator: "|"))
                                    what carries the receiver
      --approximate-radius METRES   how far off an approximate location may be
      --state-directory DIRECTORY   where what outlives a restart is read and kept (made where missing); by default nowhere
      --stamp                       the time of delivery before each line: SECONDS.MICROSECONDS:
      --help                        this

    Exit codes: 0 done, 1 failed, 2 wrong command line, 4 no position report, or no time, in the recording.

    """
