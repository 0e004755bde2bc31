import Testing

@testable import PuckClient
