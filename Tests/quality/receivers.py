"""Simulated receivers of many kinds, on motions that are known: what simulate.py measures with.

A motion is positions and velocities (m, m/s, east and north) 20 times a second. A kind takes a random generator and returns a
Recording: what the receiver says of such a motion. Numbers are drawn anew for each recording, within what receivers do.
"""
import dataclasses
import math

import numpy as np

STEP = 0.05


@dataclasses.dataclass
class Motion:
    t: np.ndarray  # s
    p: np.ndarray  # m, two columns
    v: np.ndarray  # m/s


@dataclasses.dataclass
class Recording:
    motion: Motion
    t: np.ndarray  # s, when each fix is true
    arrival: np.ndarray
    p: np.ndarray  # m, as the receiver says
    speed: np.ndarray  # m/s; NaN where it says none
    course: np.ndarray  # degrees
    eph: np.ndarray  # m


# ---------------------------------------------------------------- motions


def along(speed, turn):
    """The motion of a vehicle with that speed (m/s) and rate of turn (rad/s) at each step."""
    course = np.cumsum(turn) * STEP
    v = np.c_[speed * np.sin(course), speed * np.cos(course)]
    return Motion(np.arange(len(speed)) * STEP, np.cumsum(v, axis=0) * STEP, v)


def towards(targets, rate):
    """A value that goes to each step's target at no more than `rate` a second."""
    out, value = np.empty(len(targets)), targets[0]
    for i, target in enumerate(targets):
        value += np.clip(target - value, -rate * STEP, rate * STEP)
        out[i] = value
    return out


def pieces(rng, seconds, length, draw):
    """Targets that are drawn anew every so often."""
    out = np.empty(0)
    while len(out) < seconds / STEP:
        out = np.r_[out, np.full(int(rng.uniform(*length) / STEP), draw())]
    return out[:int(seconds / STEP)]


def drive(rng, seconds=300, stops=0.2, fastest=15.0, length=(8, 30)):
    speed = pieces(rng, seconds, length, lambda: 0.0 if rng.random() < stops else rng.uniform(3, fastest))
    speed = towards(speed, rng.uniform(1, 2.5))
    turn = towards(pieces(rng, seconds, (2, 12), lambda: rng.choice([0, 0, rng.uniform(-.25, .25)])), 0.3)
    return along(speed, turn * (speed > 0.5))


def walk(rng, seconds=300, pace=1.4, stops=0.15):
    speed = pieces(rng, seconds, (10, 40), lambda: 0.0 if rng.random() < stops else pace * rng.uniform(.8, 1.2))
    turn = towards(pieces(rng, seconds, (2, 15), lambda: rng.choice([0, 0, rng.uniform(-.6, .6)])), 1.0)
    return along(towards(speed, 1.0), turn)


def ride(rng, seconds=300):
    return drive(rng, seconds, stops=0.08, fastest=8.0)


def sail(rng, seconds=300):
    speed = towards(pieces(rng, seconds, (20, 60), lambda: rng.uniform(1, 4)), 0.15)
    turn = towards(pieces(rng, seconds, (10, 60), lambda: rng.choice([0, 0, 0, rng.uniform(-.15, .15)])), 0.1)
    return along(speed, turn)


def swing(rng, seconds=300):
    """A yacht that swings about its anchor."""
    t = np.arange(0, seconds, STEP)
    reach, period, phase = rng.uniform(4, 20, 2), rng.uniform(60, 300, 2), rng.uniform(0, 2 * math.pi, 2)
    w = 2 * math.pi / period
    return Motion(t, reach * np.sin(w * t[:, None] + phase), reach * w * np.cos(w * t[:, None] + phase))


def adrift(rng, seconds=300):
    return along(towards(pieces(rng, seconds, (60, 120), lambda: rng.uniform(.1, .6)), .02),
                 np.full(int(seconds / STEP), rng.uniform(-.005, .005)))


