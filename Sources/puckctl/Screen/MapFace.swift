import PuckClient

/// The map of a terminal: a dot is as large as this many points of a screen.
let pointsInDot = 4.0

extension LiveState {
    /// The screen of the map in points, for the view's fits and flights.
    static func viewport(of size: (columns: Int, rows: Int)) -> Viewport {
        Viewport(
            width: Double(max(1, size.columns) * 2) * pointsInDot,
            height: Double(max(1, size.rows - 3) * 4) * pointsInDot)
    }

    /// The zoom of the map: the user's, else the camera's. An approximate circle is wider than a usual camera's picture.
    var shownZoom: Double {
        zoom ?? camera.zoom ?? (frame?.puck?.accuracyMode == .approximate ? 10 : 16)
    }

    /// Draws track, accuracy, puck and markers, a scale and north. Nothing is filled, so a line means one thing.
    func drawMap(on buffer: inout CellBuffer, hasBraille: Bool) {
        guard let center = camera.center ?? frame?.puck?.coordinate else {
            buffer.put("There is no position yet.", 2, 2, .dim)
            return
        }
        var dots = DotCanvas(columns: buffer.columns, rows: max(1, buffer.rows - 3))
        let projection = ScreenProjection(
            center: center, zoom: shownZoom, bearing: camera.bearing ?? 0, width: Double(dots.width) * pointsInDot,
            height: Double(dots.height) * pointsInDot)
        func dot(_ coordinate: Coordinate) -> (x: Double, y: Double) {
            let point = projection.point(of: coordinate)
            return (point.x / pointsInDot, point.y / pointsInDot)
        }
        for (start, end) in zip(trail, trail.dropFirst()) { dots.line(from: dot(start), to: dot(end), .dim) }
        if let puck = frame?.puck, let radius = puck.accuracy {
            let size = radius / projection.metresPerPoint / pointsInDot
            dots.circle(around: dot(puck.coordinate), radius: size, Style(colour: .blue))
        }
        dots.draw(on: &buffer, column: 0, row: 1, hasBraille: hasBraille)
        for marker in frame?.markers ?? [] {
            put("◆ \(marker.name)", at: dot(marker.coordinate), Style(colour: .yellow), on: &buffer)
        }
        if let puck = frame?.puck { put(symbol(of: puck), at: dot(puck.coordinate), puckStyle(puck), on: &buffer) }
        drawScale(projection.metresPerPoint * pointsInDot * 2, on: &buffer)
    }

    private func put(_ text: String, at dot: (x: Double, y: Double), _ style: Style, on buffer: inout CellBuffer) {
        let (column, row) = (dot.x / 2, dot.y / 4 + 1)
        guard column >= 0, column < Double(buffer.columns), row >= 1, row < Double(buffer.rows - 2) else { return }
        buffer.put(text, Int(column), Int(row), style)
    }

    /// The puck's arrow as it looks on this map, or a dot.
    private func symbol(of puck: Puck) -> String {
        guard puck.accuracyMode == .precise else { return "·" }
        guard let bearing = puck.bearing else { return "●" }
        return String(directionText(bearing.turned(by: -(camera.bearing ?? 0))).prefix(1))
    }

    private func puckStyle(_ puck: Puck) -> Style {
        Style(isBold: true, colour: puck.state == .live ? .cyan : puck.state == .predicted ? .yellow : .red)
    }

    /// Draws a bar of a round length and north, above the footer.
    private func drawScale(_ metresPerCell: Double, on buffer: inout CellBuffer) {
        let row = buffer.rows - 2
        let scale = mapScale(metresPerCell: metresPerCell, most: 24, units)
        buffer.put("├" + String(repeating: "─", count: scale.cells - 1) + "┤ \(scale.text)", 1, row, .dim)
        let speed = frame?.puck?.speed.map { "\(units.speed($0))  " } ?? ""
        let mode = view.map { "\($0.mode == .none ? "free" : $0.mode.rawValue)  " } ?? ""
        let north = Direction(wrapping: -(camera.bearing ?? 0)).map { "N \(directionText($0).prefix(1))" } ?? ""
        let text = "\(speed)\(mode)\(north)"
        buffer.put(text, max(scale.cells + 12, buffer.columns - text.count - 1), row, .dim)
    }
}

/// Returns the longest scale bar of a round length (1, 2 or 5 with zeros) that takes at most `most` cells.
func mapScale(metresPerCell: Double, most: Int, _ units: Units) -> (cells: Int, text: String) {
    var best = (cells: 1, text: units.length(metresPerCell))
    for length in units.scaleLengths {
        let cells = (length.metres / metresPerCell).rounded()
        if cells >= 2, cells <= Double(most) { best = (Int(cells), length.text) }
    }
    return best
}
