"""Processor time for each delivered frame, compared with the kernel's floor and gpsd."""
import socket as sockets
import time

from rig import GPSD_MOST, Rig, TOOLS, median, wait_for

COUNTS = (1, 20, 50, 100, 1_000, 4_000)
ROUNDS = 5
SUBSCRIBE = '{"type":"subscribe","include":["puck","camera"],"rate":60,"view":"v%d"}'
TRACK = '{"type":"track","mode":"followWithCourse","view":"v%d"}'
WATCH = '?WATCH={"enable":true,"json":true}'


def measure_frames(seconds):
    with Rig() as rig:
        _, gpsd_port = gpsd = rig.gpsd(rig.receiver())
        puckd, socket = rig.puckd(gpsd_port)
        time.sleep(4)  # until gpsd has a fix and knows its receiver's cycle
        frame = sample(rig, socket)
        (rig.directory / "frame").write_bytes(frame)
        floor = rig.start([TOOLS / "floor", "tick", rig.directory / "floor.sock", 60, rig.directory / "frame"])
        wait_for("the floor", (rig.directory / "floor.sock").exists)
        rows = [row(rig, n, puckd, socket, floor, gpsd, seconds) for n in COUNTS]
        views = [(v, views_row(rig, v, puckd, socket, seconds)) for v in (1, 10, 100)]
        return len(frame), rows, views


def sample(rig, socket):
    """A frame with puck and camera, as the measured clients get it."""
    with sockets.socket(sockets.AF_UNIX) as s:
        s.connect(str(socket))
        s.sendall((SUBSCRIBE % 0 + "\n" + TRACK % 0 + "\n").encode())
        with s.makefile("rb") as lines:
            for line in lines:
                if line.startswith(b'{"type":"frame"') and b'"puck"' in line and b'"center"' in line:
                    return line


def row(rig, n, puckd, socket, floor, gpsd, seconds):
    """One number of clients: puckd and the floor in turns, in each round; gpsd if it accepts that many."""
    ours, floors, peers, rates = [], [], [], []
    for _ in range(ROUNDS):
        for server, address, each, one, into in (
            (puckd, socket, SUBSCRIBE, TRACK, ours),
            (floor, rig.directory / "floor.sock", "", "", floors),
            (gpsd[0], gpsd[1], WATCH, "", peers),
        ):
            if server is gpsd[0] and n > GPSD_MOST:
                continue
            readers = rig.readers(address, n, each, one)
            readers.settle(0.5)
            cost, rate = readers.measure(server.pid, seconds)
            into.append(cost)
            if server is puckd:
                rates.append(rate)
            readers.stop()
    ratio = median(a / b for a, b in zip(ours, floors))
    return n, median(rates), median(ours), median(floors), ratio, median(peers) if peers else None


def views_row(rig, views, puckd, socket, seconds):
    """1,000 clients over the given number of views."""
    costs = []
    for _ in range(ROUNDS):
        readers = rig.readers(socket, 1_000, SUBSCRIBE, TRACK, groups=views)
        readers.settle(1)
        costs.append(readers.measure(puckd.pid, seconds)[0])
        readers.stop()
    return median(costs)


def report(seconds):
    size, rows, views = measure_frames(seconds)
    yield f"Fan-out: {size} bytes of puck + camera, 60 a second to each client; µs of processor time a message"
    yield "| clients | frames/s | puckd | floor | puckd / floor (bar 1.5 from 100 on) | gpsd (all its messages) |"
    yield "|--:|--:|--:|--:|--:|--:|"
    for n, rate, ours, floor, ratio, peer in rows:
        yield f"| {n:,} | {rate:,.0f} | {ours:.2f} | {floor:.2f} | {ratio:.2f} | {f'{peer:.2f}' if peer else 'takes no more'} |"
    yield ""
    yield "1,000 clients over several views, µs a frame: " + ", ".join(f"{v} views {cost:.2f}" for v, cost in views)
