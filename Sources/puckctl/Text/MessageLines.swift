import PuckClient

/// Returns the line of `watch` for an update; nil if people need not see it. This function is pure.
func personalLine(_ update: Update, _ units: Units) -> String? {
    switch update.content {
    case .frame(let frame): frameLine(frame, units)
    case .event(let event): eventLine(event)
    case .unknown: nil
    }
}

/// Returns the line for an event; nil if people need not see it.
func eventLine(_ event: ClientEvent) -> String? {
    switch event {
    case .source(let source): sourceLine(source)
    case .authorization(let authorization): authorizationLine(authorization)
    case .view(let view): view.reason == .current ? nil : viewLine(view, name: nil)
    case .disconnected(let error, _): "error     \(error)"
    case .connected, .notRestored, .fellBehind: nil
    }
}

/// An explanation of the pace of an approximate location, so that its display does not look broken.
let approximatePace = "the place changes about twice an hour at most, more often only far from the last one"

/// Returns the line for a view's state and the reason for its change.
func viewLine(_ view: ViewMessage, name: String?) -> String {
    var parts = [view.mode.rawValue, view.status.rawValue]
    if let state = view.state {
        parts[1] += view.status == .transition ? " to \(state.rawValue)" : " \(state.rawValue)"
    }
    if view.reason != .current { parts.append(view.reason.rawValue) }
    if let client = view.cause.client { parts.append("by client \(client)") }
    return "view      " + (name.map { "“\($0)”  " } ?? "") + parts.joined(separator: " · ")
}

/// Returns the line for a frame.
func frameLine(_ frame: Frame, _ units: Units) -> String {
    var parts = [timeOfDay(frame.moment.utc)] + (frame.puck.map { puckParts($0, units) } ?? ["no position"])
    if let camera = frame.camera { parts.append(cameraText(camera, beside: frame.puck)) }
    for marker in frame.markers ?? [] {
        let place = coordinateText(marker.coordinate, places: 5)
        parts.append("“\(marker.name)” \(marker.moving ? "on its way, " : "")\(place)")
    }
    return parts.joined(separator: "  ")
}

private func puckParts(_ puck: Puck, _ units: Units) -> [String] {
    var parts = [
        puck.state.rawValue.padded(to: 9),
        coordinateText(puck.coordinate, places: puck.accuracyMode == .precise ? 7 : 5),
    ]
    if let accuracy = puck.accuracy { parts.append("±\(units.length(accuracy))") }
    if let speed = puck.speed { parts.append(units.speed(speed)) }
    if let bearing = puck.bearing, let source = puck.bearingSource {
        let isMagnetic = source == .heading && puck.northReference == .magnetic
        parts.append("\(directionText(bearing)) \(source.rawValue)\(isMagnetic ? ", from magnetic north" : "")")
    }
    if puck.stationary == true { parts.append("standing still") }
    if puck.discontinuity { parts.append("jumped") }
    if puck.estimated { parts.append("estimated") }
    if let altitude = puck.altitudeMSL ?? puck.altitude { parts.append("\(units.height(altitude)) high") }
    if puck.accuracyMode == .approximate { parts.append("approximate") }
    return parts
}

/// Returns the text for the camera's axes that the view owns. The centre is given only if it is not the puck.
private func cameraText(_ camera: Camera, beside puck: Puck?) -> String {
    var parts = ["camera"]
    if let center = camera.center {
        parts.append(center == puck?.coordinate ? "on the puck" : "at " + coordinateText(center, places: 5))
    }
    if let zoom = camera.zoom { parts.append("zoom \(fixed(zoom, 1))") }
    if let bearing = camera.bearing { parts.append("up \(Int(bearing.rounded()) % 360)°") }
    if let pitch = camera.pitch, pitch != 0 { parts.append("tilt \(fixed(pitch, 0))°") }
    return parts.joined(separator: " ")
}

private func sourceLine(_ source: SourceMessage) -> String {
    let isPlaced = source.provider == .client
    var parts = isPlaced ? ["placed by a client", "receiver \(source.state.rawValue)"] : [source.state.rawValue]
    if let device = source.device { parts.append(device.path) }
    if let driver = source.driver { parts.append(driver) }
    if let status = source.fixStatus.flatMap(fixStatusText) { parts.append(status) }
    if let used = source.satellitesUsed, let visible = source.satellitesVisible {
        parts.append("\(used) of \(visible) satellites")
    }
    if let reason = source.reason { parts.append(reason) }
    return "source    " + parts.joined(separator: " · ")
}

/// Returns the text for a kind of fix; nil for a normal fix.
func fixStatusText(_ status: FixStatus) -> String? {
    switch status {
    case .normal: nil
    case .differential: "with corrections"
    case .rtkFixed: "RTK fixed"
    case .rtkFloat: "RTK float"
    case .deadReckoning: "dead reckoning"
    case .gnssDeadReckoning: "satellites and dead reckoning"
    case .surveyed: "surveyed"
    case .simulated: "simulated"
    case .precisePositioning: "P(Y) code"
    }
}

private func authorizationLine(_ authorization: AuthorizationMessage) -> String {
    var line = "accuracy  \(authorization.accuracy.rawValue), by \(authorization.reason.rawValue)"
    if let purpose = authorization.purpose { line += " (\(purpose))" }
    if authorization.allowed != authorization.accuracy { line += "; \(authorization.allowed.rawValue) is allowed" }
    if authorization.accuracy == .approximate { line += "; \(approximatePace)" }
    return line
}

