import Testing

@testable import PuckGPSD
