import PuckCore
import Testing

@testable import puckctl

@Suite("Drawing with dots")
struct DotCanvasTests {
    private func picture(_ columns: Int, _ rows: Int, hasBraille: Bool = true, _ draw: (inout DotCanvas) -> Void)
        -> [String]
    {
        var dots = DotCanvas(columns: columns, rows: rows)
        draw(&dots)
        var buffer = CellBuffer(columns: columns, rows: rows)
        dots.draw(on: &buffer, column: 0, row: 0, hasBraille: hasBraille)
        return (0..<rows).map { buffer.text(row: $0) }
    }

    @Test("each dot has its place in its cell")
    func places() {
        let dots = "⠁⠈⠂⠐⠄⠠⡀⢀"
        for (index, character) in dots.enumerated() {
            #expect(picture(1, 1) { $0.dot(Double(index % 2), Double(index / 2)) } == [String(character)])
        }
        #expect(picture(1, 1, hasBraille: false) { $0.dot(0, 0) } == ["."])
        #expect(picture(1, 1, hasBraille: false) { $0.circle(around: (1, 2), radius: 1) }[0].count == 1)
    }

    @Test("lines are drawn from edge to edge, wherever their ends are")
    func lines() {
        #expect(picture(3, 1) { $0.line(from: (-1e9, 0), to: (1e9, 0)) } == ["⠉⠉⠉"])
        #expect(picture(2, 1) { $0.line(from: (0, 3), to: (3, 0)) } == ["⡠⠊"])
        #expect(picture(2, 1) { $0.line(from: (10, 10), to: (20, 20)) } == [""])
        #expect(picture(2, 1) { $0.line(from: (1, 1), to: (1, 1)) } == ["⠐"])
    }

    @Test("circles are closed, and neither size nor place makes them costly or a crash")
    func circles() {
        #expect(picture(3, 2) { $0.circle(around: (3, 4), radius: 2) } != ["", ""])
        // Its edge is a line through the picture.
        #expect(picture(4, 1) { $0.circle(around: (0, 1e7 + 2), radius: 1e7) } == ["⠤⠤⠤⠤"])
        for value in [Double.nan, .infinity, -1, 1e300] {
            _ = picture(4, 4) { $0.circle(around: (value, value), radius: value) }
            _ = picture(4, 4) { $0.line(from: (value, 0), to: (3, value)) }
            _ = picture(4, 4) { $0.dot(value, value) }
        }
    }
}
