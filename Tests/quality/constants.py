#!/usr/bin/env python3
"""Ask of each tuned constant of the position filter whether the recordings know its value.

  constants.py DRIVER WORK [PREFIX]...

DRIVER is what build_driver.py built. WORK is a directory for inputs and answers; it may be measure.py's. Each constant whose
name begins with a PREFIX (default: all) is tried at a half to twice its value, and judged by what it decides:

  state    error / raw, just after each fix: what decides where the puck is
  drawn    error / raw, over all ticks of 60 a second: what decides how it goes on between fixes
  jerk     of 60 frames a second: how corrections are worked in
  course   error of the course, on tracks that have one
  radius   how far the share of seconds with the truth inside is from 95 %

Printed: the value; the best of those tried; how far the mean over sources is above the best at each, in per cent (of the
figure; for the radius, in points); and what to think of it. "fitted to SOURCE": the value is good on all sources, but without
that one another value is better by more than a limit, so it is not known. "weighed": another value is better by more than the
limit on all sources; the constant serves another figure, too. Exits with 1 where a value is fitted to one source.
"""
import os
import subprocess
import sys

import numpy as np

import runs
from runs import evaluate

# Which judge a constant has, by the beginning of its name; the first that fits counts.
JUDGES = (("blend.", ("drawn", "jerk")), ("forecast.", ("drawn",)), ("coasting.", ("drawn",)), ("course.", ("course",)),
          ("accuracy.", ("radius",)), ("spread.", ("radius",)), ("estimator.leap", ("radius",)), ("estimator.longestLeap", ("radius",)),
          ("gate.step", ("radius",)), ("", ("state",)))
FACTORS = (0.5, 0.71, 1.0, 1.41, 2.0)
# How far above the best a value may be, without any one source: per cent, or points.
LIMITS = {"state": 0.5, "drawn": 0.5, "jerk": 5, "course": 2, "radius": 1}


def percent(value):
    """A logarithm of which differences are per cent."""
    return 100 * np.log(value)


class Judge:
    """Every recording that it scores, and how."""

    def __init__(self, kind, work):
        self.kind, self.work, self.cases = kind, work, []
        self.scenario = "frames" if kind == "jerk" else "base"
        self.frames = 10 if kind in ("state", "radius") else 60
        self.manifest = runs.write_inputs(os.path.join(runs.QUALITY, "data"), os.path.join(work, "in"))
        for track in evaluate.load_tracks(os.path.join(runs.QUALITY, "data")):
            for scenario, fixes, note in evaluate.scenarios(track):
                if scenario == self.scenario and self.judges(track):
                    self.cases.append((track, fixes, note, runs.score_raw(track, scenario, note, fixes)))

    def judges(self, track):
        if self.kind == "radius":
            return not track.pseudo
        return track.kind != "static" and (self.kind != "course" or runs.has_course(track))

    def by_source(self, driver, options):
        """What is to be small, by source, for a filter with those options."""
        out = os.path.join(self.work, "constants-%d" % os.getpid())
        os.makedirs(out, exist_ok=True)
        names = ["%s@%s.csv" % (track.name, self.scenario) for track, *_ in self.cases]
        jobs = ["%s/in/%s %s/%s %g %d" % (self.work, name, out, name, note["rate_hz"], max(note["rate_hz"], self.frames))
                for name, (_, _, note, _) in zip(names, self.cases)]
        processes = [subprocess.Popen([driver, *options], stdin=subprocess.PIPE, text=True) for _ in range(2)]
        for i, process in enumerate(processes):
            process.stdin.write("\n".join(jobs[i::2]) + "\n")
            process.stdin.close()
        if any(process.wait() for process in processes):
            sys.exit("%s failed" % driver)
        figures = {}
        for name, case in zip(names, self.cases):
            figures.setdefault(case[0].source, []).append(self.figure(case, os.path.join(out, name)))
        means = {source: np.nanmean(values) for source, values in figures.items() if np.isfinite(values).any()}
        # The share inside is of a whole source, since errors hang together for as long as a track lasts.
        return {s: abs(mean - 95) for s, mean in means.items()} if self.kind == "radius" else means

    def figure(self, case, path):
        track, fixes, note, raw = case
        answer = runs.Answer(np.fromfile(path).reshape(-1, 7)[:, :6])
        if self.kind == "radius":
            return 100 * runs.inside(track, answer)
        score = runs.score(track, self.scenario, note, fixes, answer)
        if self.kind == "jerk":
            return percent(score["jerk_rms"])
        if self.kind == "course":
            return percent(score["course_rms"]) if score.get("course_rms", 0) > 0 else np.nan
        key = "disp_rms" if self.kind == "drawn" else "rms"
        return percent(score[key] / raw[key])


def listed(driver, prefixes):
    lines = subprocess.run([driver, "--list"], check=True, capture_output=True, text=True).stdout.splitlines()
    pairs = (line.split() for line in lines)
    return {name: float(value) for name, value in pairs if name.startswith(prefixes) and float(value) != 0}


def judged_by(name):
    return next(kinds for beginning, kinds in JUDGES if name.startswith(beginning))


def best(table, values, sources):
    """The best of the values for those sources, and how far each is above it."""
    means = np.array([np.mean([table[v][s] for s in sources]) for v in values])
    return values[int(np.argmin(means))], means - means.min()


def ask(judge, driver, name, value):
    """Prints a constant's line; returns whether its value is fitted to one source."""
    values, limit, own = [value * factor for factor in FACTORS], LIMITS[judge.kind], FACTORS.index(1.0)
    table = {v: judge.by_source(driver, ["--set", "%s=%.6g" % (name, v)]) for v in values}
    sources = sorted(table[value])
    top, above = best(table, values, sources)
    without = {s: best(table, values, [other for other in sources if other != s]) for s in sources}
    fitted = ["fitted to %s: without it %.4g, by %.2f" % (s, other, height[own])
              for s, (other, height) in without.items() if above[own] <= limit < height[own]]
    verdict = "weighed" if above[own] > limit else "; ".join(fitted)
    print("%-32s%-8s%10s%10s  %-36s%s" % (name, judge.kind, "%.4g" % value, "%.4g" % top, " ".join("%.2f" % a for a in above),
                                          verdict), flush=True)
    return bool(fitted)


def main(driver, work, *prefixes):
    judges, fitted = {}, []
    print("%-32s%-8s%10s%10s  %-36s%s" % ("constant", "judge", "value", "best", "above the best, by factor", "verdict"))
    for name, value in listed(driver, tuple(prefixes) or ("",)).items():
        for kind in judged_by(name):
            if kind not in judges:
                judges[kind] = Judge(kind, work)
            if ask(judges[kind], driver, name, value):
                fitted.append("%s (%s)" % (name, kind))
    print("\nFitted to one source: %s" % (", ".join(fitted) or "none"))
    return 1 if fitted else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
