"""Memory at rest and for each client; what is done while nothing happens; the start."""
import os
import socket as sockets
import time

from rig import BUILD, Rig, free_port, median, memory, processor_seconds, version, voluntary_switches, wait_for

CLIENTS = 1_000
STARTS = 15
SUBSCRIBE = '{"type":"subscribe","include":["puck","camera"],"rate":%s,"view":"v"}'
TRACK = '{"type":"track","mode":"followWithCourse","view":"v"}'


GEOCLUE = "/usr/libexec/geoclue"


def geoclue(rig):
    """Memory of GeoClue at rest, on a bus of its own; without avahi and ModemManager it has fewer sources."""
    bus = f"unix:path={rig.directory}/bus"
    rig.start(["dbus-daemon", "--session", "--nofork", f"--address={bus}"])
    wait_for("a bus", (rig.directory / "bus").exists)
    addresses = {"DBUS_SYSTEM_BUS_ADDRESS": bus, "DBUS_SESSION_BUS_ADDRESS": bus}
    process = rig.start([GEOCLUE, "-t", "1000"], env=os.environ | addresses)
    time.sleep(3)
    return memory(process.pid)


def report_memory():
    with Rig() as rig:
        gpsd, port = rig.gpsd(rig.receiver(rate=1))
        puckd, socket = rig.puckd(port)
        time.sleep(5)
        rows = [("puckd, no client", memory(puckd.pid)), ("gpsd, no client but puckd", memory(gpsd.pid))]
        if os.path.exists(GEOCLUE):
            rows.append((f"GeoClue {version([GEOCLUE, '--version'])}, no client", geoclue(rig)))
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
    rest = rows[0][1]
    yield "Memory, kB (bars: 12,000 resident and 5,000 private at rest, under 4 a client)"
    yield "| | resident | private | private for each client |"
    yield "|---|--:|--:|--:|"
    for name, (resident, private) in rows:
        each = f"{(private - rest[1]) / CLIENTS:.1f}" if f"{CLIENTS:,}" in name else ""
        yield f"| {name} | {resident:,} | {private:,} | {each} |"


def report_idle(seconds):
    yield "Idle, a minute (gpsd's reports come once a second)"
    yield "| | woken | ms of processor time |"
    yield "|---|--:|--:|"
    for route, name, clients, rate in (
        ("straight", "driving, no client", 0, 0),
        ("straight", "driving, a client at 1 frame/s", 1, 1),
        ("park", 'standing still, a client at "fix"', 1, '"fix"'),
        ("park", "standing still, a client at 60 frames/s", 1, 60),
        ("park", "standing still, 100 clients at 60 frames/s", 100, 60),
        ("straight", "driving, a client at 60 frames/s", 1, 60),
    ):
        with Rig() as rig:
            gpsd, port = rig.gpsd(rig.receiver(route, rate=1))
            puckd, socket = rig.puckd(port)
            # Until the filter knows that it stands, and what it still corrects has come to an end.
            time.sleep(60 if route == "park" else 5)
            if clients:
                rig.readers(socket, clients, SUBSCRIBE % rate, TRACK).settle(3)
            woken, used = voluntary_switches(puckd.pid), processor_seconds(puckd.pid)
            time.sleep(seconds)
            woken, used = voluntary_switches(puckd.pid) - woken, processor_seconds(puckd.pid) - used
            yield f"| {name} | {woken * 60 / seconds:.0f} | {used * 60e3 / seconds:.1f} |"


def start_seconds(rig):
    """From the fork to READY=1, which the service manager's socket gets; gpsd is not there."""
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
