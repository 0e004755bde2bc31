import PuckCore
import PuckText

/// Reads a line as a request: strictly, with an answer that says what was expected. It never fails in any other way.
public enum RequestDecoder {
    /// The request that `line` (without its newline) is, or why it is none.
    public static func decode(_ line: [UInt8]) -> Result<Envelope, RequestFailure> {
        switch read(line) {
        case .failure(let failure):
            return .failure(failure)
        case .success(let (id, object)):
            do throws(FieldError) {
                return .success(Envelope(id: id, try request(object)))
            } catch {
                return .failure(failure(error, of: id))
            }
        }
    }

    /// The id of a request that is refused whatever it asks; or why not even that can be read.
    public static func identify(_ line: [UInt8]) -> Result<RequestID?, RequestFailure> { read(line).map(\.id) }

    /// The object that `line` is, and its id.
    private static func read(_ line: [UInt8]) -> Result<(id: RequestID?, object: JSONObject), RequestFailure> {
        guard String(validating: line, as: UTF8.self) != nil else {
            return .failure(RequestFailure(code: .badEncoding, message: "expected UTF-8"))
        }
        let value: JSONValue
        let flaw: JSONParser.Flaw?
        do throws(JSONFault) { (value, flaw) = try JSONParser.parse(line, depth: WireLimits.depth) } catch {
            return .failure(RequestFailure(code: .badJSON, message: "\(error)"))
        }
        guard let object = value.object else {
            return .failure(RequestFailure(code: .badJSON, message: "expected one object a line, got \(value.kind)"))
        }
        var id: RequestID?
        do throws(FieldError) {
            // A duplicate id, or one that is not what was sent, can't be given back.
            if let flaw, flaw.isDuplicateID { throw flawed(flaw) }
            id = try identifier(object)
            if let flaw {
                if flaw == .loneSurrogate { id = nil }
                throw flawed(flaw)
            }
            return .success((id, object))
        } catch {
            return .failure(failure(error, of: id))
        }
    }

    private static func failure(_ error: FieldError, of id: RequestID?) -> RequestFailure {
        RequestFailure(
            id: id, code: error.code, message: error.message, field: error.field.isEmpty ? nil : error.field)
    }

    private static func flawed(_ flaw: JSONParser.Flaw) -> FieldError {
        switch flaw {
        case .duplicateName(let name, let isOutermost):
            FieldError(
                code: .badValue, message: "duplicate name \(quoted(name))",
                field: isOutermost ? shortened(name) : "")
        case .tooDeep:
            FieldError(
                code: .badValue, message: "expected at most \(WireLimits.depth) arrays and objects in one another",
                field: "")
        case .loneSurrogate:
            FieldError(
                code: .badValue, message: "expected Unicode text: half a surrogate pair is escaped in a string",
                field: "")
        }
    }

    private static func identifier(_ object: JSONObject) throws(FieldError) -> RequestID? {
        switch object["id"] {
        case nil: return nil
        case .number(let text) where text.utf8.count <= WireLimits.identifier: return .number(text)
        case .string(let text) where text.utf8.count <= WireLimits.identifier: return .string(text)
        default:
            throw FieldError(
                code: .badValue, message: "expected a number or a string of at most \(WireLimits.identifier) bytes",
                field: "id")
        }
    }

    private static func request(_ object: JSONObject) throws(FieldError) -> Request {
        let name = object["type"]
        guard let name else {
            throw FieldError(code: .missingField, message: "missing field \"type\"", field: "type")
        }
        guard let text = name.string else {
            throw FieldError(code: .badValue, message: "expected a string, got \(described(name))", field: "type")
        }
        guard let type = name.word.flatMap({ RequestType(rawValue: $0) }) else {
            let hint = hint(for: text, among: RequestType.allCases.map(\.rawValue))
            throw FieldError(code: .unknownType, message: "unknown type \(quoted(text))\(hint)", field: "type")
        }
        return try request(type, try Fields(object, known: type.fields + ["type", "id"]))
    }

