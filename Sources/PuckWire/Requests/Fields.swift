import PuckCore
import PuckText

/// The error in one field.
struct FieldError: Error {
    var code: ErrorCode
    var message: String
    var field: String
}

/// The fields of an object in a request, each read once with its expected type.
struct Fields {
    let object: JSONObject
    /// The path of the object: empty, or `camera.` and the like.
    let prefix: String

    /// The fields of `object`. All must be `known`.
    init(_ object: JSONObject, at prefix: String = "", known: [String]) throws(FieldError) {
        self.object = object
        self.prefix = prefix
        for member in object.members where !known.contains(where: { isSameName(member.name, $0) }) {
            throw FieldError(
                code: .unknownField,
                message: "unknown field \(quoted(member.name))\(hint(for: member.name, among: known))",
                field: prefix + shortened(member.name))
        }
    }

    func bad(_ name: String, _ expected: String) -> FieldError {
        var message = "expected \(expected)"
        if let value = object[name] { message += ", got \(described(value))" }
        return FieldError(code: .badValue, message: message, field: prefix + name)
    }

    /// The value of `name`, or an error that it is missing.
    func required<Value>(_ name: String, _ value: Value?) throws(FieldError) -> Value {
        guard let value else {
            throw FieldError(code: .missingField, message: "missing field \(quoted(name))", field: prefix + name)
        }
        return value
    }

    func number(_ name: String, in range: ClosedRange<Double>, unit: String) throws(FieldError) -> Double? {
        guard let value = object[name] else { return nil }
        guard let number = value.double, range.contains(number) else {
            throw bad(name, "a number of \(unit) from \(plain(range.lowerBound)) to \(plain(range.upperBound))")
        }
        return number
    }

    func angle(_ name: String) throws(FieldError) -> Direction? {
        guard let value = object[name] else { return nil }
        guard let direction = value.double.flatMap({ Direction($0) }) else {
            throw bad(name, "degrees clockwise from true north, from 0 to 360")
        }
        return direction
    }

    func string(_ name: String, _ expected: String, allowEmpty: Bool = false) throws(FieldError) -> String? {
        guard let value = object[name] else { return nil }
        guard let text = value.string, text.utf8.count <= WireLimits.name, allowEmpty || !text.isEmpty,
            text.isPrintable
        else {
            throw bad(
                name,
                "\(expected): a string of \(allowEmpty ? 0 : 1) to \(WireLimits.name) bytes without control or format "
                    + "characters")
        }
        return text
    }

    func choice<Choice: RawRepresentable & CaseIterable>(_ name: String, _: Choice.Type) throws(FieldError) -> Choice?
    where Choice.RawValue == String {
        guard let value = object[name] else { return nil }
        guard let choice = value.word.flatMap({ Choice(rawValue: $0) }) else {
            throw bad(name, oneOf(Choice.allCases.map(\.rawValue)))
        }
        return choice
    }

    func position(_ name: String) throws(FieldError) -> Coordinate? {
        guard let value = object[name] else { return nil }
        guard let numbers = value.array, numbers.count == 2, let longitude = numbers[0].double,
            let latitude = numbers[1].double,
            let coordinate = Coordinate(longitude: longitude, latitude: latitude)
        else { throw bad(name, "[longitude, latitude] in degrees, from -180 to 180 and from -90 to 90") }
        return coordinate
    }

    /// The fields of a nested object.
    func nested(_ name: String, known: [String]) throws(FieldError) -> Fields? {
        guard let value = object[name] else { return nil }
        guard let object = value.object else { throw bad(name, "an object with \(known.joined(separator: ", "))") }
        return try Fields(object, at: prefix + name + ".", known: known)
    }
}
