import PuckClient

extension LiveState {
    /// A word for what the screen shows, and its look: the puck's state, or why there is none.
    var headline: (text: String, style: Style) {
        switch link {
        case .connecting: return ("connecting", Style(colour: .yellow))
        case .lost: return ("no connection", Style(isBold: true, colour: .red))
        case .connected: break
        }
        guard let puck = frame?.puck else { return ("no position", Style(colour: .yellow)) }
        switch puck.state {
        case .live: return (puck.stationary == true ? "standing still" : "live", Style(isBold: true, colour: .green))
        case .predicted: return ("predicted", Style(isBold: true, colour: .yellow))
        case .stale: return ("stale", Style(isBold: true, colour: .red))
        }
    }

    /// Draws the first row: the program, the state, and the time.
    func drawHeader(on buffer: inout CellBuffer, at now: Moment) {
        for column in 0..<buffer.columns { buffer[column, 0] = Cell(style: .reversed) }
        buffer.put(" puckd", 0, 0, Style(isBold: true, isReversed: true))
        var style = headline.style
        style.isReversed = true
        let after = buffer.put(" \(headline.text) ", 8, 0, style)
        if frame?.puck?.accuracyMode == .approximate { buffer.put("approximate", after + 1, 0, .reversed) }
        let clock = "\(timeOfDay(now.utc).dropLast(2)) UTC "
        if buffer.columns > 40 { buffer.put(clock, buffer.columns - clock.count, 0, .reversed) }
    }

    /// Draws the last two rows: a notice, and the keys.
    func drawFooter(on buffer: inout CellBuffer) {
        let row = buffer.rows - 1
        if case .lost(let reason) = link {
            buffer.put(" reconnecting: \(reason)", 0, row - 1, Style(colour: .red))
        } else if let notice {
            buffer.put(" \(notice)", 0, row - 1, Style(colour: .yellow))
        }
        let keys =
            face == .map
            ? " m table  t tracking  + - 0 zoom  a accuracy  u units  q quit"
            : " m map  t tracking  a accuracy  u units  q quit"
        buffer.put(keys, 0, row, .dim)
    }
}
