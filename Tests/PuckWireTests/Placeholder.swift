import Testing

@testable import PuckWire
