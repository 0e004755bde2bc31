import PuckCore
import Testing

/// A receiver that reckons its position while it has no satellites.
@Suite("Reckoned fixes")
struct EstimatedTests {
    /// A minute of satellites, then so many seconds of `status`, at `speed` m/s; the pucks by the second.
    private func pucks(
        _ status: FixStatus, seconds: Int = 120, speed: Double = 15, eph: (Int) -> Double = { _ in 5 }
    ) -> [Puck] {
        var pipeline = Pipeline(settings: Pipeline.Settings())
        let plane = LocalPlane(origin: Coordinate(wrappingLongitude: 11.5, clampingLatitude: 48.1))
        return (0..<60 + seconds).compactMap { second in
            var report = Scene.tpv(Double(second), speed: speed, eph: eph(second))
            report.coordinate = plane.unproject(east: speed * Double(second), north: 0)
            report.status = second < 60 ? .normal : status
            _ = pipeline.receive(.position(report), at: Scene.moment(Double(second) + 0.1))
            return pipeline.puck(at: Scene.moment(Double(second) + 0.5), bearing: .auto)
        }
    }

    @Test("each status says by itself whether it is reckoned", arguments: FixStatus.allCases)
    func flag(_ status: FixStatus) {
        let pucks = pucks(status, seconds: 20)
        #expect(pucks.count == 80)
        #expect(!pucks[..<60].contains { $0.estimated })
        #expect(
            pucks[62...].allSatisfy {
                $0.estimated == [.deadReckoning, .gnssDeadReckoning, .simulated].contains(status)
            })
    }

    @Test("without satellites the radius grows with the way, though the receiver says that nothing has changed")
    func radiusGrows() {
        let radii = pucks(.deadReckoning).compactMap(\.accuracy)
        let (before, after) = (radii[59], radii[179])
        // 1,800 m in 120 s.
        #expect(after >= before + 0.05 * 1_790 + 0.1 * 119)
        #expect(after < before + 200)
        for (a, b) in zip(radii[60...], radii[61...]) { #expect(b >= a) }
        // Standing still it is time alone.
        let parked = pucks(.deadReckoning, speed: 0).compactMap(\.accuracy)
        #expect(parked[179] > parked[70] && parked[179] < parked[59] + 40)
    }

    @Test("a receiver that says more of its error is believed")
    func ownEstimate() throws {
        let pucks = pucks(.deadReckoning, eph: { $0 < 60 ? 5 : 5 + 10 * Double($0 - 60) })
        #expect(try #require(pucks[179].accuracy) >= 1_190)
    }

    @Test("with satellites again it is what it was")
    func back() {
        var pipeline = Pipeline(settings: Pipeline.Settings())
        let plane = LocalPlane(origin: Coordinate(wrappingLongitude: 11.5, clampingLatitude: 48.1))
        var last: Puck?
        for second in 0..<240 {
            var report = Scene.tpv(Double(second), speed: 10)
            report.coordinate = plane.unproject(east: 10 * Double(second), north: 0)
            report.status = (60..<180).contains(second) ? .deadReckoning : .normal
            _ = pipeline.receive(.position(report), at: Scene.moment(Double(second)))
            last = pipeline.puck(at: Scene.moment(Double(second)), bearing: .auto)
        }
        #expect(last?.accuracy.map { $0 < 15 } == true && last?.estimated == false)
    }
}