def parked(rng, seconds=300):
    t = np.arange(0, seconds, STEP)
    return Motion(t, np.zeros((len(t), 2)), np.zeros((len(t), 2)))


# ---------------------------------------------------------------- receivers


def wander(rng, t, sigma, memory):
    """An error that hangs together over `memory` seconds (Gauss-Markov)."""
    out = np.empty((len(t), 2))
    out[0] = sigma * rng.normal(size=2)
    for i in range(1, len(t)):
        keep = math.exp(-(t[i] - t[i - 1]) / memory)
        out[i] = keep * out[i - 1] + sigma * math.sqrt(1 - keep * keep) * rng.normal(size=2)
    return out


def observe(rng, motion, hz=1.0, slow=None, memory=None, white=0.05, doppler=0.05, eph=3.0):
    """What a sound receiver says: a slow error, little noise, a velocity that is nearly right."""
    t = np.arange(motion.t[0] + rng.uniform(0, 1 / hz), motion.t[-1], 1 / hz)
    i = np.minimum(np.round(t / STEP).astype(int), len(motion.t) - 1)
    slow = rng.uniform(1, 4) if slow is None else slow
    memory = rng.uniform(40, 200) if memory is None else memory
    p = motion.p[i] + wander(rng, t, slow, memory) + white * rng.normal(size=(len(t), 2))
    v = motion.v[i] + doppler * rng.normal(size=(len(t), 2))
    r = Recording(motion, t, t.copy(), p, None, None, np.full(len(t), eph))
    return said(r, v)


def said(r, v):
    """Says a velocity as speed and course."""
    r.speed, r.course = np.hypot(*v.T), np.degrees(np.arctan2(v[:, 0], v[:, 1])) % 360
    return r


def without(r, *names):
    for name in names:
        setattr(r, name, np.full(len(r.t), np.nan))
    return r


def quantised(values, step):
    return np.round(values / step) * step


def keep(r, chosen):
    for name in ("t", "arrival", "p", "speed", "course", "eph"):
        setattr(r, name, getattr(r, name)[chosen])
    return r


# ---------------------------------------------------------------- kinds


def marine(rng, motion):
    """Coarse NMEA: 0.001 minutes, 0.1 knots, whole degrees, no error estimate."""
    r = observe(rng, motion, white=rng.uniform(.3, 1.5), doppler=rng.uniform(.05, .15))
    r.p, r.speed, r.course = quantised(r.p, 1.85), quantised(r.speed, .0514), quantised(r.course, 1.0)
    return without(r, "eph")


def yacht_at_anchor(rng):
    return marine(rng, swing(rng))


def yacht_adrift(rng):
    return marine(rng, adrift(rng))


def yacht_sailing(rng):
    return marine(rng, sail(rng))


def watch_without_course(rng):
    r = observe(rng, rng.choice([walk, ride])(rng), white=rng.uniform(.05, .6), doppler=.1)
    return without(r, "course", "eph")


def lying_doppler(rng):
    """On foot, with a speed that is wrong by a factor: receivers smooth it for cars."""
    r = observe(rng, walk(rng), white=rng.uniform(.1, 1))
    r.speed = r.speed * rng.uniform(.2, 1.5)
    return r


def cold_start(rng):
    """Slides to where it is for a while, and says speed 0 as it does."""
    motion = rng.choice([parked, walk, drive])(rng)
    still = int(rng.uniform(20, 60) / STEP)
    p = np.r_[np.repeat(motion.p[:1], still, axis=0), motion.p][:len(motion.t)]
    v = np.r_[np.zeros((still, 2)), motion.v][:len(motion.t)]
    r = observe(rng, Motion(motion.t, p, v))
    way = rng.uniform(20, 200) * np.exp(-r.t / rng.uniform(5, 15))
    angle = rng.uniform(0, 2 * math.pi)
    r.p = r.p + way[:, None] * [math.sin(angle), math.cos(angle)]
    r.speed[r.t < still * STEP] = 0
    return r