/// Returns the output of `status` for people to read.
func statusLines(_ report: StatusReport) -> [String] {
    var lines = ["programs  " + report.versions.map { "\($0.name) \($0.version)" }.joined(separator: ", ")]
    if let policy = report.policy {
        let roles = policy.roles.isEmpty ? "no role" : policy.roles.map(\.rawValue).joined(separator: ", ")
        lines.append("policy    \(policy.accuracy.rawValue) · \(roles) · by \(policy.file)")
    }
    guard report.source != nil else {
        return lines + ["approximate accuracy: puckd says nothing of the receiver or of other clients"]
    }
    if let uptime = report.uptime { lines.append("up        \(fixed(uptime, 0)) s") }
    if let source = report.source { lines.append(sourceLine(source)) }
    if let clients = report.clients { lines.append("clients   \(clients)") }
    for figure in report.rates { lines.append("rate      \(figure.name) \(fixed(figure.value, 2)) a second") }
    for figure in report.counters where figure.value != 0 {
        lines.append("count     \(figure.name) \(fixed(figure.value, 0))")
    }
    return lines
}

/// Returns the output of `who` for people to read: a heading, and a line for each client.
func whoLines(_ clients: [Connection], at now: UTC) -> [String] {
    let heading = [
        "CLIENT", "USER", "PROGRAM", "PID", "ACCURACY", "ROLES", "VIEW", "RATE", "FRAMES", "SKIPPED", "CONNECTED",
        "PURPOSE",
    ]
    return table([heading] + clients.map { whoCells($0, at: now) })
}

private func whoCells(_ client: Connection, at now: UTC) -> [String] {
    var accuracy = client.accuracy.rawValue
    if let allowed = client.allowed, allowed != client.accuracy { accuracy += " (may be \(allowed.rawValue))" }
    let rate: String
    switch client.rate {
    case .fix: rate = "fix"
    case .motion: rate = "motion"
    case .perSecond(let frames): rate = fixed(frames, 0)
    case nil: rate = ""
    }
    let view = client.view.map { $0.isEmpty ? "(own)" : $0 }
    var cells = [String(client.client), client.user ?? client.uid.map { "uid \($0)" } ?? ""]
    cells += [client.program ?? "", client.pid.map { String($0) } ?? "", accuracy]
    cells += [client.roles.map(\.rawValue).joined(separator: ","), view ?? "", rate]
    cells += [client.framesSent.map { String($0) } ?? "", client.framesSkipped.map { String($0) } ?? ""]
    cells += [durationText(now.seconds(since: client.since)), client.purpose ?? ""]
    return cells
}

/// Formats a duration in the largest unit that gives at least 2, or in seconds.
private func durationText(_ seconds: Double) -> String {
    let units: [(name: String, seconds: Double)] = [("d", 86_400), ("h", 3_600), ("min", 60)]
    let unit = units.first { seconds >= 2 * $0.seconds } ?? ("s", 1)
    return "\(fixed(max(0, seconds / unit.seconds), 0)) \(unit.name)"
}

/// Formats rows as aligned columns. An empty cell becomes `-`.
private func table(_ rows: [[String]]) -> [String] {
    let rows = rows.map { row in row.map { $0.isEmpty ? "-" : $0 } }
    let columns = rows.first?.count ?? 0
    let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
        let cells = zip(row, widths).map { cell, width in cell.padded(to: width) }
        var line = cells.joined(separator: "  ")
        while line.last == " " { line.removeLast() }
        return line
    }
}

// MARK: Figures

/// Formats a number with this number of decimals, 0 to 7.
func fixed(_ value: Double, _ places: Int) -> String {
    let scale = [1.0, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7][min(7, max(0, places))]
    guard value.isFinite, abs(value) < 1e11 else { return "?" }
    let steps = Int64((value * scale).rounded())
    let digits = String(abs(steps))
    let sign = steps < 0 ? "-" : ""
    guard places > 0 else { return sign + digits }
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return "\(sign)\(padded.dropLast(places)).\(padded.suffix(places))"
}

func coordinateText(_ coordinate: Coordinate, places: Int) -> String {
    let latitude = "\(fixed(abs(coordinate.latitude), places))°\(coordinate.latitude < 0 ? "S" : "N")"
    return "\(latitude) \(fixed(abs(coordinate.longitude), places))°\(coordinate.longitude < 0 ? "W" : "E")"
}

/// Formats a direction as an arrow and whole degrees.
func directionText(_ direction: Direction) -> String {
    "\(arrow(direction)) \(Int(direction.degrees.rounded()) % 360)°"
}

private func arrow(_ direction: Direction) -> String {
    ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"][Int((direction.degrees / 45).rounded()) % 8]
}

func timeOfDay(_ time: UTC) -> String {
    let day: Int64 = 86_400_000
    let milliseconds = (time.nanoseconds / 1_000_000 % day + day) % day
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let tenths = milliseconds % 1_000 / 100
    return
        "\(two(milliseconds / 3_600_000)):\(two(milliseconds / 60_000 % 60)):\(two(milliseconds / 1_000 % 60)).\(tenths)"
}

extension String {
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
