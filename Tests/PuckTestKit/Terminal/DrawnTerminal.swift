/// What a terminal shows after the bytes that puckctl writes: cursor positions, clearing and text. Styles are not kept.
public struct DrawnTerminal {
    /// The characters of each row.
    public private(set) var rows: [[String]]
    private var column = 0
    private var row = 0
    /// The number of characters drawn.
    public private(set) var drawn = 0

    /// A blank terminal of a size in cells.
    public init(columns: Int, rows: Int) {
        self.rows = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    /// Takes bytes, which must not end within a sequence.
    public mutating func write(_ bytes: [UInt8]) {
        var text = Substring(String(decoding: bytes, as: UTF8.self))
        while let character = text.popFirst() {
            guard character == "\u{1b}" else {
                put(String(character))
                continue
            }
            _ = text.popFirst()
            let parameters = text.prefix { !$0.isLetter }
            text = text.dropFirst(parameters.count)
            switch text.popFirst() {
            case "H":
                let place = parameters.split(separator: ";").compactMap { Int($0) }
                (row, column) = (place[0] - 1, place[1] - 1)
            case "J": rows = rows.map { $0.map { _ in " " } }
            default: break
            }
        }
    }

    private mutating func put(_ text: String) {
        if rows.indices.contains(row), rows[row].indices.contains(column) { rows[row][column] = text }
        column += 1
        drawn += 1
    }
}
