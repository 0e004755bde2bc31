import PuckCore
import Testing

@testable import PuckGPSD

@Suite("The search for a compass that gpsd does not pass on")
struct CompassSearchTests {
    private func takes(_ search: inout CompassSearch, _ line: String) -> Bool { search.takes(bytes(line)) }

    @Test("without a heading it listens for a few seconds, now and then, and with one it does not")
    func steps() {
        var search = CompassSearch()
        #expect(search.step() == .listen(seconds: 3))
        #expect(search.step() == .stop(seconds: 600))
        #expect(search.step() == .listen(seconds: 3))
        _ = search.step()
        search.heard()
        #expect(search.step() == .wait(seconds: 600))
    }

    @Test(
        "a sentence that says a heading is found, by its name",
        arguments: [
            ("$HCHDG,30.0,,,19.8,E*5F", "HCHDG"), ("$HEHDT,50.0,T*2D", "HEHDT"), ("$HCHDM,30.0,M*20", "HCHDM"),
            ("$GPTHS,30.0,A*00", "GPTHS"), ("$PASHR,100000.00,30.0,T", "PASHR"), ("$GPRMC,1,A", nil), ("$", nil),
            ("!AIVDM,1,1,,A,HDT,0*2C", nil), ("$XXXHDT,1", nil), ("$HDT,1", nil),
        ])
    func sentences(_ line: String, _ found: String?) {
        var search = CompassSearch()
        #expect(takes(&search, line))
        #expect(search.unread == found)
        search.heard()
        #expect(search.unread == nil)
    }

    @Test("what is none of the receiver's own lines is left alone")
    func others() {
        var search = CompassSearch()
        for line in ["", "{\"class\":\"TPV\"}", "HCHDG,30", " $HCHDG"] { #expect(!takes(&search, line)) }
    }

    @Test("the source says which sentence is lost, until a heading comes")
    func told() {
        var feed = GPSDFeed(at: at(0))
        _ = feed.connected(at: at(0))
        let fix = #"{"class":"TPV","device":"/dev/a","mode":3,"lat":1.5,"lon":2.5}"# + "\r\n"
        func receive(_ text: String, _ seconds: Double) -> [GPSDEvent] {
            feed.receive(feed.read(bytes(text)), at: at(seconds))
        }
        _ = receive(fix, 1)
        #expect(feed.searchCompass() == .listen(seconds: 3))
        _ = receive("$HCHDG,30.0,,,19.8,E*5F\r\n" + fix, 11)
        #expect(feed.searchCompass() == .stop(seconds: 600))
        _ = feed.advance(to: at(14))
        #expect(feed.status.unreadHeading == "HCHDG")
        #expect(feed.counters.malformed == 0)
        _ = receive(#"{"class":"ATT","device":"/dev/a","heading":30.0}"# + "\r\n", 20)
        #expect(feed.status.unreadHeading == nil)
    }
}
