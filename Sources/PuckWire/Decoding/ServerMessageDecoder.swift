import PuckCore
import PuckText

/// Reads a line as what the server sends. Tolerant: types and fields that it does not know are passed over, and so are
/// known fields, other than the needed ones, that hold what this version does not know.
public enum ServerMessageDecoder {
    /// Why a line is no message.
    public struct Failure: Error, Hashable, Sendable {
        /// What was expected.
        public let message: String
    }

    /// The message that `line` (without its newline) is; nil where its type is not known here.
    public static func decode(_ line: [UInt8]) throws(Failure) -> ServerMessage? {
        guard String(validating: line, as: UTF8.self) != nil else { throw Failure(message: "expected UTF-8") }
        let value: JSONValue
        do throws(JSONFault) { value = try JSONParser.parse(line, depth: WireLimits.depth).value } catch {
            throw Failure(message: "\(error)")
        }
        guard let object = value.object, let type = object["type"]?.string else {
            throw Failure(message: "expected an object with a type")
        }
        let members = Members(object)
        do throws(Members.Missing) {
            switch type {
            case "hello": return .hello(try members.hello())
            case "ok": return .ok(id: members.id("id"), members.answer())
            case "error": return .error(try members.error())
            case "frame": return .frame(try members.frame())
            case "source": return .source(try members.source())
            case "authorization": return .authorization(try members.authorization())
            case "view": return .view(try members.view())
            default: return nil
            }
        } catch {
            throw Failure(message: "expected \(error.name) in \(type)")
        }
    }
}

/// Reads the wanted members of an object. A member with an unexpected value counts as absent.
struct Members {
    /// A needed member that is absent.
    struct Missing: Error {
        let name: String
    }
    let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    func number(_ name: String) -> Double? { object[name]?.double }
    func whole<Whole: FixedWidthInteger>(_ name: String) -> Whole? {
        guard case .number(let text) = object[name] else { return nil }
        return Whole(text) ?? object[name]?.double.flatMap { Whole(exactly: $0) }
    }
    func string(_ name: String) -> String? { object[name]?.string }
    func bool(_ name: String) -> Bool? { object[name]?.bool }
    func array(_ name: String) -> [JSONValue]? { object[name]?.array }
    func object(_ name: String) -> Members? { object[name]?.object.map { Members($0) } }
    func direction(_ name: String) -> Direction? { number(name).flatMap { Direction($0) } }
    func word<Word: RawRepresentable>(_ name: String) -> Word? where Word.RawValue == String {
        string(name).flatMap { Word(rawValue: $0) }
    }
    func time(_ name: String) -> UTC? { string(name).flatMap { UTC(rfc3339: $0) } }
    func instant(_ name: String) -> Instant? {
        // Beyond this a count of nanoseconds does not fit. The wire has microseconds, and they are read back as the same.
        guard let seconds = number(name), seconds.magnitude < 9.2e9 else { return nil }
        return Instant(nanoseconds: Int64((seconds * 1e6).rounded()) * 1_000)
    }
    func position(_ name: String) -> Coordinate? {
        guard let numbers = array(name), numbers.count >= 2, let longitude = numbers[0].double,
            let latitude = numbers[1].double
        else { return nil }
        return Coordinate(longitude: longitude, latitude: latitude)
    }
    func id(_ name: String) -> RequestID? {
        switch object[name] {
        case .number(let text): .number(text)
        case .string(let text): .string(text)
        default: nil
        }
    }
    func need<Value>(_ name: String, _ value: Value?) throws(Missing) -> Value {
        guard let value else { throw Missing(name: name) }
        return value
    }
}
