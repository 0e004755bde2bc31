"""The set-up of the fault tests: a private puckd, a scripted gpsd, and clients."""
import json
import os
import resource
import socket
import subprocess
import tempfile
import threading
import time

TICKS = os.sysconf("SC_CLK_TCK")


class FakeGPSD:
    """Drives east at 10 m/s with ten fixes a second, and sends anything else on demand."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.connection, self.lock, self.ended = None, threading.Lock(), False
        # The data to send between fixes without a pause, and how often it was sent.
        self.filler, self.fillers = None, 0
        threading.Thread(target=self.accept, daemon=True).start()
        threading.Thread(target=self.drive, daemon=True).start()

    def accept(self):
        while not self.ended:
            try:
                connection = self.listener.accept()[0]
            except OSError:
                return
            hello = [{"class": "VERSION", "release": "3.25", "proto_major": 3, "proto_minor": 15},
                     {"class": "DEVICES", "devices": [{"class": "DEVICE", "path": "/dev/null", "driver": "u-blox",
                                                       "activated": "2026-01-01T00:00:00.000Z"}]}]
            with self.lock:
                self.connection = connection
            self.send("".join(json.dumps(x) + "\r\n" for x in hello).encode())

    def send(self, data):
        """Sends data. Returns whether that succeeded."""
        with self.lock:
            try:
                self.connection.sendall(data)
                return True
            except (OSError, AttributeError):
                return False

    def drive(self):
        begin = time.time()
        while not self.ended:
            now = time.time()
            stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + ".%03dZ" % (now % 1 * 1000)
            self.send(json.dumps({"class": "TPV", "device": "/dev/null", "mode": 3, "time": stamp, "lat": 47.4,
                                  "lon": 8.5 + (now - begin) * 1.327e-4, "altHAE": 450.0, "eph": 4.0, "speed": 10.0,
                                  "track": 90.0}).encode() + b"\r\n")
            due = now - now % 0.1 + 0.1
            while self.filler and time.time() < due:
                self.fillers += self.send(self.filler)
            time.sleep(max(0, due - time.time()))

    def end(self):
        self.ended = True
        self.listener.close()
        with self.lock:
            if self.connection:
                self.connection.close()


def connected(path, may_come=lambda: True):
    """A connection to a daemon that may still be starting. Waits at most ten seconds."""
    end = time.time() + 10
    while True:
        s = socket.socket(socket.AF_UNIX)
        try:
            s.connect(path)
            return s
        except OSError:
            s.close()
            if not may_come() or time.time() > end:
                raise
            time.sleep(0.02)


class Puckd:
    """The daemon, with the default limits or the given ones."""

    def __init__(self, program, limits="", descriptors=None, policy="", preload=None, log=None):
        self.gpsd = FakeGPSD()
        self.place = tempfile.mkdtemp(prefix="puckd-faults-")
        self.path = self.place + "/puckd.sock"
        with open(self.place + "/puckd.conf", "w") as f:
            f.write("[gpsd]\nport = %d\n[socket]\npath = %s\n[approximate]\nstate-directory = %s\n[limits]\n%s\n%s" % (
                self.gpsd.port, self.path, self.place, limits, policy))
        self.log = open(self.place + "/log", "w")
        limit = descriptors and (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors)))
        self.process = subprocess.Popen([program, "--config", self.place + "/puckd.conf"], stderr=log or self.log,
                                        preexec_fn=limit, env=dict(os.environ, LD_PRELOAD=preload or ""))
        self.client().wait_for("frame")

    def client(self, rate=10, **options):
        return Client(self.path, dict({"type": "subscribe", "rate": rate}, **options))

    def connect(self):
        """A connection that sends nothing."""
        return connected(self.path, lambda: self.process.poll() is None)

    def seconds(self):
        """Processor time so far."""
        with open("/proc/%d/stat" % self.process.pid) as f:
            fields = f.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def seconds_beside(self, held):
        """The processor time of five seconds with these connections open. Then closes them."""
        time.sleep(0.5)
        before = self.seconds()
        time.sleep(5)
        used = self.seconds() - before
        for s in held:
            s.close()
        return used

    def private(self):
        """Private memory, KiB."""
        with open("/proc/%d/smaps_rollup" % self.process.pid) as f:
            return sum(int(line.split()[1]) for line in f if line.startswith("Private_"))

    def peak(self):
        """The peak resident memory so far, KiB."""
        with open("/proc/%d/status" % self.process.pid) as f:
            return next(int(line.split()[1]) for line in f if line.startswith("VmHWM:"))

    def log_bytes(self):
        return os.path.getsize(self.place + "/log")

    def end(self):
        self.gpsd.end()
        self.process.terminate()
        assert self.process.wait(10) == 0, "it did not end by itself"
        subprocess.run(["rm", "-rf", self.place], check=True)


class Client:
    """A client that reads everything, on its own thread."""

    def __init__(self, path, first):
        self.socket = connected(path)
        self.count, self.gap, self.last, self.seen = 0, 0.0, None, {}
        self.socket.sendall(json.dumps(first).encode() + b"\n")
        self.closed = False
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        try:
            for line in self.socket.makefile("rb"):
                kind = json.loads(line)["type"]
                self.seen[kind] = self.seen.get(kind, 0) + 1
                if kind == "frame":
                    now = time.monotonic()
                    if self.last is not None:
                        self.gap = max(self.gap, now - self.last)
                    self.last = now
                    self.count += 1
        except (OSError, ValueError):
            pass
        self.closed = True

    def restart(self):
        """Starts counting again."""
        self.count, self.gap = 0, 0.0

    def wait_for(self, kind, seconds=10):
        end = time.time() + seconds
        while not self.seen.get(kind):
            assert time.time() < end and not self.closed, "no " + kind
            time.sleep(0.01)
        return self

    def close(self):
        self.socket.close()
