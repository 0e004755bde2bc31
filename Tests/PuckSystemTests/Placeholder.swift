import Testing

@testable import PuckSystem