    private static func request(_ type: RequestType, _ fields: Fields) throws(FieldError) -> Request {
        switch type {
        case .subscribe: return .subscribe(try fields.subscribeOptions())
        case .unsubscribe: return .unsubscribe
        case .accuracy:
            let mode = try fields.required("mode", try fields.choice("mode", AccuracyMode.self))
            return .accuracy(mode, scope: try fields.choice("scope", AccuracyScope.self) ?? .client)
        case .requestPrecise:
            return .requestPrecise(
                purpose: try fields.required("purpose", try fields.string("purpose", "a purpose's key")))
        case .endPrecise: return .endPrecise
        case .place: return .place(try fields.placement())
        case .release: return .release
        case .status: return .status
        case .ping: return .ping
        case .who: return .who
        case .track, .follow, .overview, .ease, .fly, .idle, .gesture, .viewport, .marker, .removeMarker:
            return .view(name: try fields.viewName(), try fields.viewCommand(type))
        }
    }
}

extension JSONParser.Flaw {
    /// Whether a request has two ids.
    fileprivate var isDuplicateID: Bool {
        if case .duplicateName(let name, isOutermost: true) = self { isSameName(name, "id") } else { false }
    }
}

extension Fields {
    /// The view's name; nil for the connection's own, which has none.
    func viewName() throws(FieldError) -> String? {
        let name = try string("view", "a view's name", allowEmpty: true)
        return name == "" ? nil : name
    }

    fileprivate func subscribeOptions() throws(FieldError) -> SubscribeOptions {
        var options = SubscribeOptions()
        if let include = try streamParts() { options.include = include }
        if let rate = try frameRate() { options.rate = rate }
        options.view = try viewName()
        options.accuracy = try choice("accuracy", AccuracyMode.self)
        options.bearing = try choice("bearing", BearingPreference.self) ?? options.bearing
        options.minDistance = try number("minDistance", in: RequestRanges.metres, unit: "metres")
        options.minInterval = try number("minInterval", in: RequestRanges.age, unit: "seconds")
        options.staleAfter = try number("staleAfter", in: RequestRanges.age, unit: "seconds")
        return options
    }

    private func streamParts() throws(FieldError) -> Set<StreamPart>? {
        guard let value = object["include"] else { return nil }
        let words = value.array ?? []
        // However often each is said: looking at thousands would take long, and bring nothing new.
        let parts = words.prefix(Self.mostParts).compactMap { $0.word.flatMap(StreamPart.init(rawValue:)) }
        guard !parts.isEmpty, parts.count == words.count else {
            throw bad("include", "an array of at least \(oneOf(StreamPart.allCases.map(\.rawValue)))")
        }
        return Set(parts)
    }

    /// Words of `include` that are looked at.
    private static let mostParts = 16

    private func frameRate() throws(FieldError) -> FrameRate? {
        guard let value = object["rate"] else { return nil }
        if value.word == "fix" { return .fix }
        if value.word == "motion" { return .motion }
        guard let rate = value.double, RequestRanges.rate.contains(rate) else {
            throw bad("rate", "\"fix\", \"motion\", or frames a second from 1 to 120")
        }
        return .perSecond(rate)
    }

    fileprivate func placement() throws(FieldError) -> Placement {
        let attitude = Attitude(
            heading: try angle("heading"),
            headingAccuracy: try number("headingAccuracy", in: RequestRanges.halfTurn, unit: "degrees"),
            pitch: try number("pitch", in: RequestRanges.tilt, unit: "degrees"),
            roll: try number("roll", in: RequestRanges.roll, unit: "degrees"))
        if attitude.headingAccuracy != nil { _ = try required("heading", attitude.heading) }
        var placement = Placement(attitude: attitude)
        placement.coordinate = try position("position")
        placement.accuracy = try number("accuracy", in: RequestRanges.metres, unit: "metres")
        placement.altitude = try number("altitude", in: RequestRanges.height, unit: "metres")
        placement.altitudeMSL = try number("altitudeMSL", in: RequestRanges.height, unit: "metres")
        placement.altitudeAccuracy = try number("altitudeAccuracy", in: RequestRanges.metres, unit: "metres")
        placement.speed = try number("speed", in: RequestRanges.speed, unit: "metres per second")
        placement.course = try angle("course")
        placement.instant = try number("monotonic", in: RequestRanges.monotonic, unit: "seconds")
            .map { Instant(seconds: $0) }
        // An attitude may be placed alone, and nothing else.
        let isOfPosition = placementFields.contains { object[$0] != nil }
        if attitude.isEmpty || isOfPosition { _ = try required("position", placement.coordinate) }
        return placement
    }
}

/// Fields of `place` that say something of a position.
private let placementFields = ["accuracy", "altitude", "altitudeMSL", "altitudeAccuracy", "speed", "course"]
