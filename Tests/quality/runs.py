"""What the measuring programs share: recordings, puckd's and other methods' answers to them, and their scores."""
import contextlib
import datetime
import io
import json
import multiprocessing
import os
import subprocess
import sys

import numpy as np

SHARED = os.environ.get("PUCKD_SHARED", os.path.join(os.path.dirname(__file__), "../../../shared"))
QUALITY = os.path.join(SHARED, "quality")
sys.path.insert(0, QUALITY)
import baseline  # noqa: E402
import evaluate  # noqa: E402
import replay  # noqa: E402

RIVALS = ("reckoning", "kalman", "window")
EPOCH = datetime.datetime(1970, 1, 1)


class Answer:
    """What is shown at each tick: time (s), latitude, longitude, speed, course, radius; NaN where unknown."""

    def __init__(self, rows):
        self.t, self.lat, self.lon, self.speed, self.course, self.radius = np.asarray(rows, float).reshape(-1, 6).T


def pool():
    return multiprocessing.Pool(os.cpu_count())


def seconds(text):
    """Of an RFC 3339 time in UTC, since 1970."""
    return (datetime.datetime.fromisoformat(text.rstrip("Z")) - EPOCH).total_seconds()


def write_inputs(data, directory):
    """Writes evaluate.py's inputs for recordings, unless they are there; returns its manifest."""
    manifest = os.path.join(directory, "manifest.json")
    newest = max(os.path.getmtime(os.path.join(data, name)) for name in os.listdir(data))
    if not os.path.exists(manifest) or os.path.getmtime(manifest) < newest:
        subprocess.run([sys.executable, os.path.join(QUALITY, "evaluate.py"), "inputs", "--data", data, "--out", directory],
                       check=True, stderr=subprocess.DEVNULL)
    with open(manifest) as f:
        return json.load(f)


def replayed(puckd, source, rate, frames, profile):
    """puckd's answer to an input, on ticks of `rate` a second, if it draws `frames` a second."""
    rows = read_rows(source)
    run = subprocess.run([puckd, "replay", "--rate", "%g" % max(rate, frames), "--accuracy", "precise", "--profile", profile, "-"],
                         input="\n".join(replay.gpsd_lines(rows)) + "\n", capture_output=True, text=True)
    if run.returncode:
        sys.exit("%s: puckd replay ends with %d: %s" % (source, run.returncode, run.stderr[-2000:]))
    shown = [(-np.inf, float(rows[0]["lat"]), float(rows[0]["lon"]), np.nan, np.nan, np.nan)]
    for line in run.stdout.splitlines():
        frame = json.loads(line)
        puck = frame.get("puck")
        if frame.get("type") == "frame" and puck:
            longitude, latitude = puck["position"][:2]
            shown.append((seconds(frame["time"]), latitude, longitude, puck.get("speed", np.nan), puck.get("course", np.nan),
                          puck["accuracy"]))
    shown = np.array(shown)
    arrivals = np.array([float(row["arrival_unix_s"]) for row in rows])
    ticks = evaluate.grid({"arrival_unix_s": arrivals}, rate)
    held = shown[np.searchsorted(shown[:, 0], ticks + 2e-3, side="right") - 1]
    held[:, 0] = ticks
    return held


def read_rows(path):
    with open(path, newline="") as f:
        return list(evaluate.csv.DictReader(f))


def replay_job(job):
    puckd, source, target, rate, frames, profile = job
    np.save(target, replayed(puckd, source, rate, frames, profile))


def replay_all(puckd, inputs, manifest, out, profile="auto", drawn=lambda note: 0):
    """Answers every input with `puckd replay`, the longest first. `drawn`: frames a second asked for beyond the grid's rate."""
    os.makedirs(out, exist_ok=True)
    jobs = [(puckd, os.path.join(inputs, name), os.path.join(out, name + ".npy"), note["rate_hz"], drawn(note), profile)
            for name, note in manifest.items()]
    jobs.sort(key=lambda job: -os.path.getsize(job[1]) * max(job[3:5]))
    with pool() as workers:
        workers.map(replay_job, jobs, chunksize=1)


def rival_job(job):
    with contextlib.redirect_stderr(io.StringIO()), np.errstate(all="ignore"):
        baseline.one(job)


def rivals_all(methods, inputs, manifest, out):
    """Answers every input with each rival method, unless that is newer than the input."""
    jobs = []
    for method in methods:
        os.makedirs(os.path.join(out, method), exist_ok=True)
        for name, note in manifest.items():
            source, target = os.path.join(inputs, name), os.path.join(out, method, name)
            if not os.path.exists(target) or os.path.getmtime(target) < os.path.getmtime(source):
                jobs.append((method, source, target, note["rate_hz"]))
    jobs.sort(key=lambda job: -os.path.getsize(job[1]))
    with pool() as workers:
        workers.map(rival_job, jobs, chunksize=1)


def read_answer(path):
    """An answer that was written by replay_all, by a rival method, or by the filter's driver."""
    if path.endswith(".npy"):
        return Answer(np.load(path))
    if path.endswith(".csv"):
        d = evaluate.read_csv(path)
        nothing = np.full(len(d["lat"]), np.nan)
        return Answer(np.c_[d["time_unix_s"], d["lat"], d["lon"], d["speed"], d["course"], nothing])
    return Answer(np.fromfile(path).reshape(-1, 7)[:, :6])


def score(track, scenario, note, fixes, answer):
    """evaluate.py's score of an answer."""
    east, north = track.plane.en(answer.lat, answer.lon)
    with np.errstate(all="ignore"):
        return evaluate.score_one(track, scenario, note, fixes, (answer.t, east, north, answer.speed, answer.course))


def score_raw(track, scenario, note, fixes):
    """evaluate.py's score of the fixes themselves, each held until the next."""
    with np.errstate(all="ignore"):
        return evaluate.score_one(track, scenario, note, fixes, evaluate.raw_answer(track, fixes, note))


def inside(track, answer):
    """The share of seconds, from the tenth on, in which the truth lies within the radius; NaN without a reference."""
    if track.pseudo:  # its own fixes, smoothed, stand in for the reference: they say nothing of its error
        return np.nan
    known = np.isfinite(answer.radius)
    if not known.any():
        return np.nan
    t, lat, lon, radius = (x[known] for x in (answer.t, answer.lat, answer.lon, answer.radius))
    when = np.arange(np.ceil(t[0] + 10), t[-1])
    at = np.searchsorted(t, when + 1e-3) - 1
    east, north = track.plane.en(lat[at], lon[at])
    true_east, true_north = track.truth.at(when)[:2]
    error = np.hypot(east - true_east, north - true_north)
    judged = np.isfinite(error)
    return float(np.mean(error[judged] <= radius[at][judged])) if judged.any() else np.nan


def has_course(track):
    return bool(np.isfinite(track.fix["course_deg"]).any())


def fold(values, sources, mean):
    """The mean over sources of the means within each, so that no source dominates."""
    values = {name: value for name, value in values.items() if np.isfinite(value)}
    return evaluate.by_source(values, sources, mean) if values else float("nan")
