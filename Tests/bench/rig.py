"""The set-up of every measurement: a simulated receiver, a real gpsd, puckd, and clients that only read."""
import os
import pathlib
import resource
import shutil
import signal
import socket
import statistics
import subprocess
import tempfile
import time

TOOLS = pathlib.Path(os.environ["BENCH_TOOLS"])
BUILD = pathlib.Path(os.environ["BENCH_BUILD"])
MOST_DESCRIPTORS = 16_384
GPSD_MOST = 50  # clients: MAX_CLIENTS in gpsd.h is 64 on Debian, and puckd and its probes are some of them
GEOCLUE = "/usr/libexec/geoclue"
GEOCLUE_AGENT = "/usr/libexec/geoclue-2.0/demos/agent"
NO_GEOCLUE = f"GeoClue is left out: there is no {GEOCLUE} here, or no {GEOCLUE_AGENT}, or no dbus-daemon."


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_for(what, condition, seconds=20.0):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise SystemExit(f"bench: {what}: not within {seconds:g} s")
        time.sleep(0.02)


def median(values):
    return statistics.median(list(values))


def processor_seconds(pid):
    """The processor time of a process so far, as its own getrusage would report it.
    (clock_getcpuclockid(3): the clock of process PID is ~PID << 3 | 2)"""
    return time.clock_gettime(~pid << 3 | 2)


def voluntary_switches(pid):
    """How often a process has gone to sleep so far, which is how often it woke up."""
    for line in open(f"/proc/{pid}/status"):
        if line.startswith("voluntary_ctxt_switches"):
            return int(line.split()[1])
    raise SystemExit(f"bench: no voluntary_ctxt_switches of {pid}")


def memory(pid):
    """Resident and private memory, kB."""
    figures = {}
    for line in open(f"/proc/{pid}/smaps_rollup"):
        words = line.split()
        if words[0].endswith(":"):
            figures[words[0][:-1]] = int(words[1])
    return figures["Rss"], figures["Private_Clean"] + figures["Private_Dirty"]


def version(command):
    out = subprocess.run(command, capture_output=True, text=True)
    return (out.stdout or out.stderr).strip().splitlines()[0]


def has_geoclue():
    return os.path.exists(GEOCLUE) and os.path.exists(GEOCLUE_AGENT) and shutil.which("dbus-daemon") is not None


def isolated(*namespaces):
    """The command prefix that gives a command its own namespaces, as root or as an ordinary user."""
    return ["unshare", *([] if os.geteuid() == 0 else ["--map-current-user"]), *namespaces]


def on_bus(address):
    """An environment in which this bus is the only one."""
    return os.environ | {"DBUS_SYSTEM_BUS_ADDRESS": address, "DBUS_SESSION_BUS_ADDRESS": address}


class Rig:
    """The processes of one measurement, with their own directory. All of them end with it."""

    def __enter__(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="puckd-bench-"))
        self.processes = []
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            self.stop(process)
        shutil.rmtree(self.directory)

    def start(self, command, **options):
        def many_descriptors():
            resource.setrlimit(resource.RLIMIT_NOFILE, (MOST_DESCRIPTORS, MOST_DESCRIPTORS))

        log = open(self.directory / "log", "ab")
        options = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log} | options
        process = subprocess.Popen([str(word) for word in command], preexec_fn=many_descriptors, **options)
        self.processes.append(process)
        return process

    def stop(self, process):
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            process.wait()
        if process in self.processes:
            self.processes.remove(process)

    def receiver(self, route="straight", rate=10):
        """The path of a simulated receiver's terminal."""
        process = self.start(
            [BUILD / "receiver-simulator", "--route", route, "--rate", rate, "--print-device"],
            stdout=subprocess.PIPE, text=True)
        return process.stdout.readline().strip()

    def gpsd(self, device, port=None):
        """A real gpsd and its port. It is a copy, because AppArmor denies pseudo-terminals to /usr/sbin/gpsd. It has no
        shared memory and no bus, so that no other program on this host uses the simulated time."""
        program = shutil.copy(shutil.which("gpsd", path=os.environ["PATH"] + ":/usr/sbin"), self.directory / "gpsd")
        port = port or free_port()
        process = self.start(
            [*isolated("--ipc"), program, "-N", "-n", "-b", "-s", "38400", "-S", port, device],
            env=os.environ | {"DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent"})
        wait_for("gpsd", lambda: listens(port))
        return process, port

    def bus(self):
        """The address of this rig's own message bus, which replaces the system's."""
        path = self.directory / "bus"
        self.start(["dbus-daemon", "--session", "--nofork", f"--address=unix:path={path}"])
        wait_for("a bus", path.exists)
        return f"unix:path={path}"

    def geoclue(self, bus, *options):
        """A real GeoClue on a bus. It has no network, so it asks no internet service for its location."""
        process = self.start([*isolated("--net"), GEOCLUE, "--timeout=0", *options], env=on_bus(bus))
        question = [
            "dbus-send", f"--bus={bus}", "--print-reply", "--dest=org.freedesktop.DBus", "/",
            "org.freedesktop.DBus.GetNameOwner", "string:org.freedesktop.GeoClue2"]
        wait_for("GeoClue", lambda: subprocess.run(question, capture_output=True).returncode == 0)
        return process

    def geoclue_agent(self, bus):
        """The agent, without which GeoClue accepts no client."""
        return self.start([GEOCLUE_AGENT], env=on_bus(bus))

    def puckd(self, gpsd_port, wait=True, under=(), **options):
        """A puckd and its socket. `under`: a program that runs it, and its options."""
        path = self.directory / "puckd.sock"
        configuration = self.directory / "puckd.conf"
        configuration.write_text(
            f"[gpsd]\nport = {gpsd_port}\n[socket]\npath = {path}\n[approximate]\nstate-directory = {self.directory}\n"
            "[limits]\nclients = 8000\nclients-per-user = 8000\n[log]\nlevel = warning\n")
        process = self.start([*under, BUILD / "puckd", "--config", configuration], **options)
        if wait:
            wait_for("puckd", path.exists)
        return process, path

    def readers(self, address, clients, each, one="", groups=1):
        return Readers(self, address, clients, each, one, groups)


def listens(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


class Readers:
    """Clients that only read, in one process."""

    def __init__(self, rig, address, clients, each, one, groups):
        self.rig = rig
        self.clients = clients
        self.process = rig.start(
            [TOOLS / "readers", address, clients, groups, each, one],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def count(self):
        """The numbers of lines and bytes so far, and of clients that got any."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return [int(word) for word in self.process.stdout.readline().split()]

    def settle(self, seconds):
        wait_for(f"the greeting of {self.clients} clients", lambda: self.count()[2] == self.clients, 60)
        time.sleep(seconds)

    def measure(self, pid, seconds):
        """Processor time of `pid` in µs for each line during the given time, and lines per second."""
        before, lines = processor_seconds(pid), self.count()[0]
        begun = time.monotonic()
        time.sleep(seconds)
        used, come = processor_seconds(pid) - before, self.count()[0] - lines
        if come == 0:
            raise SystemExit(f"bench: nothing came to {self.clients} clients")
        return used / come * 1e6, come / (time.monotonic() - begun)

    def stop(self):
        self.process.stdin.close()
        self.process.wait()
        self.rig.processes.remove(self.process)