def float_rtk(rng):
    """Decimetres off, and slips by decimetres to metres."""
    r = observe(rng, rng.choice([walk, drive])(rng), hz=rng.choice([1, 5]), slow=.1, white=.01, doppler=.02, eph=.3)
    slips = np.zeros((len(r.t), 2))
    when = rng.uniform(5, 40)
    while when < r.t[-1]:
        slips[r.t >= when] = rng.normal(size=2) * rng.choice([.2, .6, 2.0])
        when += rng.uniform(10, 60)
    r.p = r.p + slips
    return r


def street(rng, announced):
    """Reflections: a bias for a while, and leaps by a street."""
    r = observe(rng, rng.choice([walk, ride, drive])(rng), slow=rng.uniform(2, 5), white=rng.uniform(.2, 1.5), doppler=.15, eph=5.0)
    when = rng.uniform(15, 40)
    while when < r.t[-1]:
        lasts, leap = rng.uniform(2, 60), rng.random() < .4
        off = rng.uniform(20, 50) if leap else rng.uniform(4, 15)
        angle, during = rng.uniform(0, 2 * math.pi), (r.t >= when) & (r.t < when + lasts)
        r.p[during] += off * np.array([math.sin(angle), math.cos(angle)])
        if announced:
            r.eph[during] *= rng.uniform(3, 8)
        when += lasts + rng.uniform(10, 60)
    return r


def street_announced(rng):
    return street(rng, True)


def street_silent(rng):
    return street(rng, False)


def street_position_only(rng):
    return without(street(rng, rng.random() < .5), "speed", "course")


def position_only(rng):
    r = observe(rng, rng.choice([walk, ride, drive])(rng), white=rng.uniform(.02, .8))
    return without(r, "speed", "course", *(["eph"] if rng.random() < .5 else []))


def five_hertz(rng):
    return observe(rng, drive(rng), hz=5, white=rng.uniform(.01, .3))


def ten_hertz(rng):
    return observe(rng, drive(rng), hz=10, white=rng.uniform(.01, .3))


def late_in_batches(rng):
    """Each fix late by some tenths of a second; now and then several arrive together."""
    r = observe(rng, drive(rng), hz=rng.choice([1, 5]), white=rng.uniform(.02, .5))
    arrival = r.t + rng.uniform(.05, .4) + rng.exponential(.03, len(r.t))
    size = int(rng.choice([1, 1, 3]))
    for start in range(0, len(arrival), size):
        arrival[start:start + size] = arrival[start:start + size].max()
    r.arrival = np.maximum.accumulate(arrival)
    return r


def parked_wandering(rng):
    return observe(rng, parked(rng, 600), slow=rng.uniform(2, 8), memory=rng.uniform(60, 400), white=rng.uniform(.02, .5),
                   doppler=rng.uniform(.02, .1))


def parked_indoors(rng):
    """Positions and velocity drift together, by tens of metres."""
    r = observe(rng, parked(rng, 600), slow=0, white=.3)
    drift = wander(rng, r.t, 1.0, rng.uniform(10, 30))
    away = np.empty_like(drift)
    away[0] = 0
    for i in range(1, len(drift)):
        away[i] = .99 * away[i - 1] + drift[i] * (r.t[i] - r.t[i - 1])
    r.p = r.p + away
    r.eph[:] = rng.uniform(5, 20)
    return said(r, np.gradient(away, axis=0) * .8 + .1 * rng.normal(size=away.shape))


def bus(rng):
    return observe(rng, drive(rng, stops=.45, length=(10, 30)), white=rng.uniform(.05, .5))


def noisy_constant_eph(rng):
    """Scatters by metres, and always says the same error."""
    return observe(rng, rng.choice([walk, ride, drive])(rng), white=rng.uniform(1, 3), doppler=.1, eph=5.0)


