// For Regex, which is not imported implicitly here: RELEASE in the Makefile leaves it out of the programs.
import _StringProcessing

/// A validator for JSON Schema (2020-12), as far as docs/protocol.schema.json uses it. Reading a schema fails on an
/// unknown keyword, so that no check is silently missing.
public struct JSONSchema: Sendable {
    private let root: JSONDocument

    /// Parses a schema.
    public init(_ bytes: [UInt8]) throws {
        root = try JSONDocument(bytes)
        try Self.checkKeywords(root, at: "#")
    }

    /// Reads the schema of the protocol.
    public static func ofProtocol() throws -> JSONSchema {
        try JSONSchema(try ProjectFiles.read("docs/protocol.schema.json"))
    }

    /// The names under `$defs`.
    public var definitions: Set<String> { root["$defs"]?.names ?? [] }
    /// Returns the definition with this name under `$defs`.
    public func definition(_ name: String) -> JSONDocument? { root["$defs"]?[name] }

    /// Validates a JSON text with this schema, or with one of its definitions. Returns the violations; empty if it is
    /// valid.
    public func problems(of text: [UInt8], as definition: String? = nil) -> [String] {
        guard let value = try? JSONDocument(text) else { return ["not JSON"] }
        guard let definition else { return problems(of: value, by: root, at: "") }
        return problems(of: value, by: .object(["$ref": .string("#/$defs/\(definition)")]), at: "")
    }

    // MARK: Keywords

    private static let annotations: Set = ["$schema", "$id", "title", "description"]
    private static let assertions: Set = [
        "$ref", "type", "const", "enum", "required", "minProperties", "dependentRequired", "minItems", "minLength",
        "maxLength", "pattern", "minimum", "maximum", "exclusiveMaximum", "multipleOf",
    ]
    private static let schemas: Set = ["items", "additionalProperties", "not", "if", "then", "else"]
    private static let listsOfSchemas: Set = ["prefixItems", "anyOf", "oneOf"]
    private static let mapsOfSchemas: Set = ["$defs", "properties"]

    private static func checkKeywords(_ schema: JSONDocument, at path: String) throws {
        if case .bool = schema { return }
        guard case .object(let keywords) = schema else { throw KitError("\(path): a schema is an object or a boolean") }
        for (keyword, value) in keywords {
            let within = "\(path)/\(keyword)"
            if schemas.contains(keyword) {
                try checkKeywords(value, at: within)
            } else if listsOfSchemas.contains(keyword) {
                for (index, part) in value.elements.enumerated() { try checkKeywords(part, at: "\(within)/\(index)") }
            } else if mapsOfSchemas.contains(keyword) {
                for name in value.names {
                    if let part = value[name] { try checkKeywords(part, at: "\(within)/\(name)") }
                }
            } else if !annotations.contains(keyword), !assertions.contains(keyword) {
                throw KitError("\(within): a keyword that this validator does not know")
            }
        }
    }

    // MARK: Validation

    private func problems(of value: JSONDocument, by schema: JSONDocument, at path: String) -> [String] {
        if case .bool(let truth) = schema { return truth ? [] : ["\(path): nothing may be here"] }
        var problems = generalProblems(of: value, by: schema, at: path)
        switch value {
        case .object(let members): problems += objectProblems(of: members, by: schema, at: path)
        case .array(let elements): problems += arrayProblems(of: elements, by: schema, at: path)
        case .string(let text): problems += stringProblems(of: text, by: schema, at: path)
        case .number(let number): problems += numberProblems(of: number, by: schema, at: path)
        case .null, .bool: break
        }
        return problems + logicProblems(of: value, by: schema, at: path)
    }

    private func generalProblems(of value: JSONDocument, by schema: JSONDocument, at path: String) -> [String] {
        var problems: [String] = []
        if let reference = schema["$ref"]?.string {
            let name = reference.split(separator: "/").last.map(String.init) ?? ""
            if let definition = definition(name), reference == "#/$defs/\(name)" {
                problems += self.problems(of: value, by: definition, at: path)
            } else {
                problems.append("\(path): the schema refers to \(reference), which is not there")
            }
        }
        if let type = schema["type"] {
            let types = type.string.map { [$0] } ?? type.elements.compactMap(\.string)
            if !types.contains(where: { value.isOfType($0) }) { problems.append("\(path): not of type \(types)") }
        }
        if let constant = schema["const"], constant != value { problems.append("\(path): not \(constant)") }
        if let values = schema["enum"], !values.elements.contains(value) {
            problems.append("\(path): not one of \(values.elements)")
        }
        return problems
    }

