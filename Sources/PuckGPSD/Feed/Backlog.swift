import PuckCore

/// What is read at one go after the reader was held up is a backlog, and gpsd's can be megabytes: all of it arrives
/// now, most of it was true long ago.
enum Backlog {
    /// Seconds of each receiver's own time that are kept, up to its newest report: an epoch is whole, and so are the
    /// few that come together when a host is merely busy.
    static let kept = 1.0
    /// Position reports without a time of one receiver that are kept: an epoch has no more sentences.
    static let keptWithoutTime = 16

    /// The messages without the reports that newer ones have overtaken.
    static func newest(of messages: [GPSDMessage]) -> [GPSDMessage] {
        guard messages.count > 1 else { return messages }
        let starts = firstKept(in: messages)
        guard !starts.isEmpty else { return messages }
        return messages.enumerated().filter { index, message in
            guard case .report(let report) = message, let start = starts[report.device] else { return true }
            return index >= start
        }.map(\.element)
    }

    /// For each receiver that has old reports, the index of its first position report that is not old.
    private static func firstKept(in messages: [GPSDMessage]) -> [DeviceName: Int] {
        var positions: [DeviceName: [(index: Int, time: UTC?)]] = [:]
        for (index, message) in messages.enumerated() {
            guard case .report(.position(let report)) = message else { continue }
            positions[report.device, default: []].append((index, report.time))
        }
        return positions.compactMapValues { reports in
            guard let last = reports.last else { return nil }
            let start =
                if let newest = last.time {
                    // From the end, so that a time that steps backwards does not bring old reports back.
                    reports.lastIndex { $0.time.map { abs(newest.seconds(since: $0)) > kept } ?? false }.map { $0 + 1 }
                } else {
                    reports.count > keptWithoutTime ? reports.count - keptWithoutTime : nil
                }
            return start.map { reports[$0].index }
        }
    }
}
