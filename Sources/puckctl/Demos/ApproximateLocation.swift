import PuckClient

/// A program receives the approximate location, and then the precise one again, by its own choice or for a purpose.
let approximateLocation = Demo(
    name: "approximate", summary: "precise or approximate: asked for, told, and shown by the camera"
) { stage throws(Failure) in
    let hello = try await stage.hello()
    try await stage.subscribe("subscribe to puck and camera", [.puck, .camera])
    try await stage.steer("follow", .track(.follow))
    try await stage.show(seconds: 2)
    try await stage.ask("ask for approximate accuracy", .accuracy(.approximate, scope: .client))
    try await stage.show(seconds: 3)
    let authorization = await stage.authorization()
    if authorization?.allowed == .precise {
        try await stage.ask("ask for precise accuracy again", .accuracy(.precise, scope: .client))
        try await stage.show(seconds: 2)
    } else if authorization?.reason == .system {
        try stage.output.say(
            "the switch of the whole system binds everyone to approximate; \(stage.session.puckctl) accuracy precise (admin) lifts it"
        )
    } else if let purpose = hello.purposes.first {
        try await stage.ask(
            "ask for precise accuracy “\(purpose.description)”, for \(fixed(purpose.seconds, 0)) s at most",
            .requestPrecise(purpose: purpose.key))
        try await stage.show(seconds: 2)
        try await stage.ask("give it back", .endPrecise)
        try await stage.show(seconds: 2)
    } else {
        try stage.output.say("policy lets you have no more, and declares no purpose that you may ask by")
    }
}

extension Stage {
    /// Waits for the daemon's `hello`.
    fileprivate func hello() async throws(Failure) -> Hello {
        for await event in session.client.events {
            switch event {
            case .connected(let hello): return hello
            case .disconnected(let error, _): throw .client(error)
            default: break
            }
        }
        throw .client(.disconnected(nil))
    }

    /// Waits for the current authorization. Returns nil if the connection ends.
    fileprivate func authorization() async -> AuthorizationMessage? {
        for await event in session.client.events {
            switch event {
            case .authorization(let authorization): return authorization
            case .disconnected: return nil
            default: break
            }
        }
        return nil
    }
}
