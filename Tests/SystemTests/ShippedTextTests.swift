import PuckSystem
import PuckTestKit
import Testing

/// What is shipped, against the programs.
@Suite struct ShippedTextTests {
    private func check(_ script: String) throws {
        let programs = try builtProgram("puckd").split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        let process = try TestProcess("\(ProjectFiles.root)/Tests/scripts/\(script)", [programs])
        #expect(try process.waitForEnd(seconds: 60) == .exited(0))
    }

    @Test("the manual pages are well-formed, and tell every option, command, key and request")
    func manual() throws { try check("check-manual.sh") }

    @Test("what is installed is removed again, but for the configuration")
    func installation() throws { try check("check-install.sh") }

    @Test("bash offers every command, option and value")
    func completion() throws { try check("check-completion.sh") }
}
