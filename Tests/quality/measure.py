#!/usr/bin/env python3
"""Measure puckd's location quality on the recorded tracks of PUCKD_SHARED, beside other methods, and check the bars.

  measure.py PUCKD WORK [PROFILE]

PUCKD is the program; WORK a directory for inputs and answers (those of the other methods are kept there). Every figure is of
`puckd replay`: "state" is the error at the first tick after each fix, at the grid's 10 frames a second; "drawn" the error over
all ticks of a run with 60 frames a second, as a screen shows them. Both are divided by the same of the raw fixes, each held
until the next. Errors are folded within a source, then over sources. Exits with 1 where a bar is missed.
"""
import os
import sys

import numpy as np

import runs
from runs import evaluate

SCREEN = 60


def answered(puckd, work, profile):
    """Every scenario's answers: puckd's state, puckd at a screen's rate, and each rival's."""
    inputs = os.path.join(work, "in")
    manifest = runs.write_inputs(os.path.join(runs.QUALITY, "data"), inputs)
    recorded = {name: note for name, note in manifest.items() if note["scenario"] == "base"}
    runs.rivals_all(runs.RIVALS, inputs, manifest, os.path.join(work, "rivals"))
    runs.replay_all(puckd, inputs, manifest, os.path.join(work, "state"), profile)
    runs.replay_all(puckd, inputs, recorded, os.path.join(work, "drawn"), profile, drawn=lambda note: SCREEN)
    return manifest


def score_all(work, manifest):
    """{method: {track: {scenario: scores}}} with the raw fixes as method "raw", and the tracks by name."""
    scores = {method: {} for method in ("raw", "puckd", "drawn", *runs.RIVALS)}
    tracks = {}
    for track in evaluate.load_tracks(os.path.join(runs.QUALITY, "data")):
        tracks[track.name] = track
        for scenario, fixes, note in evaluate.scenarios(track):
            name = "%s@%s.csv" % (track.name, scenario)
            paths = {"puckd": "state/%s.npy" % name, **{m: "rivals/%s/%s" % (m, name) for m in runs.RIVALS}}
            if scenario == "base":
                paths["drawn"] = "drawn/%s.npy" % name
            put(scores["raw"], track, scenario, runs.score_raw(track, scenario, note, fixes))
            for method, path in paths.items():
                answer = runs.read_answer(os.path.join(work, path))
                figures = runs.score(track, scenario, note, fixes, answer)
                if scenario == "base":
                    figures["inside"] = runs.inside(track, answer)
                put(scores[method], track, scenario, figures)
    return scores, tracks


def put(scores, track, scenario, figures):
    scores.setdefault(track.name, {})[scenario] = figures


class Figures:
    """One method's figures, folded."""

    def __init__(self, scores, tracks, method):
        self.sources = {name: track.source for name, track in tracks.items()}
        self.tracks, self.own, self.raw = tracks, scores[method], scores["raw"]
        self.shown = scores["drawn"] if method == "puckd" else self.own
        self.moving = [name for name, track in tracks.items() if track.kind != "static"]
        self.state = {name: self.own[name]["base"]["rms"] / self.raw[name]["base"]["rms"] for name in self.moving}
        self.drawn = {name: self.shown[name]["base"]["disp_rms"] / self.raw[name]["base"]["disp_rms"] for name in self.moving}

    def of(self, ratios, wanted):
        return runs.fold({name: ratios[name] for name in self.moving if wanted(self.tracks[name])}, self.sources, evaluate.gmean)

    def scenario(self, scenario, key, mean):
        return runs.fold({name: self.own[name][scenario][key] for name in self.moving if scenario in self.own[name]},
                         self.sources, mean)

    def parked(self, key):
        return runs.fold({name: self.own[name]["base"][key] for name in self.tracks if name not in self.moving},
                         self.sources, evaluate.mean)

    def by_source(self, values, mean):
        groups = {}
        for name, value in values.items():
            if np.isfinite(value):
                groups.setdefault(self.sources[name], []).append(value)
        return {source: mean(group) for source, group in groups.items()}

    def lines(self):
        """Name, value, and the bar: a number that may not be exceeded, or the least and the most."""
        shares = {name: 100 * self.own[name]["base"]["inside"] for name in self.tracks}
        inside = self.by_source(shares, evaluate.mean)
        return [
            ("state / raw, tracks with course", self.of(self.state, runs.has_course), 0.83),
            ("state / raw, tracks without course", self.of(self.state, lambda t: not runs.has_course(t)), 1.00),
            ("state / raw, boats", self.of(self.state, lambda t: t.kind == "boat"), 0.70),
            ("state / raw, worst source", max(self.by_source(self.state, evaluate.gmean).values()), 1.02),
            ("state / raw, worst track", max(self.state.values()), 1.05),
            ("drawn / raw, tracks with course", self.of(self.drawn, runs.has_course), 0.50),
            ("drawn / raw, all tracks", self.of(self.drawn, lambda t: True), None),
            ("false fixes: rms error, m", self.scenario("outlier", "rms", evaluate.gmean), 3.5),
            ("60 frames: jerk, m/s^3", self.scenario("frames", "jerk_rms", evaluate.gmean), 150),
            ("60 frames: backward steps, %", self.scenario("frames", "backward_pct", evaluate.mean), 0.5),
            ("gap of 1 s: growth, m", self.scenario("gap1", "grow_p50", evaluate.gmean), None),
            ("gap of 2 s: growth, m", self.scenario("gap2", "grow_p50", evaluate.gmean), None),
            ("gap of 5 s: growth, m", self.scenario("gap5", "grow_p50", evaluate.gmean), None),
            ("gap of 10 s: growth, m", self.scenario("gap10", "grow_p50", evaluate.gmean), None),
            ("setting off, s", self.scenario("base", "depart_delay_s", evaluate.mean), None),
            ("parked: path, m/h", self.parked("path_m_per_h"), 450),
            ("parked: flips of course, 1/h", self.parked("flips_per_h"), 5),
            ("parked: shown as moving, %", self.parked("moving_pct"), 1.5),
            ("truth within the radius, over sources, %", evaluate.mean(inside.values()) if inside else np.nan, (93, 97)),
            ("truth within the radius, least source, %", min(inside.values()) if inside else np.nan, (85, 100)),
        ]


