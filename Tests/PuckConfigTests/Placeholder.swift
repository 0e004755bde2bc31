import Testing

@testable import PuckConfig
