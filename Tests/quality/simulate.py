#!/usr/bin/env python3
"""Measure puckd on simulated receivers of many kinds, with a truth that is known, beside other methods.

  simulate.py PUCKD WORK [--seed N] [--each N] [--kind TEXT]... [--driver]

PUCKD is the program (or, with --driver, the filter's driver). Without --seed the recordings are new ones every time; the seed
is printed. --each: recordings of a kind. --kind: only kinds whose name holds the text. Each figure is the geometric mean, over
a kind's recordings, of the error divided by that of the raw fixes. Exits with 1 where puckd makes more than 1.05 of the raw
error of a kind.
"""
import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import zlib

import numpy as np

import receivers
import runs
from runs import evaluate

START = 1_700_000_000.0
ORIGIN = (46.2, 6.15)
WORST = 1.05


class Track:
    """What evaluate.py scores: a truth, in a plane."""

    def __init__(self, name, kind, recording):
        self.name, self.kind, self.source, self.pseudo = name, "car", kind, False
        self.plane = evaluate.Plane(*ORIGIN)
        m = recording.motion
        lat, lon = self.plane.ll(m.p[:, 0], m.p[:, 1])
        course = np.degrees(np.arctan2(m.v[:, 0], m.v[:, 1])) % 360
        self.truth = evaluate.Truth(self.plane, START + m.t, lat, lon, np.hypot(*m.v.T), course)
        lat, lon = self.plane.ll(recording.p[:, 0], recording.p[:, 1])
        nothing = np.full(len(recording.t), np.nan)
        self.fix = {"time_unix_s": START + recording.t, "arrival_unix_s": START + recording.arrival, "lat": lat, "lon": lon,
                    "alt": nothing, "speed_mps": recording.speed,
                    "course_deg": recording.course, "eph_m": recording.eph, "epx_m": nothing, "epy_m": nothing,
                    "heading_deg": nothing}
        self.dt = float(np.median(np.diff(recording.t)))


def write_input(track, path):
    columns = ["time_unix_s", "arrival_unix_s", *evaluate.FIELDS[1:]]
    with open(path, "w") as f:
        f.write(",".join(columns) + "\n")
        for values in zip(*(track.fix[c] for c in columns)):
            f.write(",".join("" if not np.isfinite(v) else ("%.9f" if c in ("lat", "lon") else "%.4f") % v
                             for c, v in zip(columns, values)) + "\n")


def make(kinds, seed, each, directory):
    """Writes inputs of every kind; returns the tracks by file name."""
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    tracks = {}
    for kind in kinds:
        for k in range(each):
            rng = np.random.default_rng([seed, zlib.crc32(kind.encode()), k])
            name = "%s_%d.csv" % (kind.replace(" ", "_").replace(",", ""), k)
            tracks[name] = Track(name, kind, receivers.KINDS[kind](rng))
            write_input(tracks[name], os.path.join(directory, name))
    return tracks


def answer_all(program, work, tracks, driver):
    inputs, manifest = os.path.join(work, "in"), {name: {"rate_hz": 10} for name in tracks}
    with contextlib.suppress(FileNotFoundError):
        shutil.rmtree(os.path.join(work, "rivals"))
    runs.rivals_all(runs.RIVALS, inputs, manifest, os.path.join(work, "rivals"))
    if driver:
        drive(program, work, tracks)
        return
    runs.replay_all(program, inputs, manifest, os.path.join(work, "state"))
    runs.replay_all(program, inputs, manifest, os.path.join(work, "drawn"), drawn=lambda note: 60)


def drive(program, work, tracks, options=()):
    """Answers with the filter's driver, in two processes."""
    jobs = []
    for kind, frames in (("state", 10), ("drawn", 60)):
        os.makedirs(os.path.join(work, kind), exist_ok=True)
        jobs += ["%s/in/%s %s/%s/%s.bin 10 %d" % (work, name, work, kind, name, frames) for name in tracks]
    processes = [subprocess.Popen([program, *options], stdin=subprocess.PIPE, text=True) for _ in range(2)]
    for i, process in enumerate(processes):
        process.stdin.write("\n".join(jobs[i::2]) + "\n")
        process.stdin.close()
    if any(process.wait() for process in processes):
        sys.exit("%s failed" % program)


def figures(track, name, work, ending):
    """Errors of each method on a recording, as parts of the raw error; and the share of the truth within the radius."""
    note, out = {"rate_hz": 10}, {}
    raw = runs.score_raw(track, "base", note, track.fix)
    state = runs.read_answer("%s/state/%s%s" % (work, name, ending))
    score = runs.score(track, "base", note, track.fix, state)
    out["state"], out["inside"] = score["rms"] / raw["rms"], runs.inside(track, state)
    drawn = runs.score(track, "base", note, track.fix, runs.read_answer("%s/drawn/%s%s" % (work, name, ending)))
    out["drawn"] = drawn["disp_rms"] / raw["disp_rms"]
    for rival in runs.RIVALS:
        score = runs.score(track, "base", note, track.fix, runs.read_answer("%s/rivals/%s/%s" % (work, rival, name)))
        out[rival], out["drawn " + rival] = score["rms"] / raw["rms"], score["disp_rms"] / raw["disp_rms"]
    return out


def report(results):
    """Prints a line a kind; returns the kinds that are worse than the fixes."""
    columns = ["state", *runs.RIVALS, "drawn", *("drawn " + rival for rival in runs.RIVALS)]
    print("%-28s%6s" % ("error / raw", "tracks") + "".join("%16s" % c for c in columns) + "%12s%14s" % ("worst", "in radius, %"))
    faults = []
    for kind, rows in results.items():
        folded = {c: evaluate.gmean([row[c] for row in rows]) for c in columns}
        print("%-28s%6d" % (kind, len(rows)) + "".join("%16.3f" % folded[c] for c in columns)
              + "%12.3f%14.1f" % (max(row["state"] for row in rows), 100 * np.mean([row["inside"] for row in rows])))
        if folded["state"] > WORST:
            faults.append(kind)
    return faults


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("puckd")
    p.add_argument("work")
    p.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "little"))
    p.add_argument("--each", type=int, default=10)
    p.add_argument("--kind", action="append", default=[])
    p.add_argument("--driver", action="store_true")
    a = p.parse_args()
    print("seed %d" % a.seed)
    kinds = [kind for kind in receivers.KINDS if not a.kind or any(text in kind for text in a.kind)]
    tracks = make(kinds, a.seed, a.each, os.path.join(a.work, "in"))
    answer_all(a.puckd, a.work, tracks, a.driver)
    results = {}
    for name, track in tracks.items():
        results.setdefault(track.source, []).append(figures(track, name, a.work, ".bin" if a.driver else ".npy"))
    faults = report(results)
    print("\nKinds of which puckd makes more than %g of the raw error: %s" % (WORST, ", ".join(faults) or "none"))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
