"""`puckd replay` over a day at 10 Hz, compared with a Python Kalman filter (filterpy) over the same lines."""
import json
import math
import os
import random
import subprocess
import sys
import time

from rig import BUILD, TOOLS

RATE = 10
DAY = 86_400


def recording(seconds):
    """A file of gpsd's lines: a drive through a town at varying speed, with a receiver's errors. Always the same."""
    path = TOOLS / f"{seconds}s.json"
    if path.exists():
        return path
    noise = random.Random(1)
    latitude, longitude, course = 48.1, 11.5, 0.0
    with open(path.with_suffix(".part"), "w") as out:
        for k in range(seconds * RATE):
            t = k / RATE
            # A stop of 20 s every 4 minutes.
            speed = 0.0 if t % 240 > 220 else 12 + 4 * math.sin(t / 37)
            course = (course + 3 * math.sin(t / 23) / RATE * (speed > 0)) % 360
            latitude += speed / RATE * math.cos(math.radians(course)) / 111_195
            longitude += speed / RATE * math.sin(math.radians(course)) / 111_195 / math.cos(math.radians(latitude))
            hour, minute, second = k // RATE // 3600 % 24, k // RATE // 60 % 60, k // RATE % 60
            day = 1 + k // RATE // DAY
            out.write(
                f'{{"class":"TPV","device":"/dev/ttyUSB0","mode":3,'
                f'"time":"2026-06-{day:02}T{hour:02}:{minute:02}:{second:02}.{k % RATE}00Z","ept":0.005,'
                f'"lat":{latitude + noise.gauss(0, 8e-6):.9f},"lon":{longitude + noise.gauss(0, 1.2e-5):.9f},'
                f'"altHAE":486.0,"altMSL":440.0,"alt":440.0,"epx":3.1,"epy":4.2,"epv":7.9,"track":{course:.4f},'
                f'"speed":{max(0, speed + noise.gauss(0, 0.1)):.3f},"climb":0.000,"eps":0.80}}\n')
    path.with_suffix(".part").rename(path)
    return path


def most_resident(pid):
    """The peak resident memory of a process, kB; None after its end."""
    for line in open(f"/proc/{pid}/status"):
        if line.startswith("VmHWM"):
            return int(line.split()[1])


def replayed(path, rate):
    """Processor seconds, peak resident kB, and frames."""
    process = subprocess.Popen(
        [BUILD / "puckd", "replay", "--rate", str(rate), "--view", "followWithCourse", path], stdout=subprocess.PIPE)
    counter = subprocess.Popen(["wc", "-l"], stdin=process.stdout, stdout=subprocess.PIPE, text=True)
    process.stdout.close()
    # Not ru_maxrss: it starts with the resident memory of this program at the fork.
    resident = 0
    while counter.poll() is None:
        resident = most_resident(process.pid) or resident
        time.sleep(0.05)
    frames = int(counter.stdout.read())
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status:
        raise SystemExit(f"bench: puckd replay failed: {status}")
    return usage.ru_utime + usage.ru_stime, resident, frames


def peer(path):
    """Epochs per second of processor time for filterpy with constant velocity, without output; and its version."""
    import filterpy
    import numpy
    from filterpy.kalman import KalmanFilter

    f = KalmanFilter(dim_x=4, dim_z=2)
    dt = 1 / RATE
    f.F = numpy.array([[1, 0, dt, 0], [0, 1, 0, dt], [0, 0, 1, 0], [0, 0, 0, 1]])
    f.H = numpy.array([[1.0, 0, 0, 0], [0, 1, 0, 0]])
    f.Q = numpy.eye(4) * 0.1
    f.P *= 100
    begun = time.process_time()
    origin = None
    epochs = 0
    with open(path) as lines:
        for line in lines:
            epochs += 1
            report = json.loads(line)
            origin = origin or (report["lat"], report["lon"])
            f.R = numpy.diag([report["epx"] ** 2, report["epy"] ** 2])
            f.predict()
            f.update([
                (report["lon"] - origin[1]) * 111_195 * math.cos(math.radians(origin[0])),
                (report["lat"] - origin[0]) * 111_195])
    return epochs / (time.process_time() - begun), filterpy.__version__


def report(seconds):
    path = recording(seconds)
    epochs = seconds * RATE
    yield f"Pipeline: puckd replay, {epochs:,} epochs at 10 Hz (bar: a day at 60 frames/s in 30 s, flat memory)"
    yield "| | processor s | epochs/s | frames/s | most resident, kB |"
    yield "|---|--:|--:|--:|--:|"
    short = recording(seconds // 10)  # it is enough for Python
    for name, file, count, rate in (
        ("a tenth of it, 60 frames/s", short, epochs // 10, 60),
        ("60 frames/s", path, epochs, 60),
        ("a frame with each fix", path, epochs, "fix"),
    ):
        used, resident, frames = replayed(file, rate)
        yield f"| {name} | {used:.1f} | {count / used:,.0f} | {frames / used:,.0f} | {resident:,} |"
    rate, version = peer(short)
    yield f"| filterpy {version}, Python {sys.version.split()[0]}, filter only | | {rate:,.0f} | none | |"