def met(value, bar):
    if isinstance(bar, tuple):
        return bar[0] <= value <= bar[1]
    return value <= bar


def bar_text(bar):
    return "" if bar is None else "%g to %g" % bar if isinstance(bar, tuple) else "<= %g" % bar


def print_tracks(figures):
    """Each track's state and drawn beside the rivals', and its share within the radius."""
    own = figures["puckd"]
    head = ["state", "drawn", *("%s %s" % (kind, m) for kind in ("state", "drawn") for m in runs.RIVALS), "in radius"]
    print("%-28s %-10s" % ("error / raw", "source") + "".join("%16s" % h for h in head))
    for name in sorted(own.moving, key=lambda n: (own.sources[n], n)):
        cells = [own.state[name], own.drawn[name], *(figures[m].state[name] for m in runs.RIVALS),
                 *(figures[m].drawn[name] for m in runs.RIVALS), own.own[name]["base"]["inside"]]
        print("%-28s %-10s" % (name, own.sources[name]) + "".join("%16.3f" % c for c in cells))
    print()
    for source in sorted(set(own.sources[name] for name in own.moving)):
        cells = [f.by_source(values, evaluate.gmean)[source] for f, values in [
            (own, own.state), (own, own.drawn), *((figures[m], figures[m].state) for m in runs.RIVALS),
            *((figures[m], figures[m].drawn) for m in runs.RIVALS)]]
        print("%-28s %-10s" % ("", source) + "".join("%16.3f" % c for c in cells))


def print_bars(figures):
    """Each figure beside its bar and the rivals'; returns how many bars are missed."""
    missed = 0
    print("\n%-44s%10s%14s%8s" % ("figure", "puckd", "bar", "") + "".join("%12s" % m for m in runs.RIVALS))
    others = [figures[m].lines() for m in runs.RIVALS]
    for i, (name, value, bar) in enumerate(figures["puckd"].lines()):
        verdict = "" if bar is None else "met" if met(value, bar) else "MISSED"
        missed += verdict == "MISSED"
        print("%-44s%10.4g%14s%8s" % (name, value, bar_text(bar), verdict) + "".join("%12.4g" % o[i][1] for o in others))
    return missed


def main(puckd, work, profile="auto"):
    manifest = answered(puckd, work, profile)
    scores, tracks = score_all(work, manifest)
    figures = {method: Figures(scores, tracks, method) for method in ("puckd", *runs.RIVALS)}
    print_tracks(figures)
    missed = print_bars(figures)
    worse = {name: ratio for name, ratio in figures["puckd"].state.items() if ratio > 1.05}
    print("\nTracks of which puckd makes more than 1.05 of the raw error: %s" % (
        ", ".join("%s (%.3f)" % item for item in sorted(worse.items())) or "none"))
    print("Bars missed: %d" % missed)
    return 1 if missed or worse else 0


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
