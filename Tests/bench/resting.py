"""Memory at rest and for each client, the cost of idling, and the start-up time."""
import os
import socket as sockets
import time

from rig import (
    BUILD, GEOCLUE, NO_GEOCLUE, Rig, free_port, has_geoclue, median, memory, processor_seconds, version, voluntary_switches)

CLIENTS = 1_000
STARTS = 15
SUBSCRIBE = '{"type":"subscribe","include":["puck","camera"],"rate":%s,"view":"v"}'
TRACK = '{"type":"track","mode":"followWithCourse","view":"v"}'



def measure_memory():
    """One start of everything: the measured processes, with their resident and private memory."""
    with Rig() as rig:
        gpsd, port = rig.gpsd(rig.receiver(rate=1))
        puckd, socket = rig.puckd(port)
        geoclue = rig.geoclue(rig.bus()) if has_geoclue() else None
        time.sleep(5)
        rows = [("puckd, no client", memory(puckd.pid)), ("gpsd, no client but puckd", memory(gpsd.pid))]
        if geoclue:
            rows.append((f"GeoClue {version([GEOCLUE, '--version'])}, no client", memory(geoclue.pid)))
        idle = rig.readers(socket, CLIENTS, '{"type":"ping"}')
        idle.settle(1)
        rows.append((f"puckd, {CLIENTS:,} clients that are only connected", memory(puckd.pid)))
        idle.stop()
        watching = rig.readers(socket, CLIENTS, SUBSCRIBE % 60, TRACK)
        watching.settle(5)
        rows.append((f"puckd, {CLIENTS:,} clients at 60 frames/s", memory(puckd.pid)))
        watching.stop()
        time.sleep(2)
        rows.append(("puckd, after they have gone", memory(puckd.pid)))
    return rows


def report_memory(starts):
    figures = {}
    for _ in range(starts):
        for name, (resident, private) in measure_memory():
            figures.setdefault(name, []).append((resident, private))
    rest = None
    yield f"Memory, kB, medians of {starts} starts (bars: 12,000 resident and 5,000 private at rest, under 4 a client)"
    yield "| | resident | private | private for each client |"
    yield "|---|--:|--:|--:|"
    for name, taken in figures.items():
        resident, private = (median(each) for each in zip(*taken))
        rest = private if rest is None else rest
        each = f"{(private - rest) / CLIENTS:.1f}" if f"{CLIENTS:,}" in name else ""
        yield f"| {name} | {resident:,.0f} | {private:,.0f} | {each} |"
    if not has_geoclue():
        yield ""
        yield NO_GEOCLUE


DRIVING = (
    ("driving, no client", 0, 0),
    ("driving, a client at 1 frame/s", 1, 1),
    ("driving, a client at 60 frames/s", 1, 60),
)
STANDING = (
    ('standing still for a minute, a client at "fix"', 1, '"fix"'),
    ("standing still for a minute, a client at 60 frames/s", 1, 60),
    ("standing still for a minute, 100 clients at 60 frames/s", 100, 60),
)
JUST_PARKED = ("standing still for 20 s only, a client at 60 frames/s", 1, 60)
WINDOWS = 5


def window(rig, puckd, socket, clients, rate, seconds):
    """The wake-ups and processor seconds of puckd with the given clients and duration."""
    readers = rig.readers(socket, clients, SUBSCRIBE % rate, TRACK) if clients else None
    if readers:
        readers.settle(2)
    woken, used = voluntary_switches(puckd.pid), processor_seconds(puckd.pid)
    time.sleep(seconds)
    woken, used = voluntary_switches(puckd.pid) - woken, processor_seconds(puckd.pid) - used
    if readers:
        readers.stop()
    return woken, used


def measure_idle(route, cases, seconds):
    """The names and medians of the cases, which take turns at one puckd behind one receiver."""
    with Rig() as rig:
        gpsd, port = rig.gpsd(rig.receiver(route, rate=1))
        puckd, socket = rig.puckd(port)
        begun = time.monotonic()
        time.sleep(5)
        if route == "park":
            time.sleep(15)
            name, *case = JUST_PARKED
            yield name, *window(rig, puckd, socket, *case, seconds)
            # Wait until the filter has detected the standstill and finished its corrections.
            time.sleep(max(0, begun + 60 - time.monotonic()))
        taken = {name: [] for name, *_ in cases}
        for _ in range(WINDOWS):
            for name, *case in cases:
                taken[name].append(window(rig, puckd, socket, *case, seconds))
        for name, windows in taken.items():
            yield name, *(median(each) for each in zip(*windows))


def report_idle(seconds):
    yield f"Idle, a minute (gpsd's reports come once a second), medians of {WINDOWS} windows of {seconds} s by turns"
    yield "| | woken | ms of processor time |"
    yield "|---|--:|--:|"
    for route, cases in (("straight", DRIVING), ("park", STANDING)):
        for name, woken, used in measure_idle(route, cases, seconds):
            yield f"| {name} | {woken * 60 / seconds:.0f} | {used * 60e3 / seconds:.1f} |"


def start_seconds(rig):
    """The time from the fork until READY=1 arrives on the service manager's socket, without gpsd."""
    path = rig.directory / "notify"
    with sockets.socket(sockets.AF_UNIX, sockets.SOCK_DGRAM) as listener:
        listener.bind(str(path))
        listener.settimeout(10)
        begun = time.monotonic()
        process, _ = rig.puckd(free_port(), wait=False, env=os.environ | {"NOTIFY_SOCKET": str(path)})
        while b"READY=1" not in listener.recv(4096):
            pass
        took = time.monotonic() - begun
        used = processor_seconds(process.pid)
        rig.stop(process)
    path.unlink()
    return took, used


def report_start():
    with Rig() as rig:
        figures = [start_seconds(rig) for _ in range(STARTS)]
    took, used = (median(f) * 1e3 for f in zip(*figures))
    yield (
        f"Start to READY=1 without gpsd, of {STARTS}: median {took:.1f} ms (bar 20), fastest {min(figures)[0] * 1e3:.1f}; "
        f"{used:.1f} ms of processor time")
