import PuckCore

/// Drops outdated messages. After a delay of the reader, gpsd's backlog can be megabytes: all of it arrives now, but
/// most of it is old.
enum Backlog {
    /// Seconds of each receiver's own time that are kept, up to its newest report: an epoch stays complete, and so do
    /// the few that arrive together when a host is merely busy.
    static let kept = 1.0
    /// Position reports without a time that are kept for one receiver: an epoch has no more sentences.
    static let keptWithoutTime = 16

    /// The messages without the reports that newer ones have superseded.
    static func newest(of messages: [GPSDMessage]) -> [GPSDMessage] {
        guard messages.count > 1 else { return messages }
        let starts = firstKept(in: messages)
        guard !starts.isEmpty else { return messages }
        return messages.enumerated().filter { index, message in
            guard case .report(let report) = message, let start = starts[report.device] else { return true }
            return index >= start
        }.map(\.element)
    }

    /// For each receiver with old reports, the index of its first position report that is not old.
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
                    // From the end, so that a time that steps back does not restore old reports.
                    reports.lastIndex { $0.time.map { abs(newest.seconds(since: $0)) > kept } ?? false }.map { $0 + 1 }
                } else {
                    reports.count > keptWithoutTime ? reports.count - keptWithoutTime : nil
                }
            return start.map { reports[$0].index }
        }
    }
}
