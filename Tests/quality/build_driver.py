#!/usr/bin/env python3
"""Build the filter's driver: Sources/PuckCore and driver/main.swift as one program, which can change every constant.

  build_driver.py DIRECTORY      writes DIRECTORY/filter-driver, unless it is newer than its sources
"""
import glob
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CORE = os.path.join(ROOT, "Sources/PuckCore")
NUMBER = re.compile(r"^\s+var (\w+)(?:: Double|: Int)? = (-?[\d._]+(?:e-?\d+)?)\s*$", re.M)
CONTEST = re.compile(r"^\s+var (\w+) = ForecastContest\.Parameters\(", re.M)

TABLE = """nonisolated(unsafe) let constants: [String: WritableKeyPath<FilterParameters, Double>] = [
%s
]

extension Int {
    var asDouble: Double {
        get { Double(self) }
        set { self = Int(newValue.rounded()) }
    }
}
"""


def read(path):
    with open(path) as f:
        return f.read()


def constants_of(kind, prefix):
    """(path, is whole) of each number among a type's parameters."""
    text = read(os.path.join(CORE, "Filter", kind + ".swift"))
    start = re.search(r"struct Parameters\b.*?{\n", text) or re.search(r"struct %s\b.*?{\n" % kind, text)
    body = text[start.end():]
    body = re.split(r"\n    }\n|\n    struct |\n +func ", body)[0]
    for name, value in NUMBER.findall(body):
        yield prefix + name, "." not in value and "e" not in value
    for name in CONTEST.findall(body):
        for part in ("memory", "power", "clip"):
            yield "%s%s.%s" % (prefix, name, part), False


def table():
    """Swift: how each constant is read and set, by name."""
    gathered = read(os.path.join(CORE, "Filter/FilterParameters.swift"))
    lines = []
    for name, kind in re.findall(r"var (\w+) = (\w+)(?:\.Parameters)?\(\)", gathered):
        for path, whole in constants_of(kind, name + "."):
            lines.append('    "%s": \\.%s%s,' % (path, path, ".asDouble" if whole else ""))
    return TABLE % "\n".join(lines)


def main(directory):
    os.makedirs(directory, exist_ok=True)
    program, listed = os.path.join(directory, "filter-driver"), os.path.join(directory, "constants.swift")
    sources = sorted(glob.glob(CORE + "/**/*.swift", recursive=True))
    sources.append(os.path.join(HERE, "driver/main.swift"))
    inputs = [*sources, os.path.abspath(__file__)]
    if os.path.exists(program) and os.path.getmtime(program) > max(map(os.path.getmtime, inputs)):
        return
    with open(listed, "w") as f:
        f.write(table())
    with open(os.path.join(directory, "module.modulemap"), "w") as f:
        f.write('module CLibm { header "%s/Sources/CLibm/include/CLibm.h" }\n' % ROOT)
    subprocess.run(["swiftc", "-O", "-wmo", "-swift-version", "6", "-module-name", "PuckCore", "-I", directory,
                    "-o", program, *sources, listed], check=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