    private func objectProblems(
        of members: [String: JSONDocument], by schema: JSONDocument, at path: String
    ) -> [String] {
        var problems: [String] = []
        for name in schema["required"]?.elements.compactMap(\.string) ?? [] where members[name] == nil {
            problems.append("\(path): lacks \(name)")
        }
        if let least = schema["minProperties"]?.number, Double(members.count) < least {
            problems.append("\(path): fewer members than \(least)")
        }
        for name in schema["dependentRequired"]?.names ?? [] where members[name] != nil {
            for other in schema["dependentRequired"]?[name]?.elements.compactMap(\.string) ?? []
            where members[other] == nil {
                problems.append("\(path): has \(name) without \(other)")
            }
        }
        for (name, value) in members {
            if let property = schema["properties"]?[name] {
                problems += self.problems(of: value, by: property, at: "\(path).\(name)")
            } else if let additional = schema["additionalProperties"] {
                problems += self.problems(of: value, by: additional, at: "\(path).\(name)")
            }
        }
        return problems
    }

    private func arrayProblems(of elements: [JSONDocument], by schema: JSONDocument, at path: String) -> [String] {
        var problems: [String] = []
        if let least = schema["minItems"]?.number, Double(elements.count) < least {
            problems.append("\(path): fewer than \(least)")
        }
        let first = schema["prefixItems"]?.elements ?? []
        for (index, element) in elements.enumerated() {
            guard let part = index < first.count ? first[index] : schema["items"] else { continue }
            problems += self.problems(of: element, by: part, at: "\(path)[\(index)]")
        }
        return problems
    }

    private func stringProblems(of text: String, by schema: JSONDocument, at path: String) -> [String] {
        var problems: [String] = []
        let length = Double(text.unicodeScalars.count)
        if let least = schema["minLength"]?.number, length < least { problems.append("\(path): too short") }
        if let most = schema["maxLength"]?.number, length > most { problems.append("\(path): too long") }
        if let pattern = schema["pattern"]?.string {
            // Match by Unicode scalars like other validators, because a Swift character may consist of several.
            let match = try? Regex(pattern).matchingSemantics(.unicodeScalar).firstMatch(in: text)
            if match == nil { problems.append("\(path): \(text) is not like \(pattern)") }
        }
        return problems
    }

    private func numberProblems(of number: Double, by schema: JSONDocument, at path: String) -> [String] {
        var problems: [String] = []
        if let least = schema["minimum"]?.number, !(number >= least) { problems.append("\(path): under \(least)") }
        if let most = schema["maximum"]?.number, !(number <= most) { problems.append("\(path): over \(most)") }
        if let bound = schema["exclusiveMaximum"]?.number, !(number < bound) {
            problems.append("\(path): not under \(bound)")
        }
        if let unit = schema["multipleOf"]?.number, number.truncatingRemainder(dividingBy: unit) != 0 {
            problems.append("\(path): not a multiple of \(unit)")
        }
        return problems
    }

    private func logicProblems(of value: JSONDocument, by schema: JSONDocument, at path: String) -> [String] {
        var problems: [String] = []
        func branches(_ keyword: String) -> [[String]]? {
            schema[keyword].map { $0.elements.map { self.problems(of: value, by: $0, at: path) } }
        }
        if let branches = branches("anyOf"), !branches.contains([]) {
            problems += branches.min { $0.count < $1.count } ?? []
        }
        if let branches = branches("oneOf") {
            let fitting = branches.count { $0.isEmpty }
            if fitting == 0 { problems += branches.min { $0.count < $1.count } ?? [] }
            if fitting > 1 { problems.append("\(path): fits \(fitting) of what it may fit one of") }
        }
        if let refused = schema["not"], self.problems(of: value, by: refused, at: path).isEmpty {
            problems.append("\(path): fits what it must not")
        }
        if let condition = schema["if"] {
            let holds = self.problems(of: value, by: condition, at: path).isEmpty
            if let consequence = schema[holds ? "then" : "else"] {
                problems += self.problems(of: value, by: consequence, at: path)
            }
        }
        return problems
    }
}

extension JSONDocument {
    fileprivate func isOfType(_ type: String) -> Bool {
        switch self {
        case .null: type == "null"
        case .bool: type == "boolean"
        case .number(let number): type == "number" || (type == "integer" && number.rounded() == number)
        case .string: type == "string"
        case .array: type == "array"
        case .object: type == "object"
        }
    }
}
