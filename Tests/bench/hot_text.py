"""usage: hot_text.py LINKER-MAP
Writes which functions of puckd run, until it is at rest and while it rests, and then with a client: the list for this
compiler in linker/. BENCH_BUILD has the puckd that LINKER-MAP tells of."""
import pathlib
import re
import subprocess
import sys
import time

from resting import SUBSCRIBE, TRACK
from rig import Rig, version, wait_for

LISTS = pathlib.Path(__file__).parents[2] / "linker"
# The way the receiver goes and how often it reports: which copies are made hangs on how gpsd's lines come.
DRIVES = (("straight", 1), ("park", 1), ("city", 10))
REST_SECONDS = 15
FEWEST = 500


def sections(linker_map):
    """The input section of each function that is in a section of its own."""
    found = {}
    for section, size in re.findall(r"^ (\.text\.\S+)\s+0x[0-9a-f]+\s+0x([0-9a-f]+) ", linker_map, re.MULTILINE):
        # hot-text.ld has these for itself.
        if int(size, 16) and not section.startswith((".text..L", ".text.startup")):
            found.setdefault(re.sub(r"^\.text\.(unlikely\.)?", "", section), section)
    return found


def functions(profile):
    """The names of all functions that ran, those of libraries too."""
    names = {line[3:].rstrip() for line in profile.open() if line.startswith("fn=")}
    # Two names of one constructor in C++: callgrind knows it by the first, its section has the second.
    return names | {name.replace("C1E", "C2E") for name in names}


def profile_drive(route, rate):
    """The functions that run without a client, and those that run with one."""
    with Rig() as rig:
        _, port = rig.gpsd(rig.receiver(route, rate))
        out = rig.directory / "callgrind"
        callgrind = ["valgrind", "--tool=callgrind", "--demangle=no", "--compress-strings=no", f"--callgrind-out-file={out}"]
        puckd, socket = rig.puckd(port, under=callgrind)

        def dump(part):
            subprocess.run(
                ["callgrind_control", "--dump", str(puckd.pid)], check=True, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
            profile = out.with_name(f"{out.name}.{part}")
            wait_for("a profile", lambda: profile.exists() and "\ntotals: " in profile.read_text())
            return functions(profile)

        time.sleep(REST_SECONDS)
        resting = dump(1)
        readers = rig.readers(socket, 2, SUBSCRIBE % 60, TRACK)
        readers.settle(REST_SECONDS / 2)
        readers.stop()
        return resting, dump(2)


def main(linker_map):
    known = sections(pathlib.Path(linker_map).read_text())
    drives = [profile_drive(*drive) for drive in DRIVES]
    resting, watched = ({known[name] for name in set.union(*names) & known.keys()} for names in zip(*drives))
    if len(resting) < FEWEST:
        raise SystemExit(f"hot_text.py: only {len(resting)} functions that ran are in {linker_map}: is it puckd's?")
    release = re.search(r"Swift version (\d+\.\d+)", version(["swift", "--version"]))[1]
    lines = []
    for title, names in (("At start and at rest.", resting), ("With a client.", watched - resting)):
        lines += [f"/* {title} */\n", *(f"*({name})\n" for name in sorted(names))]
    written = LISTS / f"swift-{release}.ld"
    written.write_text("".join(lines))
    print(f"{written}: {len(lines) - 2} functions; hot-text.ld has to include it")


if len(sys.argv) != 2:
    raise SystemExit(__doc__)
main(sys.argv[1])