def coarse_speed(rng):
    r = observe(rng, rng.choice([walk, ride, drive])(rng), white=rng.uniform(.05, .5))
    r.speed = quantised(r.speed, rng.choice([1 / 3.6, .5144, 1.0]))
    return r


def course_frozen_at_stop(rng):
    r = observe(rng, drive(rng, stops=.4))
    for i in range(1, len(r.t)):
        if r.speed[i] < .5:
            r.course[i], r.speed[i] = r.course[i - 1], quantised(r.speed[i], .25)
    return r


def tunnels(rng):
    """Silent for up to a minute, and metres off after it."""
    r = observe(rng, drive(rng, 400, stops=.05))
    chosen, when = np.ones(len(r.t), bool), rng.uniform(30, 60)
    while when < r.t[-1]:
        end = when + rng.uniform(8, 60)
        chosen &= ~((r.t > when) & (r.t < end))
        since = np.where(r.t >= end, r.t - end, np.inf)
        angle = rng.uniform(0, 2 * math.pi)
        r.p += (rng.uniform(0, 40) * np.exp(-since / rng.uniform(2, 6)))[:, None] * [math.sin(angle), math.cos(angle)]
        when = end + rng.uniform(40, 90)
    return keep(r, chosen)


def lagging(rng):
    """Positions smoothed by the receiver, so that they lag at turns; velocity is right."""
    r = observe(rng, rng.choice([walk, drive])(rng), slow=.5, white=0)
    share, p = 1 - math.exp(-1 / rng.uniform(1, 3)), r.p.copy()
    v = np.c_[r.speed * np.sin(np.radians(r.course)), r.speed * np.cos(np.radians(r.course))]
    for i in range(1, len(p)):
        ahead = p[i - 1] + v[i - 1] * (r.t[i] - r.t[i - 1])
        p[i] = ahead + share * (r.p[i] - ahead)
    r.p = p
    return r


def slow_receiver(rng):
    """A fix every five seconds: trackers that save power."""
    return observe(rng, rng.choice([walk, ride, drive])(rng, 600), hz=.2, white=rng.uniform(.05, 1))


def jittered(rng):
    """Fixes at uneven times, each late by as much as a tenth of a second to a second, and some missing."""
    r = observe(rng, rng.choice([ride, drive])(rng), hz=rng.choice([1, 5, 10]), white=rng.uniform(.02, .5))
    step = float(np.median(np.diff(r.t)))
    moved = np.clip(r.t + rng.uniform(-.3, .3, len(r.t)) * step, r.motion.t[0], r.motion.t[-1])
    true = np.c_[[np.interp(moved, r.motion.t, r.motion.p[:, k]) - np.interp(r.t, r.motion.t, r.motion.p[:, k]) for k in (0, 1)]].T
    r.p, r.t = r.p + true, moved
    r.arrival = np.maximum.accumulate(r.t + rng.uniform(.02, 1.0) * rng.uniform(.1, 1, len(r.t)))
    return keep(r, rng.random(len(r.t)) > rng.uniform(0, .3))


def noisy_doppler(rng):
    """A velocity that is off by half a metre a second to one and a half, of good positions."""
    return observe(rng, rng.choice([walk, ride, drive])(rng), white=rng.uniform(.05, .5), doppler=rng.uniform(.4, 1.5))


def late_doppler(rng):
    """A velocity that the receiver smooths, so that it lags by seconds."""
    r = observe(rng, rng.choice([walk, ride, drive])(rng), white=rng.uniform(.05, .8))
    v = np.c_[r.speed * np.sin(np.radians(r.course)), r.speed * np.cos(np.radians(r.course))]
    share = 1 - math.exp(-1 / rng.uniform(1, 4))
    for i in range(1, len(v)):
        v[i] = v[i - 1] + share * (v[i] - v[i - 1])
    return said(r, v)


def scaled_drive(rng):
    """A drive whose speed is wrong by a factor: wrong units, or a wheel."""
    r = observe(rng, rng.choice([ride, drive])(rng), white=rng.uniform(.05, 1))
    r.speed = r.speed * rng.choice([.28, .51, .8, 1.15, 1.94, 3.6])
    return r


