import Testing

@testable import PuckCore

@Suite("Position filter")
struct FilterTests {
    @Test("Nothing is shown before the first fix")
    func nothingBeforeTheFirst() {
        let filter = PositionFilter(profile: .auto, accuracyFloor: 1)
        #expect(filter.motion(at: Instant(seconds: 10)) == nil)
    }
}
