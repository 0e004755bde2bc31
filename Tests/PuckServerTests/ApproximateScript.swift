import PuckText

@testable import PuckWire

@testable import PuckServer

/// Every request that there is, served and refused, as an approximate client may send it.
enum ApproximateScript {
    /// Of each type at least one that is carried out, where policy lets the client.
    static let served = [
        #"{"type":"ping","id":1}"#,
        #"{"type":"status","id":"s"}"#,
        #"{"type":"subscribe","id":2}"#,
        #"{"type":"subscribe","id":3,"include":["puck","camera","markers","source"],"rate":60,"view":"map","accuracy":"precise","bearing":"course","minDistance":1,"minInterval":1,"staleAfter":1}"#,
        #"{"type":"viewport","view":"map","width":390,"height":844}"#,
        #"{"type":"track","id":4,"view":"map","mode":"followWithCourse"}"#,
        #"{"type":"track","view":"map","mode":"next"}"#,
        #"{"type":"follow","id":5,"view":"map","zoom":18,"bearing":"heading","pitch":60,"padding":{"top":9}}"#,
        #"{"type":"follow","id":6,"zoom":null,"bearing":90,"transition":"immediate"}"#,
        #"{"type":"ease","id":7,"view":"map","camera":{"zoom":9,"bearing":10,"pitch":5}}"#,
        #"{"type":"gesture","id":8,"view":"map","kind":"rotate","phase":"began","camera":{"bearing":40}}"#,
        #"{"type":"gesture","view":"map","kind":"pan","phase":"ended"}"#,
        #"{"type":"overview","id":9,"view":"map","geometry":{"type":"MultiPoint","coordinates":[[8,47],[9,48]]}}"#,
        #"{"type":"fly","id":10,"view":"map","camera":{"center":[7,46],"zoom":8}}"#,
        #"{"type":"track","view":"map","mode":"follow"}"#,
        #"{"type":"idle","id":11,"view":"map"}"#,
        #"{"type":"marker","id":12,"view":"map","marker":"me","position":[8.4,47.3],"duration":1}"#,
        #"{"type":"removeMarker","id":13,"view":"map","marker":"me"}"#,
        #"{"type":"marker","view":"map","marker":"stays","position":[8.4,47.3]}"#,
        #"{"type":"accuracy","id":14,"mode":"approximate"}"#,
        #"{"type":"endPrecise","id":15}"#,
        #"{"type":"track","view":"map","mode":"followWithHeading"}"#,
        #"{"type":"unsubscribe","id":16}"#,
        #"{"type":"subscribe","rate":"motion","view":"map","include":["puck","camera","markers"]}"#,
        #"{"type":"subscribe","rate":"fix","include":["puck","camera","source"]}"#,
        #"{"type":"track","mode":"follow"}"#,
    ]

    /// What is refused for what it asks, though well said.
    static let refused = [
        #"{"type":"accuracy","id":20,"mode":"precise"}"#,
        #"{"type":"accuracy","id":21,"mode":"precise","scope":"system"}"#,
        #"{"type":"requestPrecise","id":22,"purpose":"fun"}"#,
        #"{"type":"who","id":23}"#,
        #"{"type":"place","id":24,"position":[9,48]}"#,
        #"{"type":"release","id":25}"#,
        #"{"type":"track","id":26,"view":"nowhere","mode":"follow"}"#,
        #"{"type":"removeMarker","id":27,"marker":"none"}"#,
        #"{"type":"removeMarker","id":28,"view":"map","marker":"secret"}"#,
        #"{"type":"overview","view":"map","geometry":{"type":"Point","coordinates":[8,47]},"padding":{"top":9999,"bottom":9999}}"#,
        #"{"type":"where","id":29}"#,
        #"{"type":"positon"}"#,
    ]

    /// What only roles allow, to an approximate client that has them all.
    static let privileged = [
        #"{"type":"who","id":30}"#,
        #"{"type":"accuracy","id":31,"mode":"approximate","scope":"system"}"#,
        #"{"type":"accuracy","id":32,"mode":"precise","scope":"system"}"#,
        #"{"type":"place","id":33,"position":[8.501,47.4],"heading":20,"speed":3,"course":20}"#,
        #"{"type":"release","id":34}"#,
    ]

    /// Each type without what it needs, with a field that it does not have, and with each of its own holding what no
    /// field can hold.
    static var malformed: [String] {
        RequestType.allCases.flatMap { type -> [String] in
            let name = type.rawValue
            let wrong = type.fields.map { #"{"type":"\#(name)","\#($0)":{"x":[1]}}"# }
            return wrong + [#"{"type":"\#(name)","id":"?","position_":1}"#]
                + (type.fields.isEmpty ? [] : [#"{"type":"\#(name)","id":"!"}"#])
        }
    }

    /// What ends the connection.
    static let violations: [LineFramer.Event] = [
        .line(Array("[1]".utf8)), .line(Array("{".utf8)), .line([0xFF]), .tooLong,
    ]
}