def random_eph(rng):
    """An error estimate that says nothing: it jumps about, whatever the error."""
    r = observe(rng, rng.choice([walk, ride, drive])(rng), white=rng.uniform(.1, 2))
    r.eph = np.exp(rng.normal(1.5, .8, len(r.t)))
    return r


def frozen_positions(rng):
    """Says the last position again while it sees nothing, and then leaps to where it is."""
    r = observe(rng, rng.choice([walk, ride, drive])(rng), white=rng.uniform(.05, .5))
    when = rng.uniform(20, 50)
    while when < r.t[-1]:
        during = np.nonzero((r.t >= when) & (r.t < when + rng.uniform(2, 15)))[0]
        if len(during):
            r.p[during], r.speed[during], r.course[during] = r.p[during[0]], r.speed[during[0]], r.course[during[0]]
        when += rng.uniform(30, 90)
    return r


def coarse_positions(rng):
    """Positions in steps of metres: few digits."""
    r = observe(rng, rng.choice([walk, ride, drive])(rng), white=rng.uniform(.05, .5))
    r.p = quantised(r.p, rng.choice([1.1, 1.85, 11.1]))
    return r if rng.random() < .5 else without(r, "speed", "course", "eph")


def lossy(rng):
    """A third of the fixes missing, in runs of up to four seconds."""
    r = observe(rng, rng.choice([walk, ride, drive])(rng), white=rng.uniform(.05, .5))
    chosen, i = np.ones(len(r.t), bool), 10
    while i < len(r.t):
        chosen[i:i + int(rng.integers(1, 5))] = False
        i += int(rng.integers(4, 12))
    return keep(r, chosen)


def street_walk(rng):
    """Reflections on foot: an error of many metres that changes within seconds, in position and velocity alike."""
    r = observe(rng, walk(rng), slow=rng.uniform(3, 8), memory=rng.uniform(5, 30), white=rng.uniform(.2, 1), doppler=.3)
    return r if rng.random() < .5 else without(r, "eph")


def outliers(rng):
    """One to three false fixes every half minute."""
    r = observe(rng, rng.choice([walk, ride, drive])(rng), white=rng.uniform(.05, .8))
    i = int(rng.integers(15, 40))
    while i < len(r.t):
        angle = rng.uniform(0, 2 * math.pi)
        r.p[i:i + int(rng.integers(1, 4))] += rng.uniform(20, 200) * np.array([math.sin(angle), math.cos(angle)])
        i += int(rng.integers(20, 50))
    return r


KINDS = {
    "yacht at anchor": yacht_at_anchor, "yacht adrift": yacht_adrift, "yacht sailing": yacht_sailing,
    "watch without course": watch_without_course, "Doppler that lies, on foot": lying_doppler,
    "cold start that slides": cold_start, "float RTK that slips": float_rtk,
    "street, leaps announced": street_announced, "street, leaps unannounced": street_silent,
    "street, position only": street_position_only, "position only": position_only, "5 Hz": five_hertz, "10 Hz": ten_hertz,
    "late, and in batches": late_in_batches, "parked, slow wander": parked_wandering, "parked indoors": parked_indoors,
    "bus with stops": bus, "noisy, constant eph": noisy_constant_eph, "coarse speed": coarse_speed,
    "course frozen at stops": course_frozen_at_stop, "tunnels": tunnels, "positions smoothed": lagging,
    "0.2 Hz": slow_receiver, "jittered, late, some missing": jittered, "noisy Doppler": noisy_doppler,
    "Doppler late by seconds": late_doppler, "Doppler off by a factor, driving": scaled_drive, "random eph": random_eph,
    "positions that freeze": frozen_positions, "coarse positions": coarse_positions, "a third missing": lossy,
    "street on foot": street_walk, "false fixes": outliers,
}
