#!/usr/bin/env python3
"""usage: check-hot-text.py BUILD-DIRECTORY
Reports how many functions of this compiler's list in linker/ no longer exist in puckd, and fails if that is a tenth or more."""
import pathlib
import re
import subprocess
import sys

LISTS = pathlib.Path(__file__).parents[2] / "linker"
# A list with 100 outdated names of 1,650 cost 0.6 MB of private memory.
MOST = 0.1


def listed(compiler):
    """The functions in the compiler's list."""
    names = re.findall(r"^\*\(\.text\.(?:unlikely\.)?(\S+)\)$", (LISTS / f"swift-{compiler}.ld").read_text(), re.MULTILINE)
    return set(names)


def linked(program):
    """The functions in the program."""
    symbols = subprocess.run(["nm", "--format=posix", program], capture_output=True, text=True, check=True).stdout
    return {line.split()[0] for line in symbols.splitlines()}


def main(build):
    version = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=True).stdout
    compiler = re.search(r"Swift version (\d+\.\d+)", version)[1]
    if not (LISTS / f"swift-{compiler}.ld").exists():
        print(f"linker/ has no list for Swift {compiler}: puckd takes 3 MB more memory. `make hot-text` writes one.")
        return
    names = listed(compiler)
    gone = names - linked(pathlib.Path(build) / "puckd")
    print(f"linker/swift-{compiler}.ld: {len(gone)} of {len(names)} functions no longer exist")
    if len(gone) >= MOST * len(names):
        sys.exit("Run `make hot-text` on Debian 12 and on Debian 13, and commit the lists.")


if len(sys.argv) != 2:
    sys.exit(__doc__)
main(sys.argv[1])
