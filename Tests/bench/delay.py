"""From the bytes that tell of an epoch to the client that can read of it."""
import subprocess

from rig import Rig, TOOLS, free_port, wait_for

EPOCHS = 600


def percentiles(figures):
    figures = sorted(figures)
    return [figures[min(len(figures) - 1, int(len(figures) * p))] for p in (0.5, 0.99, 0.999)]


def through_puckd(clients, epochs):
    with Rig() as rig:
        port = free_port()
        socket = rig.directory / "puckd.sock"
        # puckd has to be there before its clients, and the source before puckd: it listens, then waits for it.
        with open(rig.directory / "figures", "w+") as figures:
            tool = rig.start(
                [TOOLS / "latency", "puckd", socket, port, clients, epochs], stdout=figures, stdin=subprocess.PIPE)
            wait_for("the source", lambda: (rig.directory / "figures").read_text().startswith("listening"))
            rig.puckd(port)
            tool.wait()
        return numbers((rig.directory / "figures").read_text().splitlines()[1:], clients * epochs)


def through_gpsd(clients, epochs):
    with Rig() as rig:
        port_line = subprocess.PIPE
        port = free_port()
        tool = rig.start(
            [TOOLS / "latency", "gpsd", port, clients, epochs], stdout=port_line, stdin=subprocess.PIPE, text=True)
        rig.gpsd(tool.stdout.readline().strip(), port)
        tool.stdin.write("\n")
        tool.stdin.flush()
        return numbers(tool.stdout.read().split(), clients * epochs)


def numbers(lines, expected):
    if len(lines) < expected * 0.9:
        raise SystemExit(f"bench: only {len(lines)} of {expected} epochs came through")
    return [float(line) for line in lines]


def report(epochs):
    yield f"Latency, µs, {epochs} epochs at 10 a second (bar: p99 under 200 with one client, and under a tenth of gpsd's)"
    yield "| | p50 | p99 | p99.9 |"
    yield "|---|--:|--:|--:|"
    for name, clients, through in (
        ("gpsd's bytes → puckd → frame, 1 client", 1, through_puckd),
        ("receiver's bytes → gpsd → TPV, 1 client", 1, through_gpsd),
        ("gpsd's bytes → puckd → frame, 100 clients", 100, through_puckd),
        ("receiver's bytes → gpsd → TPV, 50 clients", 50, through_gpsd),
    ):
        yield f"| {name} | " + " | ".join(f"{p:,.0f}" for p in percentiles(through(clients, epochs))) + " |"
