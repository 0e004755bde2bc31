/// The most similar of `names`: the one with the fewest letters changed, added, left out or swapped, and the first of
/// several equal ones. Nil if there are no names.
///
/// It costs some microseconds for any `name`, because only the first letters of a long one are compared.
public func nearestName(to name: String, among names: [String]) -> String? {
    let letters = comparable(name)
    var nearest: String?
    var fewest = Int.max
    for candidate in names {
        let edits = editDistance(letters, comparable(candidate))
        if edits < fewest { (nearest, fewest) = (candidate, edits) }
    }
    return nearest
}

/// The number of letters compared: more than any of puckd's own names has.
private let lettersCompared = 32

/// A name's first letters, in lower case.
private func comparable(_ name: String) -> [Unicode.Scalar] {
    // The lower case of a letter may have several scalars, so the result is bounded as well.
    let start = String(String.UnicodeScalarView(name.unicodeScalars.prefix(lettersCompared)))
    return Array(start.lowercased().unicodeScalars.prefix(lettersCompared))
}

/// The one of `names` for which `name` is a likely mistake: at most half of its letters differ, or one is the
/// beginning of the other. Nil if none is that similar, so that a question such as “did you mean …?” makes sense.
public func similarName(to name: String, among names: [String]) -> String? {
    let start = String(String.UnicodeScalarView(name.unicodeScalars.prefix(64)))
    let letters = Array(start.lowercased().unicodeScalars.prefix(64))
    // Two letters are the beginning of too many names.
    let shortestStart = 3
    if letters.count >= shortestStart,
        let longer = names.first(where: { Array($0.lowercased().unicodeScalars).starts(with: letters) })
    {
        return longer
    }
    guard let nearest = nearestName(to: name, among: names) else { return nil }
    let known = Array(nearest.lowercased().unicodeScalars)
    if known.count >= shortestStart, letters.starts(with: known) { return nearest }
    return editDistance(letters, known) <= max(1, letters.count / 2) ? nearest : nil
}

/// Optimal string alignment distance: edits of one letter, and swaps of neighbours.
func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    let width = b.count + 1
    // Three rows one after the other, each written over in its turn.
    return withUnsafeTemporaryAllocation(of: Int.self, capacity: 3 * width) { rows in
        for j in 0..<3 * width { rows[j] = j < width ? j : 0 }
        var (beforeLast, last, row) = (2 * width, 0, width)
        for i in a.indices {
            rows[row] = i + 1
            for j in b.indices {
                let change = rows[last + j] + (a[i] == b[j] ? 0 : 1)
                var best = min(change, rows[last + j + 1] + 1, rows[row + j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, rows[beforeLast + j - 1] + 1) }
                rows[row + j + 1] = best
            }
            (beforeLast, last, row) = (last, row, beforeLast)
        }
        return rows[last + b.count]
    }
}
