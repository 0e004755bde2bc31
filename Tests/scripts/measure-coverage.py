#!/usr/bin/env python3
"""Print how often the truth is within the accuracy radius that puckd reports, on recorded tracks with a reference.

  measure-coverage.py QUALITY_DIRECTORY PUCKD INPUTS [PROFILE]

QUALITY_DIRECTORY contains evaluate.py, replay.py and data; INPUTS is the output of `evaluate.py inputs`. The script
checks one frame a second, starting ten seconds after the first fix. It averages over the tracks of each source, then
over sources.
"""
import csv
import datetime
import json
import subprocess
import sys

import numpy as np


def shown(puckd, rows, profile, gpsd_lines):
    """Instants, longitudes, latitudes and radii of the frames that puckd makes of a recording."""
    run = subprocess.run([puckd, "replay", "--rate", "10", "--profile", profile, "-"], check=True, capture_output=True,
                         text=True, input="\n".join(gpsd_lines(rows)) + "\n")
    frames = (json.loads(line) for line in run.stdout.splitlines())
    return np.array([(datetime.datetime.fromisoformat(f["time"].replace("Z", "+00:00")).timestamp(),
                      *f["puck"]["position"], f["puck"]["accuracy"]) for f in frames if "puck" in f]).T


def main(quality, puckd, inputs, profile="auto"):
    sys.path.insert(0, quality)
    import evaluate
    from replay import gpsd_lines
    sources, inside_all, count_all = {}, 0, 0
    for track in evaluate.load_tracks(quality + "/data"):
        if track.pseudo:  # its own fixes, smoothed, stand in for a reference: they say nothing of its error
            continue
        with open("%s/%s@base.csv" % (inputs, track.name), newline="") as f:
            t, longitude, latitude, radius = shown(puckd, list(csv.DictReader(f)), profile, gpsd_lines)
        seconds = np.arange(np.ceil(t[0] + 10), t[-1])
        at = np.searchsorted(t, seconds + 1e-3) - 1
        east, north = track.plane.en(latitude[at], longitude[at])
        true_east, true_north = track.truth.at(seconds)[:2]
        error = np.hypot(east - true_east, north - true_north)
        known = np.isfinite(error)
        inside = (error <= radius[at])[known]
        if not len(inside):
            continue
        inside_all, count_all = inside_all + inside.sum(), count_all + len(inside)
        sources.setdefault(track.source, []).append(inside.mean())
        print("%-24s %5.1f %%  median error %6.1f m, median radius %6.1f m" % (
            track.name, 100 * inside.mean(), np.median(error[known]), np.median(radius[at])))
    folded = {name: np.mean(shares) for name, shares in sources.items()}
    least = min(folded, key=folded.get)
    print("truth within the radius: %.1f %% over sources, %.1f %% of all seconds; least %.1f %% (%s)" % (
        100 * np.mean(list(folded.values())), 100 * inside_all / count_all, 100 * folded[least], least))


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    main(*sys.argv[1:])
