/// The one of `names` that `name` was most likely meant to be: the fewest letters changed, added, left out or swapped;
/// of equals the first.
func nearestName(to name: String, among names: [String]) -> String? {
    // Longer than any known name by far, it is near to none; and the work stays bounded.
    let letters = Array(name.lowercased().unicodeScalars.prefix(64))
    return names.min { a, b in
        editDistance(letters, Array(a.lowercased().unicodeScalars))
            < editDistance(letters, Array(b.lowercased().unicodeScalars))
    }
}

/// Optimal string alignment distance: edits of one letter, and swaps of neighbours.
func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in a.indices {
        var row = [i + 1]
        for j in b.indices {
            let change = last[j] + (a[i] == b[j] ? 0 : 1)
            var best = min(change, last[j + 1] + 1, row[j] + 1)
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
            row.append(best)
        }
        beforeLast = last
        last = row
    }
    return last[b.count]
}

/// `text` in double quotes and cut to a length that a message can hold.
func quoted(_ text: String) -> String { "\"\(shortened(text))\"" }

/// `text` cut to a length that a message can hold. By scalars: one character may have any number of them.
func shortened(_ text: String) -> String {
    let longest = 40
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: longest, limitedBy: scalars.endIndex),
        end < scalars.endIndex
    else { return text }
    return String(scalars[..<end]) + "…"
}
