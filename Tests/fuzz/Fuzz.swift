import PuckFuzz
import PuckSystem

private typealias Callback = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

/// libFuzzer's own main, which makes up inputs for as long as its options say. (FuzzerInterface.h)
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>, _ callback: Callback
) -> CInt

/// What PUCKD_FUZZ_TARGET names.
private let target: FuzzTarget = {
    let name = environmentVariable("PUCKD_FUZZ_TARGET") ?? ""
    guard let target = FuzzTarget(rawValue: name) else { fatalError("PUCKD_FUZZ_TARGET: no target “\(name)”") }
    return target
}()

/// By the name that libFuzzer's own main asks for, though ours stands in for that.
@_cdecl("LLVMFuzzerTestOneInput")
func giveOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    if let wrong = target.give(input) { fatalError("\(target.rawValue): \(wrong)") }
    return 0
}

/// Fuzzes that target. The arguments are libFuzzer's.
@main
enum Fuzz {
    static func main() {
        // libFuzzer may change both; they live as long as the process.
        let count = UnsafeMutablePointer<CInt>.allocate(capacity: 1)
        count.initialize(to: CommandLine.argc)
        let arguments = UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>.allocate(capacity: 1)
        arguments.initialize(to: CommandLine.unsafeArgv)
        exitProcess(runDriver(count, arguments, giveOneInput))
    }
}
