#!/usr/bin/env python3
"""Ask of each tuned constant of the position filter whether the recordings know its value.

  constants.py DRIVER WORK [PREFIX]...

DRIVER is what build_driver.py built; WORK a directory for inputs and answers, which may be measure.py's. Each constant whose
name begins with a PREFIX (or each of those that decide where the puck is) is tried at a half to twice its value. Printed: its
value, the best of those tried, how far the mean of log(error / raw) over sources is above the best at each, in per cent, and
the best value without each source, if it is another. A constant whose best value moves when a source is left out is not known;
that is harmless where the result is flat.
"""
import os
import subprocess
import sys

import numpy as np

import runs
from runs import evaluate

DECIDING = ("estimator.", "bank.", "receiver.", "gate.", "sky.", "standstill.", "rest.", "forecast.", "coasting.", "blend.")
# These decide what is drawn between fixes, and are judged by all ticks; the others by those just after a fix.
DRAWING = ("forecast.", "coasting.", "blend.")
FACTORS = (0.5, 0.71, 1.0, 1.41, 2.0)
FLAT = 0.3


class Scorer:
    """Every recording, and the ticks at which its error counts: the first after each fix, or with `drawn` all of them."""

    def __init__(self, work, drawn):
        self.drawn = drawn
        self.manifest = runs.write_inputs(os.path.join(runs.QUALITY, "data"), os.path.join(work, "in"))
        self.work, self.cases = work, []
        for track in evaluate.load_tracks(os.path.join(runs.QUALITY, "data")):
            if track.kind != "static":
                self.cases.append(self.case(track))

    def case(self, track):
        name = "%s@base.csv" % track.name
        fixes = dict(track.fix, arrival_unix_s=track.fix["time_unix_s"])
        ticks = evaluate.grid(fixes, self.manifest[name]["rate_hz"])
        east, north = track.truth.at(ticks)[:2]
        newest = fixes["time_unix_s"][np.clip(np.searchsorted(fixes["arrival_unix_s"], ticks + 1e-4) - 1, 0, None)]
        at = np.unique(evaluate.after_fix(ticks, fixes["arrival_unix_s"], self.manifest[name]["rate_hz"])[0])
        at = np.arange(len(ticks)) if self.drawn else at
        at = at[np.isfinite(east[at]) & (ticks[at] - newest[at] < 3) & (ticks[at] > ticks[0] + 10)]
        raw = evaluate.raw_answer(track, fixes, self.manifest[name])
        error = np.hypot(raw[1] - east, raw[2] - north)[at]
        return name, track, at, east[at], north[at], evaluate.rms(error)

    def by_source(self, driver, options):
        """log(error / raw) by source, for a filter with those options."""
        out = os.path.join(self.work, "constants-%d" % os.getpid())
        os.makedirs(out, exist_ok=True)
        jobs = ["%s/in/%s %s/%s 10 %d" % (self.work, name, out, name, 60 if self.drawn else 10) for name, *_ in self.cases]
        processes = [subprocess.Popen([driver, *options], stdin=subprocess.PIPE, text=True) for _ in range(2)]
        for i, process in enumerate(processes):
            process.stdin.write("\n".join(jobs[i::2]) + "\n")
            process.stdin.close()
        if any(process.wait() for process in processes):
            sys.exit("%s failed" % driver)
        logs = {}
        for name, track, at, east, north, raw in self.cases:
            rows = np.fromfile(os.path.join(out, name)).reshape(-1, 7)[at]
            e, n = track.plane.en(rows[:, 1], rows[:, 2])
            logs.setdefault(track.source, []).append(np.log(evaluate.rms(np.hypot(e - east, n - north)) / raw))
        return {source: np.mean(values) for source, values in logs.items()}


def listed(driver, prefixes):
    lines = subprocess.run([driver, "--list"], check=True, capture_output=True, text=True).stdout.splitlines()
    pairs = (line.split() for line in lines)
    return {name: float(value) for name, value in pairs if name.startswith(prefixes) and float(value) != 0}


def best(table, values, sources):
    means = [np.mean([table[v][s] for s in sources]) for v in values]
    return values[int(np.argmin(means))], 100 * (means - np.min(means))


def main(driver, work, *prefixes):
    scorers = {drawn: Scorer(work, drawn) for drawn in (False, True)}
    line = "%-32s%10s%10s  %-36s%s"
    print(line % ("constant", "value", "best", "% above the best, by factor", "best without a source"))
    moving = []
    for name, value in listed(driver, tuple(prefixes) or DECIDING).items():
        values = [value * factor for factor in FACTORS]
        scorer = scorers[name.startswith(DRAWING)]
        table = {v: scorer.by_source(driver, ["--set", "%s=%.6g" % (name, v)]) for v in values}
        sources = sorted(table[value])
        top, above = best(table, values, sources)
        without = {s: best(table, values, [other for other in sources if other != s])[0] for s in sources}
        moved = {s: v for s, v in without.items() if v != top}
        change = ", ".join("%s %.4g" % item for item in moved.items()) or "the same"
        print(line % (name, "%.4g" % value, "%.4g" % top, " ".join("%.2f" % a for a in above),
                      "flat" if max(above) < FLAT else change), flush=True)
        if moved and max(above) >= FLAT:
            moving.append(name)
    print("\nNot known (the best value moves, and it matters): %s" % (", ".join(moving) or "none"))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
