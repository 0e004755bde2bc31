import PuckCore

let helpText = """
    usage: puckctl [--socket PATH] COMMAND …

    Asks puckd, and shows what it serves.

      watch             show the location as it comes
      status            tell what the daemon and the receiver do
      accuracy MODE     bind everyone to approximate accuracy, or release them (admin)
      track MODE|next   set or cycle a view's tracking mode
      ping              ask the daemon for its time
      who               list the connected clients (admin)

    puckctl COMMAND --help tells more of each.

      --socket PATH     where puckd listens: \(defaultSocket), or what PUCKD_SOCKET says
      --version         tell the version
      --help            this

    Exit codes: 0 done, 1 refused by the daemon, 2 wrong command line, 3 no connection, or it ended.

    """

extension Topic {
    /// What `puckctl COMMAND --help` says.
    var help: String {
        switch self {
        case .watch:
            """
            usage: puckctl watch [--json] [--rate fix|N] [--accuracy MODE] [--bearing WHAT] [--view NAME] [--count N]

            Shows the location as it comes: a line for each frame, and for each change of the receiver, of what you may
            see, and of the view.

              --json            the daemon's own lines, as they come
              --rate fix|N      a frame with each fix (default), or up to N a second (1 to 120), where something changed
              --accuracy MODE   precise or approximate; by default the best you are allowed
              --bearing WHAT    what the arrow shows: \(BearingPreference.allCases.map(\.rawValue).joined(separator: ", "))
              --view NAME       the shared view to watch; by default “\(defaultView)”, which `track` steers
              --count N         end after N frames

            """
        case .status:
            "usage: puckctl status [--json]\n\nTells what the daemon and the receiver do; --json: the daemon's own line. With approximate accuracy nothing is\ntold of the receiver and of other clients.\n"
        case .accuracy:
            """
            usage: puckctl accuracy precise|approximate

            The switch of the whole device (needs the role admin): “approximate” binds every client to it at once,
            “precise” gives each again what policy allows it. It is kept over restarts.

            """
        case .track:
            """
            usage: puckctl track MODE|next [--view NAME]

            Sets the tracking mode of a view: \(TrackingMode.allCases.map(\.rawValue).joined(separator: ", ")).
            “next” goes through them in this order. The view is “\(defaultView)” unless --view names another; it is
            there once somebody watches it, as `puckctl watch` does.

            """
        case .ping: "usage: puckctl ping\n\nAsks the daemon for its time, and tells how long the answer took.\n"
        case .who:
            "usage: puckctl who [--json]\n\nLists the connected clients and what each may see (needs the role admin).\n"
        }
    }
}
