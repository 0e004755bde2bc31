#!/usr/bin/env python3
"""usage: check-instructions.py BUILD-DIRECTORY
Counts with callgrind the instructions that `puckd replay` takes for one epoch (from gpsd's line to the frame of its
fix) and for one frame of a tick. Fails if a count is more than 5 % above Tests/bench/instructions.json. If a change
makes puckd faster, or slower on purpose, update the figure in the same commit; the script prints the new entry.

The counts depend on compiler, libraries and processor, so the file has one entry for each Swift, Debian and
architecture. Without an entry for this host, the script prints the missing entry and passes.
"""
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

FIGURES = pathlib.Path(__file__).parent.parent / "bench" / "instructions.json"
TOLERANCE = 1.05
EPOCHS = (300, 1_300)
RATE = 60


def line(k):
    """An epoch at 10 Hz: on a wide bend at 10 m/s."""
    return (
        f'{{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"2026-06-01T12:{k // 600:02}:{k // 10 % 60:02}.{k % 10}00Z",'
        f'"ept":0.005,"lat":{48.1 + k * 9e-6:.9f},"lon":{11.5 + k * k * 2e-9:.9f},"altHAE":486.0,"altMSL":440.0,'
        f'"epx":3.1,"epy":4.2,"epv":7.9,"track":{k * 0.03:.4f},"speed":{10 + k % 7 * 0.03:.3f},"climb":0.0,"eps":0.80}}\n')


def count(program, epochs, rate, directory):
    """The instructions of a replay, and the number of its frames."""
    recording = directory / f"{epochs}.json"
    recording.write_text("".join(line(k) for k in range(epochs)))
    # By default, Swift seeds its hashes, and so the order of its dictionaries, at random.
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={directory / 'profile'}", program, "replay", "--rate",
         str(rate), "--view", "followWithCourse", recording],
        capture_output=True, text=True, env={"PATH": os.environ["PATH"], "SWIFT_DETERMINISTIC_HASHING": "1"})
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not found:
        raise SystemExit(f"check-instructions: {program} under valgrind: {run.stderr[-500:]}")
    return int(found[1]), run.stdout.count("\n")


def measure(program):
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        few, many = (count(program, epochs, "fix", directory)[0] for epochs in EPOCHS)
        epoch = (many - few) / (EPOCHS[1] - EPOCHS[0])
        few, few_frames = count(program, EPOCHS[0], RATE, directory)
        many, many_frames = count(program, EPOCHS[1], RATE, directory)
        # An epoch costs the same with ticks, except for its frame. Six ticks lie between two fixes, none at a fix.
        frame = (many - few - epoch * (EPOCHS[1] - EPOCHS[0])) / (many_frames - few_frames)
        return {"epoch": round(epoch), "frame": round(frame)}


def host():
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    release = re.search(r"Swift version ([0-9.]+)", swift)
    debian = platform.freedesktop_os_release()
    return f"Swift {release[1] if release else 'unknown'}, {debian['ID']} {debian.get('VERSION_ID', '')}, {platform.machine()}"


def main(build):
    figures = json.loads(FIGURES.read_text())
    name, now = host(), measure(pathlib.Path(build) / "puckd")
    entry = f"{json.dumps(name)}: {json.dumps(now)}"
    if name not in figures:
        print(f"no figures for this host: not compared. The entry for {FIGURES}:\n  {entry}")
        return 0
    grown = []
    for what, figure in figures[name].items():
        print(f"instructions for one {what}: {now[what]:,} ({now[what] / figure - 1:+.1%} of {figure:,})")
        if now[what] > figure * TOLERANCE:
            grown.append(what)
    if grown:
        print(f"{' and '.join(grown)}: more than 5 % above the figure. If intended, put into {FIGURES}:\n  {entry}")
    return 1 if grown else 0


if len(sys.argv) != 2:
    raise SystemExit(__doc__)
sys.exit(main(sys.argv[1]))
