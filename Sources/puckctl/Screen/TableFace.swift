import PuckClient

extension LiveState {
    /// One row of the table: what it is, its value, and its look. A value that is not known is “–”.
    typealias TableRow = (label: String, value: String, style: Style)

    /// The rows of the table at a time.
    func tableRows(at now: Moment) -> [TableRow] {
        let puck = frame?.puck
        let places = puck?.accuracyMode == .approximate ? 5 : 7
        var rows: [TableRow] = [
            row("position", puck.map { coordinateText($0.coordinate, places: places) }, .bold),
            row("accuracy", puck?.accuracy.map { "±\(units.length($0)) (95 %)" }),
            row("age of the fix", age(at: now).map { "\(fixed($0, 1)) s" }),
            row("speed", puck?.speed.map(units.speed), .bold),
            row("course", puck?.course.map(directionText)),
            row("heading", puck.flatMap(headingText)),
            row("altitude", puck.flatMap(altitudeText)),
        ]
        rows.append(("", "", .plain))
        rows.append(row("receiver", source.map(receiverText)))
        rows.append(row("satellites", source.flatMap(satellitesText)))
        rows.append(row("camera", view.map(cameraText)))
        rows.append(row("you see", authorization.map { accessText($0, at: now) }))
        return rows
    }

    private func row(_ label: String, _ value: String?, _ style: Style = .plain) -> TableRow {
        (label, value ?? "–", value == nil ? .dim : style)
    }

    private func headingText(_ puck: Puck) -> String? {
        puck.heading.map { heading in
            let north = puck.northReference == .magnetic ? "magnetic north" : "true north"
            return "\(directionText(heading)) from \(north)"
        }
    }

    private func altitudeText(_ puck: Puck) -> String? {
        if let height = puck.altitudeMSL { return "\(units.height(height)) above sea level" }
        return puck.altitude.map { "\(units.height($0)) above the ellipsoid" }
    }

    private func receiverText(_ source: SourceMessage) -> String {
        var parts = [source.provider == .client ? "placed by a client" : source.state.rawValue]
        if source.state == .fix, source.fix == .threeDimensional { parts[0] += " 3D" }
        if source.state == .fix, source.fix == .twoDimensional { parts[0] += " 2D" }
        parts += [source.device?.path, source.driver, source.fixStatus.flatMap(fixStatusText), source.reason]
            .compactMap { $0 }
        return parts.joined(separator: " · ")
    }

    private func satellitesText(_ source: SourceMessage) -> String? {
        guard let visible = source.satellitesVisible else { return nil }
        return source.satellitesUsed.map { "\($0) used of \(visible)" } ?? "\(visible) seen"
    }

    /// Who steers the camera, and how.
    private func cameraText(_ view: ViewMessage) -> String {
        var text = view.status == .idle ? "free" : view.mode.rawValue
        if let state = view.state, view.mode == .none { text = state.rawValue }
        if view.status == .transition { text += ", on its way" }
        if let client = view.cause.client { text += " · steered by client \(client)" }
        return text
    }

    private func accessText(_ authorization: AuthorizationMessage, at now: Moment) -> String {
        var text = "\(authorization.accuracy.rawValue) location, by \(authorization.reason.rawValue)"
        if let purpose = authorization.purpose { text += " “\(purpose)”" }
        if let end = authorization.expires { text += ", for \(fixed(max(0, end.seconds(since: now.utc)), 0)) s more" }
        if authorization.accuracy == .approximate { text += "; changes about twice an hour" }
        return text
    }

    /// Draws the table.
    func drawTable(on buffer: inout CellBuffer, at now: Moment) {
        for (index, row) in tableRows(at: now).enumerated() where index + 2 < buffer.rows - 2 {
            buffer.put(row.label, 2, index + 2, .dim, before: 17)
            buffer.put(row.value, 18, index + 2, row.style)
        }
    }
}
