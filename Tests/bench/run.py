"""usage: run.py [SECTION…]
Prints the tables of docs/performance.md: all sections (fanout latency memory idle start pipeline), or the named ones.
QUICK=1 in the environment uses short windows, to check that everything works."""
import os
import platform
import sys

import delay
import fanout
import pipeline
import resting
from rig import BUILD, version

QUICK = bool(os.environ.get("QUICK"))

SECTIONS = {
    "fanout": lambda: fanout.report(seconds=1 if QUICK else 2),
    "latency": lambda: delay.report(epochs=100 if QUICK else 1_000),
    "memory": lambda: resting.report_memory(starts=1 if QUICK else 5),
    "idle": lambda: resting.report_idle(seconds=2 if QUICK else 8),
    "start": resting.report_start,
    "pipeline": lambda: pipeline.report(seconds=pipeline.DAY // 20 if QUICK else pipeline.DAY),
}


def system():
    for line in open("/etc/os-release"):
        if line.startswith("PRETTY_NAME="):
            return line.split("=")[1].strip().strip('"')


def main(names):
    unknown = [name for name in names if name not in SECTIONS]
    if unknown:
        raise SystemExit(f"bench: no section {' '.join(unknown)}; there are {' '.join(SECTIONS)}")
    processor = next(line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name"))
    print(f"{system()}, Linux {platform.release()}, {os.cpu_count()} × {processor}")
    print(f"{version([BUILD / 'puckd', '--version'])}; {version(['/usr/sbin/gpsd', '-V'])}; {version(['swift', '--version'])}")
    for name in names or SECTIONS:
        print()
        for line in SECTIONS[name]():
            print(line, flush=True)


main(sys.argv[1:])
