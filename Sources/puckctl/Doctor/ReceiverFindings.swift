import PuckClient

// Findings about the chain from the receiver to puckd, from puckd's messages. These are pure functions.

/// Returns the findings about gpsd, the receiver, its data and its fix, up to the first one that is missing. While a
/// client places the location, returns only the finding about gpsd, those that are bad, and one about the placement.
/// `puckctl` is the user's command line for puckctl.
func sourceFindings(of source: SourceMessage, puckctl: String) -> [Finding] {
    let found = receiverFindings(of: source)
    guard source.provider == .client else { return found }
    let placed = Finding(
        subject: "location", verdict: .doubtful, text: "a client placed it; the receiver's location is not shown",
        remedies: ["\(puckctl) release uses the receiver again; journalctl -u puckd shows who placed it"])
    return found.filter { $0.subject == "gpsd" || $0.verdict == .bad } + [placed]
}

private func receiverFindings(of source: SourceMessage) -> [Finding] {
    let gpsd = Finding(subject: "gpsd", verdict: .ok, text: "puckd is connected to it")
    let why = source.reason.map { " (\($0))" } ?? ""
    let name = source.device?.path ?? "the receiver"
    switch source.state {
    case .noDaemon:
        return [
            Finding(
                subject: "gpsd", verdict: .bad, text: "puckd cannot reach it\(why)",
                remedies: [
                    "systemctl status gpsd.socket gpsd.service",
                    "sudo systemctl enable --now gpsd.socket, after sudo apt-get install gpsd",
                    "another host or port: [gpsd] in /etc/puckd/puckd.conf",
                ])
        ]
    case .noDevice:
        return [
            gpsd,
            Finding(
                subject: "receiver", verdict: .bad, text: source.reason ?? "gpsd has none",
                remedies: [
                    "plug it in; ls -l /dev/ttyACM* /dev/ttyUSB* /dev/serial/by-id/",
                    "sudo gpsdctl add /dev/ttyACM0, or for good DEVICES in /etc/default/gpsd",
                ]),
        ]
    case .noData, .lost:
        return [
            gpsd,
            Finding(
                subject: "receiver", verdict: .bad, text: "\(name): \(source.reason ?? "it says nothing")",
                remedies: [
                    "unplug it and plug it in again; journalctl -u gpsd may show the reason",
                    "does gpsd see sentences? gpspipe -r -n 10",
                ]),
        ]
    case .stale:
        return [
            gpsd,
            Finding(
                subject: "receiver", verdict: .doubtful,
                text: "\(name): \(source.reason ?? "it has been silent for two cycles")"),
        ]
    case .noFix:
        return [
            gpsd, receiver(source),
            Finding(
                subject: "fix", verdict: .doubtful, text: "none yet\(satellites(source))",
                remedies: ["give it a free view of the sky; a first fix takes up to a minute, or 13 after long storage"]
            ),
        ]
    case .fix:
        let isFlat = source.fix == .twoDimensional
        return [
            gpsd, receiver(source),
            Finding(
                subject: "fix", verdict: isFlat ? .doubtful : .ok,
                text: (isFlat ? "2D, without altitude" : source.fix == .threeDimensional ? "3D" : "there is one")
                    + satellites(source),
                remedies: isFlat ? ["give it a freer view of the sky"] : []),
        ]
    }
}

private func receiver(_ source: SourceMessage) -> Finding {
    let driver = source.driver.map { ", \($0)" } ?? ""
    return Finding(subject: "receiver", verdict: .ok, text: (source.device?.path ?? "it gives data") + driver)
}

private func satellites(_ source: SourceMessage) -> String {
    guard let used = source.satellitesUsed, let visible = source.satellitesVisible else { return "" }
    return ", \(used) of \(visible) satellites"
}

/// Returns the findings about the rate of fixes and about rejected fixes.
func rateFindings(of report: StatusReport) -> [Finding] {
    guard let rate = report.rates.first(where: { $0.name == "fixes" })?.value else { return [] }
    let refused = report.counters.filter { $0.name.hasPrefix("refused.") }
    let taken = report.counters.first { $0.name == "fixes" }?.value ?? 0
    let dropped = refused.reduce(0) { $0 + $1.value }
    var found = [Finding(subject: "rate", verdict: .ok, text: "\(fixed(rate, 1)) fixes a second")]
    // Some fixes are rejected after a receiver's start or in narrow streets. A larger share means that something is
    // wrong.
    let usualShare = 0.1
    if dropped > usualShare * (taken + dropped) {
        let reasons = refused.map { "\($0.name.dropFirst("refused.".count)) \(fixed($0.value, 0))" }
        found.append(
            Finding(
                subject: "refused", verdict: .doubtful,
                text: "\(fixed(dropped, 0)) of \(fixed(taken + dropped, 0)) fixes: \(reasons.joined(separator: ", "))",
                remedies: ["docs/protocol.md explains each reason"]))
    }
    return found
}

/// Returns the finding about a compass; nil if there is none.
func compassFinding(of source: SourceMessage, frame: Frame?) -> Finding? {
    let page = "docs/headings.md lists the sentences that give a heading, for each version of gpsd"
    if let puck = frame?.puck, let heading = puck.heading {
        guard puck.northReference == .magnetic else {
            return Finding(
                subject: "compass", verdict: .ok, text: "it points \(directionText(heading)), from true north")
        }
        return Finding(
            subject: "compass", verdict: .doubtful,
            text: "it points \(directionText(heading)) from magnetic north; the variation here is not known",
            remedies: ["gpsd gives the variation with a fix: give the receiver a free view of the sky", page])
    }
    guard let sentence = source.unreadHeading else { return nil }
    return Finding(
        subject: "compass", verdict: .doubtful,
        text: "gpsd hears one (\(sentence)) but does not report its heading",
        remedies: ["set the compass to HDT; gpsd 3.22 does not know the talker HE", page])
}

/// Compares the host's clock with the receiver's, using a frame.
func clockFinding(of frame: Frame) -> Finding? {
    guard let puck = frame.puck, let fixTime = puck.fixTime, let age = puck.age else { return nil }
    let off = frame.moment.utc.seconds(since: fixTime) - age
    // Receivers deliver fixes up to two seconds late, and do not report the delay.
    let usual = 2.0
    guard abs(off) > usual else {
        return Finding(subject: "clock", verdict: .ok, text: "the host's clock agrees with GPS")
    }
    return Finding(
        subject: "clock", verdict: .doubtful,
        text:
            "the host's is \(fixed(abs(off), 0)) s \(off > 0 ? "ahead of" : "behind") GPS; this does not affect puckd",
        remedies: ["timedatectl status; sudo apt-get install chrony sets it, from GPS too"])
}

/// Returns the finding about what this user may see and do.
func policyFinding(_ insight: AccessInsight, roles: [Role]) -> Finding {
    let authorization = insight.authorization
    let sees = "\(insight.who) sees \(authorization.accuracy.rawValue) location"
    let isBound = authorization.reason == .system
    let may = roles.isEmpty ? "nothing" : roles.map(\.rawValue).joined(separator: ", ")
    return Finding(
        subject: "policy", verdict: isBound ? .doubtful : .ok,
        text: isBound ? "\(sees), like everyone: an administrator set this" : "\(sees); may be \(may)",
        remedies: insight.remedies.map { isBound ? $0 : "for precise location: \($0)" })
}
