"""The latency from an epoch's bytes to the client that can read them: puckd, the floor, gpsd and GeoClue."""
import subprocess

from rig import GEOCLUE, GPSD_MOST, NO_GEOCLUE, Rig, TOOLS, free_port, has_geoclue, version, wait_for

CLIENTS = (1, 100)


class Way:
    """One program between its source and its clients. `latency` is both ends."""

    def __init__(self, rig, program, source, address, clients, epochs, phase):
        self.program, self.clients, self.epochs = program, clients, epochs
        self.out = rig.directory / f"{program}.figures"
        with open(self.out, "w") as out:
            self.tool = rig.start(
                [TOOLS / "latency", program, source, address, clients, epochs, phase], stdin=subprocess.PIPE, stdout=out)
        wait_for(f"the source of {program}", lambda: "\n" in self.out.read_text())

    @property
    def source(self):
        return self.out.read_text().split("\n")[0]

    def run(self):
        self.tool.stdin.write(b"\n")
        self.tool.stdin.flush()

    def figures(self):
        self.tool.wait()
        figures = sorted(float(line) for line in self.out.read_text().splitlines()[1:])
        if len(figures) < self.epochs * self.clients * 0.9:
            raise SystemExit(
                f"bench: {self.program}: only {len(figures)} of {self.epochs * self.clients} epochs came through")
        return [figures[min(len(figures) - 1, int(len(figures) * p))] for p in (0.5, 0.99, 0.999)]


# Start the source first, then the program that connects to it, then the clients.


def through_puckd(rig, *how):
    port = free_port()
    way = Way(rig, "puckd", port, rig.directory / "puckd.sock", *how)
    rig.puckd(port)
    return way


def through_floor(rig, *how):
    port, socket = free_port(), rig.directory / "relay.sock"
    way = Way(rig, "relay", port, socket, *how)
    rig.start([TOOLS / "floor", "relay", socket, port])
    wait_for("the floor", socket.exists)
    return way


def through_gpsd(rig, *how):
    port = free_port()
    way = Way(rig, "gpsd", "-", port, *how)
    rig.gpsd(way.source, port)
    return way


def through_geoclue(rig, *how):
    bus, socket = rig.bus(), rig.directory / "nmea.sock"
    way = Way(rig, "geoclue", socket, bus, *how)
    rig.geoclue(bus, "--nmea-socket", socket)
    rig.geoclue_agent(bus)
    return way


def report(epochs):
    yield (
        f"Latency, µs, {epochs:,} epochs at 10 a second, each tenth by turns "
        "(bar: p99 under 200 with one client, and under a tenth of gpsd's)")
    yield "| | clients | p50 | p99 | p99.9 |"
    yield "|---|--:|--:|--:|--:|"
    ways = [
        ("gpsd's JSON → puckd → frame", through_puckd),
        ("gpsd's JSON → the floor → the same bytes", through_floor),
        ("receiver's NMEA → gpsd → TPV", through_gpsd),
    ]
    if has_geoclue():
        ways.append((f"receiver's NMEA → GeoClue {version([GEOCLUE, '--version'])} → signal", through_geoclue))
    for clients in CLIENTS:
        with Rig() as rig:
            made = []
            for k, (name, through) in enumerate(ways):
                count = min(clients, GPSD_MOST) if through is through_gpsd else clients
                # The last one takes longest with many clients, and gets twice the time.
                made.append((name, through(rig, count, epochs, k / (len(ways) + 1))))
            for _, way in made:
                way.run()
            for name, way in made:
                yield f"| {name} | {way.clients} | " + " | ".join(f"{p:,.0f}" for p in way.figures()) + " |"
    if not has_geoclue():
        yield ""
        yield NO_GEOCLUE
