import Testing

@testable import PuckCore
