/// The one of `names` that `name` was most likely meant to be: the fewest letters changed, added, left out or swapped;
/// of equals the first. Nil where there are no names.
public func nearestName(to name: String, among names: [String]) -> String? {
    // Longer than any known name by far, it is near to none; and the work stays bounded.
    let letters = Array(name.lowercased().unicodeScalars.prefix(64))
    return names.min { a, b in
        editDistance(letters, Array(a.lowercased().unicodeScalars))
            < editDistance(letters, Array(b.lowercased().unicodeScalars))
    }
}

/// The one of `names` that `name` is a likely slip for: at most half of its letters differ, or one begins the other. Nil
/// where none is that near, so that a question such as “did you mean …?” makes sense.
public func similarName(to name: String, among names: [String]) -> String? {
    let letters = Array(name.lowercased().unicodeScalars.prefix(64))
    // Two letters begin too many names.
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
