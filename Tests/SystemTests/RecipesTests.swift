import PuckSystem
import PuckTestKit
import Testing

/// docs/recipes.md, as a reader would follow it.
@Suite struct RecipesTests {
    private func blocks(_ language: String) throws -> [String] {
        let page = String(decoding: try readFile("\(ProjectFiles.root)/docs/recipes.md", limit: 1 << 20), as: UTF8.self)
        var blocks: [String] = []
        var block: String?
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "```\(language)" {
                block = ""
            } else if line == "```" {
                if let block { blocks.append(block) }
                block = nil
            } else if block != nil {
                block? += "\(line)\n"
            }
        }
        return blocks
    }

    @Test("each configuration is right")
    func configurations() throws {
        let directory = try TestDirectory()
        let all = try blocks("ini")
        #expect(all.count == 4)
        for text in all {
            let file = try directory.write(text, to: "puckd.conf")
            let check = try TestProcess(
                builtProgram("puckd"), ["--check-config", "--config", file], output: .file(directory.file("said")))
            #expect(try check.waitForEnd() == .exited(0), "\(text)")
        }
    }

    @Test("each block of commands runs")
    func commands() throws {
        let all = try blocks("sh")
        #expect(all.count == 7)
        let programs = try builtProgram("puckctl").split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        for block in all {
            // One of its own: a block that places the location gives it back, and the next approximate place takes its time.
            let puckd = try PuckdBench(gpsdPort: try freePort())
            let placer = try ViewClient(puckd)
            try placer.place(8.5, 47.4)
            let log = puckd.directory.file("said")
            let script = "set -eu\ncd \(puckd.directory.path)\n\(block)"
            let shell = try TestProcess(
                "bash", ["-c", script],
                environment: [
                    "PATH": "\(programs):\(environmentVariable("PATH") ?? "")", "PUCKD_SOCKET": puckd.socket,
                ], output: .file(log))
            #expect(try shell.waitForEnd(seconds: 60) == .exited(0), "\(block)")
            withExtendedLifetime(placer) {}
        }
    }
}
