#!/usr/bin/env python3
"""Write the simulated recordings of Tests/golden: what `gpspipe -w -uu` would have written.

  make-golden-recordings.py DIRECTORY

Each recording combines a motion, a receiver with its errors, and faults. They are stored as files, so that a golden
result depends only on puckd. After you change the recordings, write the golden results again too (docs/quality.md).
"""
import datetime
import json
import math
import random
import sys

BEGIN = 1772280000  # 2026-02-28T12:00:00Z
METRES_PER_DEGREE = 111195.0


def stamp(t):
    return datetime.datetime.fromtimestamp(t, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


class Motion:
    """Legs of (seconds, acceleration m/s², turn °/s), from a heading and a speed."""

    def __init__(self, heading, speed, legs):
        self.heading, self.speed, self.legs = heading, speed, legs

    def at(self, times):
        """(t, east, north, speed, heading) at each of the times, integrated by 10 ms."""
        e = n = t = 0.0
        speed, heading = self.speed, self.heading
        legs = [list(leg) for leg in self.legs]
        for want in times:
            while t < want - 1e-9:
                if legs and legs[0][0] <= 1e-9:
                    legs.pop(0)
                _, acceleration, turn = legs[0] if legs else (0, 0, 0)
                speed = max(0.0, speed + 0.01 * acceleration)
                heading = (heading + 0.01 * turn) % 360
                e += 0.01 * speed * math.sin(math.radians(heading))
                n += 0.01 * speed * math.cos(math.radians(heading))
                t += 0.01
                if legs:
                    legs[0][0] -= 0.01
            yield want, e, n, speed, heading


class Receiver:
    """Errors that are correlated over a minute, plus a little noise."""

    def __init__(self, seed, slow=1.5, fast=0.1, velocity=0.05):
        self.random = random.Random(seed)
        self.slow, self.fast, self.velocity = slow, fast, velocity
        self.error = [self.random.gauss(0, slow), self.random.gauss(0, slow)]
        self.last = 0.0

    def see(self, t, e, n):
        keep = math.exp(-(t - self.last) / 60)
        self.last = t
        self.error = [keep * x + self.slow * math.sqrt(1 - keep * keep) * self.random.gauss(0, 1) for x in self.error]
        return [x + y + self.random.gauss(0, self.fast) for x, y in zip((e, n), self.error)]


def line(arrival, report):
    return "%.6f: %s" % (BEGIN + arrival, json.dumps(report, separators=(",", ":")))


def position(t, e, n, origin, **more):
    longitude, latitude = origin
    east = METRES_PER_DEGREE * math.cos(math.radians(latitude))
    report = {"class": "TPV", "device": "/dev/ttyACM0", "mode": 3, "time": stamp(BEGIN + t),
              "lat": round(latitude + n / METRES_PER_DEGREE, 9), "lon": round(longitude + e / east, 9)}
    report.update(more)
    return report


def moving(receiver, speed, heading):
    """Speed and track as a receiver reports them. At a standstill, the track of its last motion."""
    e = speed * math.sin(math.radians(heading)) + receiver.random.gauss(0, receiver.velocity)
    n = speed * math.cos(math.radians(heading)) + receiver.random.gauss(0, receiver.velocity)
    return {"speed": round(math.hypot(e, n), 3), "track": round(math.degrees(math.atan2(e, n)) % 360, 4)}


def car():
    """A car at 1 Hz, 0.15 s late: start, turn, 25 s red light, two false fixes, 14 s tunnel with a bend."""
    motion = Motion(40, 0, [(8, 0, 0), (7, 2, 0), (12, 0, 0), (6, 0, 15), (10, 0, 0), (5, -2.8, 0), (25, 0, 0), (7, 2, 0),
                            (20, 0, 0), (10, 0, 4), (30, 0, 0)])
    receiver = Receiver(1)
    for t, e, n, speed, heading in motion.at(range(140)):
        e, n = receiver.see(t, e, n)
        if 101 <= t < 115:
            continue
        if t in (30, 92):
            e, n = e + 70, n - 45
        yield line(t + 0.15, position(t, e, n, (8.5417, 47.3769), altHAE=450.0, eph=4.2, **moving(receiver, speed, heading)))


def walk():
    """A walk at 1 Hz with positions only, a rest, and a jump of 15 m caused by reflections."""
    motion = Motion(200, 1.4, [(40, 0, 0), (9, 0, -10), (20, 0, 0), (1, -1.4, 0), (30, 0, 0), (1, 1.4, 0), (40, 0, 1)])
    receiver = Receiver(2, slow=2.5, fast=0.05)
    for t, e, n, speed, _ in motion.at(range(140)):
        e, n = receiver.see(t, e, n)
        if t >= 55:
            e += 15
        yield line(t, position(t, e, n, (-0.1276, 51.5072), altHAE=80.0))


def boat():
    """A boat at 5 Hz across the antimeridian, with a compass 12° off its course, and fixes 0.1 s late."""
    motion = Motion(95, 3, [(30, 0, 0), (20, 0, 2.5), (30, 0.02, 0), (20, 0, -3)])
    receiver = Receiver(3, slow=1.0, fast=0.15, velocity=0.2)
    for t, e, n, speed, heading in motion.at([k / 5 for k in range(500)]):
        e, n = receiver.see(t, e, n)
        report = position(t, e, n, (179.9985, -17.8), altHAE=60.0, **moving(receiver, speed, heading))
        report["lon"] = round((report["lon"] + 180) % 360 - 180, 9)
        yield line(t + 0.1, report)
        if round(t * 5) % 2 == 0:
            yaw = 4 * math.sin(t / 1.7)
            yield line(t + 0.1, {"class": "ATT", "device": "/dev/ttyACM0", "heading": round((heading + 12 + yaw) % 360, 2)})


def bike():
    """A bicycle with fixes at irregular times, 0.2 to 3 s apart, and worse reception under trees."""
    motion = Motion(300, 5, [(30, 0, 0), (12, 0.1, 5), (30, 0, 0), (10, -0.6, 0), (15, 0, 0), (10, 0.5, -6)])
    receiver = Receiver(4, slow=2.0, fast=0.3, velocity=0.1)
    times, t = [], 0.0
    while t < 110:
        times.append(round(t, 2))
        t += receiver.random.uniform(0.2, 3)
    for t, e, n, speed, heading in motion.at(times):
        e, n = receiver.see(t, e, n)
        trees = 40 < t < 70
        if trees:
            e, n = e + receiver.random.gauss(0, 4), n + receiver.random.gauss(0, 4)
        yield line(t, position(t, e, n, (13.4, 52.52), altHAE=70.0, eph=14.0 if trees else 5.0,
                               **moving(receiver, speed, heading)))


def trip():
    """Half a day with a fix every 10 s: home, 40 km away, an hour there, and home again. For approximate location."""
    motion = Motion(60, 0, [(3600, 0, 0), (20, 1, 0), (1980, 0, 0), (20, -1, 0), (3600, 0, 0), (2, 0, 90), (20, 1, 0),
                            (1980, 0, 0), (20, -1, 0), (3600, 0, 0)])
    receiver = Receiver(5, slow=3.0, fast=0.5)
    for t, e, n, speed, heading in motion.at(range(0, 14800, 10)):
        e, n = receiver.see(t, e, n)
        yield line(t, position(t, e, n, (11.5761, 48.1372), altHAE=520.0, eph=8.0, **moving(receiver, speed, heading)))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for recording in (car, walk, boat, bike, trip):
        with open("%s/%s.json" % (sys.argv[1], recording.__name__), "w") as f:
            f.writelines(text + "\n" for text in recording())
