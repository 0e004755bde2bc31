// swift-tools-version: 6.0
import PackageDescription

// The arrows of docs/design.md: a target may import only what stands in its list,
// and the build is run with `--explicit-target-dependency-import-check error`.
let package = Package(
    name: "puckd",
    products: [
        .executable(name: "puckd", targets: ["puckd"]),
        .executable(name: "puckctl", targets: ["puckctl"]),
        .library(name: "PuckClient", targets: ["PuckClient"]),
    ],
    targets: [
        // C, wrapped once.
        .target(name: "CLibm", linkerSettings: [.linkedLibrary("m")]),
        .target(name: "CGPS", linkerSettings: [.linkedLibrary("gps")]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CInih", pkgConfig: "inih", providers: [.apt(["libinih-dev"])]),

        // Pure.
        .target(name: "PuckCore", dependencies: ["CLibm"]),
        .target(name: "PuckText"),
        .target(name: "PuckWire", dependencies: ["PuckCore", "PuckText"]),
        .target(name: "PuckConfig", dependencies: ["PuckCore", "CInih"]),

        // The two ends.
        .target(name: "PuckSystem", dependencies: ["PuckCore", "CSystemd", "CLinux"]),
        .target(name: "PuckGPSD", dependencies: ["PuckCore", "PuckText", "PuckSystem", "CGPS"]),
        .target(name: "PuckServer", dependencies: ["PuckCore", "PuckText", "PuckWire", "PuckSystem"]),
        .target(name: "PuckClient", dependencies: ["PuckCore", "PuckText", "PuckWire", "PuckSystem"]),

        // The stages in simulated time: what `puckd replay` runs.
        .target(name: "PuckReplay", dependencies: ["PuckCore", "PuckWire", "PuckGPSD", "PuckServer"]),

        .executableTarget(
            name: "puckd",
            dependencies: [
                "PuckCore", "PuckWire", "PuckConfig", "PuckSystem", "PuckGPSD", "PuckServer", "PuckReplay",
            ]),
        .executableTarget(
            name: "puckctl",
            dependencies: ["PuckCore", "PuckText", "PuckWire", "PuckSystem", "PuckClient", "CExpat"]),

        // A simulated receiver, a fake gpsd, a manual clock; and the receiver as a program of its own.
        .target(name: "PuckTestKit", dependencies: ["PuckCore", "PuckSystem"], path: "Tests/PuckTestKit"),
        .executableTarget(
            name: "receiver-simulator", dependencies: ["PuckTestKit", "PuckCore", "PuckSystem"],
            path: "Tests/receiver-simulator"),

        // What any bytes are given to: by tests those of Tests/fuzz/corpus, by libFuzzer what it makes up.
        .target(
            name: "PuckFuzz",
            dependencies: ["PuckCore", "PuckText", "PuckWire", "PuckConfig", "PuckGPSD", "PuckReplay"],
            path: "Tests/PuckFuzz"),
        .testTarget(name: "PuckFuzzTests", dependencies: ["PuckFuzz", "PuckTestKit"]),

        .testTarget(name: "PuckCoreTests", dependencies: ["PuckCore", "PuckTestKit"]),
        .testTarget(
            name: "PuckGPSDTests", dependencies: ["PuckGPSD", "PuckCore", "PuckSystem", "CGPS", "PuckTestKit"]),
        .testTarget(name: "PuckTextTests", dependencies: ["PuckText"]),
        .testTarget(name: "PuckWireTests", dependencies: ["PuckWire", "PuckText", "PuckCore", "PuckTestKit"]),
        .testTarget(
            name: "PuckServerTests",
            dependencies: ["PuckServer", "PuckWire", "PuckText", "PuckCore", "PuckSystem", "PuckTestKit"]),
        .testTarget(name: "PuckConfigTests", dependencies: ["PuckConfig", "PuckCore"]),
        .testTarget(name: "PuckSystemTests", dependencies: ["PuckSystem", "PuckCore", "PuckTestKit"]),
        .testTarget(
            name: "PuckClientTests", dependencies: ["PuckClient", "PuckWire", "PuckCore", "PuckSystem", "PuckTestKit"]),
        .testTarget(name: "PuckctlTests", dependencies: ["puckctl", "PuckClient", "PuckCore", "PuckTestKit"]),
        .testTarget(
            name: "SystemTests",
            dependencies: ["PuckCore", "PuckText", "PuckWire", "PuckClient", "PuckSystem", "PuckTestKit"]),
    ],
    swiftLanguageModes: [.v6]
)

// Needs libFuzzer's main: Tests/scripts/fuzz.sh builds it.
if Context.environment["PUCKD_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz", dependencies: ["PuckFuzz", "PuckSystem"], path: "Tests/fuzz",
            exclude: ["corpus"]))
}
