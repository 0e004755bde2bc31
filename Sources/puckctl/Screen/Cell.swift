import PuckCore
import PuckSystem

/// How a cell looks.
struct Style: Hashable, Sendable {
    enum Colour: Int, Sendable {
        case red = 31
        case green = 32
        case yellow = 33
        case blue = 34
        case cyan = 36
    }
    var isBold = false
    var isDim = false
    var isReversed = false
    var colour: Colour?

    static let plain = Style()
    static let bold = Style(isBold: true)
    static let dim = Style(isDim: true)
    static let reversed = Style(isReversed: true)

    /// The terminal's sequence for this style; without colours if `hasColours` is false.
    func sequence(hasColours: Bool) -> String {
        var codes = ["0"]
        if isBold { codes.append("1") }
        if isDim { codes.append("2") }
        if isReversed { codes.append("7") }
        if hasColours, let colour { codes.append(String(colour.rawValue)) }
        return "\u{1b}[\(codes.joined(separator: ";"))m"
    }
}

/// A cell of the terminal. The second cell of a wide character is empty.
struct Cell: Hashable, Sendable {
    var text = " "
    var style = Style.plain
}

/// A picture for a terminal, in cells.
struct CellBuffer: Hashable, Sendable {
    let columns: Int
    let rows: Int
    private var cells: [Cell]

    /// Creates an empty picture of at least one cell.
    init(columns: Int, rows: Int) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
        cells = Array(repeating: Cell(), count: self.columns * self.rows)
    }

    /// The cell at a place; places outside are blank, and setting them does nothing.
    subscript(column: Int, row: Int) -> Cell {
        get { contains(column, row) ? cells[row * columns + column] : Cell() }
        set { if contains(column, row) { cells[row * columns + column] = newValue } }
    }

    private func contains(_ column: Int, _ row: Int) -> Bool {
        (0..<columns).contains(column) && (0..<rows).contains(row)
    }

    /// Writes text from a cell to the right, up to `end`, by default the edge. What does not fit ends with “…”.
    /// Unprintable characters are escaped. Returns the column after the text.
    @discardableResult
    mutating func put(
        _ text: String, _ column: Int, _ row: Int, _ style: Style = .plain, before end: Int = .max
    ) -> Int {
        let end = min(end, columns)
        var cells = Self.cells(of: text.printable, style)
        if column + cells.count > end, end > column {
            cells = Array(cells.prefix(end - column - 1))
            // Half of a wide character is a blank.
            if let last = cells.last, let width = last.text.unicodeScalars.first.map(terminalColumns(of:)), width == 2 {
                cells[cells.count - 1] = Cell(style: style)
            }
            cells.append(Cell(text: "…", style: style))
        }
        for (index, cell) in cells.enumerated() where column + index < end { self[column + index, row] = cell }
        return column + cells.count
    }

    /// The cells that printable text takes.
    private static func cells(of text: String, _ style: Style) -> [Cell] {
        text.flatMap { character -> [Cell] in
            switch character.unicodeScalars.first.map(terminalColumns(of:)) {
            case 1: [Cell(text: String(character), style: style)]
            case 2: [Cell(text: String(character), style: style), Cell(text: "", style: style)]
            default: [Cell(text: "?", style: style)]
            }
        }
    }

    /// The row as text, without the blanks at its end. For tests.
    func text(row: Int) -> String {
        var line = (0..<columns).map { self[$0, row].text }.joined()
        while line.last == " " { line.removeLast() }
        return line
    }

    /// Returns the bytes that turn a terminal that shows `old` into one that shows this picture: only what differs. With
    /// nil, or a picture of another size, everything is drawn.
    func bytes(after old: CellBuffer?, hasColours: Bool) -> [UInt8] {
        let old = old.flatMap { $0.columns == columns && $0.rows == rows ? $0 : nil }
        guard old != self else { return [] }
        // Synchronised output: a terminal that knows it shows all of this at once.
        var text = "\u{1b}[?2026h"
        if old == nil { text += "\u{1b}[0m\u{1b}[2J" }
        var style: Style?
        for row in 0..<rows { appendChanges(of: row, after: old, hasColours, &style, to: &text) }
        return Array((text + "\u{1b}[0m\u{1b}[?2026l").utf8)
    }

    private func appendChanges(
        of row: Int, after old: CellBuffer?, _ hasColours: Bool, _ style: inout Style?, to text: inout String
    ) {
        var cursor: Int?
        for column in 0..<columns {
            let cell = self[column, row]
            // The second half of a wide character is drawn with its first.
            guard !cell.text.isEmpty, cell != (old?[column, row] ?? Cell()) else { continue }
            if cursor != column { text += "\u{1b}[\(row + 1);\(column + 1)H" }
            if style != cell.style {
                text += cell.style.sequence(hasColours: hasColours)
                style = cell.style
            }
            text += cell.text
            cursor = column + (cell.text.unicodeScalars.first.map(terminalColumns(of:)) ?? 1)
        }
    }
}
