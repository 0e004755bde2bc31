import PuckConfig
import PuckCore
import PuckGPSD
import PuckReplay
import PuckText
import PuckWire

/// The parsers that receive bytes from other programs, for tests with arbitrary bytes. No input may crash them, and
/// their results must be consistent. `give` returns a description of any inconsistency.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// Splitting a client's bytes into lines.
    case lines
    /// Decoding a client's request.
    case request
    /// Reading gpsd's lines with libgps, and the stages after that.
    case gpsd
    /// Parsing a configuration file.
    case configuration
    /// Playing a recording, like `puckd replay`.
    case replay

    /// Passes bytes to the target. Returns a description of any inconsistency; nil if there is none.
    public func give(_ bytes: [UInt8]) -> String? {
        switch self {
        case .lines: giveLines(bytes)
        case .request: giveRequest(bytes)
        case .gpsd: giveGPSD(bytes)
        case .configuration: giveConfiguration(bytes)
        case .replay: giveReplay(bytes)
        }
    }
}

/// Checks that the lines are the same whether the bytes arrive at once or in pieces. The first byte is the size of a
/// piece.
private func giveLines(_ bytes: [UInt8]) -> String? {
    let limit = 64
    guard let first = bytes.first else { return nil }
    func lines(inPiecesOf size: Int) -> [LineFramer.Event] {
        var framer = LineFramer(limit: limit)
        var events: [LineFramer.Event] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            framer.append(bytes[start..<min(bytes.count, start + size)])
            while let event = framer.next() { events.append(event) }
        }
        return events
    }
    let whole = lines(inPiecesOf: bytes.count)
    guard whole == lines(inPiecesOf: max(1, Int(first))) else { return "other lines in pieces than at once" }
    let isTooLong = whole.contains { if case .line(let line) = $0 { line.count > limit } else { false } }
    return isTooLong ? "a line past the limit" : nil
}

/// Checks that a valid request is decoded to the same request after encoding it again.
private func giveRequest(_ bytes: [UInt8]) -> String? {
    switch RequestDecoder.decode(bytes) {
    case .failure(let failure): return failure.message.isEmpty ? "a refusal without words" : nil
    case .success(let envelope):
        let again = RequestDecoder.decode(Array(RequestEncoder.line(envelope).dropLast()))
        return again == .success(envelope) ? nil : "said anew it is \(again), not \(envelope)"
    }
}

/// Passes lines to the adapter and the whole pipeline, one every tenth of a second. Checks that each puck's values are
/// finite and in range.
private func giveGPSD(_ bytes: [UInt8]) -> String? {
    let begin = Moment(
        monotonic: Instant(nanoseconds: 1_000_000_000_000), utc: UTC(nanoseconds: 1_772_280_000_000_000_000))
    var now = begin
    var feed = GPSDFeed(at: now)
    var positioning = Positioning(
        settings: Pipeline.Settings(),
        coarsener: Coarsener(radius: .standard, state: nil, at: now, random: SeededGenerator(seed: 1)))
    _ = feed.connected(at: now)
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        now = now.advanced(by: 0.1)
        let messages = feed.read(line + [UInt8(ascii: "\n")])
        for event in feed.receive(messages, at: now) + feed.advance(to: now) {
            if case .report(let report) = event { _ = positioning.receive(report, at: now) }
        }
        _ = positioning.advance(to: now)
        guard let puck = positioning.precisePuck(at: now) else { continue }
        let (latitude, longitude) = (puck.coordinate.latitude, puck.coordinate.longitude)
        let told: [Double?] = [
            latitude, longitude, puck.accuracy, puck.speed, puck.age, puck.altitude, puck.course?.degrees,
            puck.bearing?.degrees,
        ]
        let figures: [Double] = told.compactMap { $0 }
        guard figures.allSatisfy({ $0.isFinite }) else { return "a figure that is none: \(puck)" }
        let isPlace = abs(latitude) <= 90 && longitude >= -180 && longitude < 180
        let (age, speed): (Double, Double) = (puck.age ?? 0, puck.speed ?? 0)
        // In a replay nothing is placed: each puck has its radius.
        guard isPlace, let accuracy = puck.accuracy, accuracy > 0, age >= 0, speed >= 0
        else { return "out of range: \(puck)" }
    }
    return nil
}

/// Replays for a precise client with a camera and for an approximate client. Checks that each line is a frame, and that
/// time never goes back.
private func giveReplay(_ bytes: [UInt8]) -> String? {
    var precise = Replay.Options()
    precise.rate = .perSecond(5)
    precise.tracking = .followWithCourse
    var approximate = Replay.Options()
    approximate.accuracy = .approximate
    for options in [precise, approximate] {
        var replay = Replay(options, coarsenerState: nil)
        var last: Instant?
        var wrong: String?
        func check(_ delivered: UTC, _ line: UnsafeRawBufferPointer) {
            guard case .frame(let frame)? = try? ServerMessageDecoder.decode(Array(line.dropLast())) else {
                return wrong = "no frame: \(String(decoding: line, as: UTF8.self))"
            }
            if let last, frame.moment.monotonic < last { wrong = "time goes back to \(frame.moment.monotonic.seconds)" }
            last = frame.moment.monotonic
            if let age = frame.puck?.age, age < 0 { wrong = "an age of \(age) s" }
        }
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            replay.receive(line, output: check)
        }
        replay.end(output: check)
        if let wrong { return wrong }
    }
    return nil
}

/// Checks that each error has a valid line number.
private func giveConfiguration(_ bytes: [UInt8]) -> String? {
    let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
    do throws(ConfigurationErrors) {
        _ = try PuckConfiguration.parse(bytes, file: "fuzz")
        return nil
    } catch {
        guard !error.errors.isEmpty else { return "refused without an error" }
        return error.errors.first { !(0...lines).contains($0.line) }.map { "of \(lines) lines: \($0)" }
    }
}
