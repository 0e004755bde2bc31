import Glibc

/// A canvas of dots, shown as braille characters: 2 dots wide and 4 dots high in each cell.
struct DotCanvas: Hashable, Sendable {
    /// The size in cells.
    let columns: Int
    let rows: Int
    private var patterns: [UInt8]
    private var styles: [Style]

    /// The width and height in dots.
    var width: Int { columns * 2 }
    var height: Int { rows * 4 }

    init(columns: Int, rows: Int) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
        patterns = Array(repeating: 0, count: self.columns * self.rows)
        styles = Array(repeating: .plain, count: self.columns * self.rows)
    }

    /// The bit of each dot of a cell, by row and column. (Unicode, chapter “Braille Patterns”)
    private static let bits: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

    /// Draws a dot, if it is on the canvas. The last dot of a cell decides its style.
    mutating func dot(_ x: Double, _ y: Double, _ style: Style = .plain) {
        // Also true for what is not a number.
        guard !(x < 0), !(y < 0), x < Double(width), y < Double(height) else { return }
        let (column, row) = (Int(x), Int(y))
        let index = row / 4 * columns + column / 2
        patterns[index] |= Self.bits[row % 4][column % 2]
        styles[index] = style
    }

    /// Draws a line. Only its part on the canvas costs time.
    mutating func line(from a: (x: Double, y: Double), to b: (x: Double, y: Double), _ style: Style = .plain) {
        guard let (a, b) = clipped(a, b) else { return dot(a.x, a.y, style) }
        let steps = max(1, Int(max(abs(b.x - a.x), abs(b.y - a.y)).rounded(.up)))
        for step in 0...steps {
            let share = Double(step) / Double(steps)
            dot(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share, style)
        }
    }

    /// Draws a circle. Its cost is bounded, however large it is.
    mutating func circle(around center: (x: Double, y: Double), radius: Double, _ style: Style = .plain) {
        guard radius.isFinite, radius >= 0, center.x.isFinite, center.y.isFinite else { return }
        let pieces = min(720, max(12, Int((min(radius, 1e6) * 2).rounded(.up))))
        func point(_ piece: Int) -> (x: Double, y: Double) {
            let angle = 2 * Double.pi * Double(piece) / Double(pieces)
            return (center.x + radius * cos(angle), center.y + radius * sin(angle))
        }
        for piece in 0..<pieces {
            let (a, b) = (point(piece), point(piece + 1))
            if clipped(a, b) != nil { line(from: a, to: b, style) }
        }
    }

    /// The part of a line on the canvas, by Liang and Barsky's method; nil if there is none.
    private func clipped(
        _ a: (x: Double, y: Double), _ b: (x: Double, y: Double)
    ) -> (a: (x: Double, y: Double), b: (x: Double, y: Double))? {
        guard [a.x, a.y, b.x, b.y].allSatisfy(\.isFinite) else { return nil }
        var (first, last) = (0.0, 1.0)
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        for (step, room) in [
            (-dx, a.x), (dx, Double(width) - a.x), (-dy, a.y), (dy, Double(height) - a.y),
        ] {
            if step == 0 {
                if room < 0 { return nil }
            } else if step < 0 {
                first = max(first, room / step)
            } else {
                last = min(last, room / step)
            }
        }
        guard first <= last else { return nil }
        return ((a.x + dx * first, a.y + dy * first), (a.x + dx * last, a.y + dy * last))
    }

    /// Puts the dots on a picture, with the canvas's corner at a cell. Cells without dots stay as they are. If
    /// `hasBraille` is false, a cell with dots is “·”, “:” or “#”, by their number.
    func draw(on buffer: inout CellBuffer, column: Int, row: Int, hasBraille: Bool) {
        for index in patterns.indices where patterns[index] != 0 {
            let text =
                hasBraille
                ? String(Character(Unicode.Scalar(0x2800 + UInt32(patterns[index])) ?? " "))
                : [".", ":", "#"][min(2, (patterns[index].nonzeroBitCount - 1) / 3)]
            buffer[column + index % columns, row + index / columns] = Cell(text: text, style: styles[index])
        }
    }
}
