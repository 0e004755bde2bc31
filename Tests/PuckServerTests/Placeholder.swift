import Testing

@testable import PuckServer
