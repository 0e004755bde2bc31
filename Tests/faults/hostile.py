#!/usr/bin/env python3
"""Do to a real puckd what a hostile user of the same host can do, and print as a table what a neighbour notices of it.

  hostile.py PUCKD

As root: each attack is made by user 65534, or by many users, as one has who has sub-uids, for some seconds. The witness,
another user's client, is precise by a grant, has ten frames a second and sends twenty pings a second. It must not go without
a frame for more than 250 ms, 99 of 100 pings must be answered within 20 ms, its grant must last, and puckd must go on running.
A line that does not hold is marked, and the exit code is 1.

The first line, "no requests", shows the effect of the host on the witness without an attack. On a host that does other work as well,
give all of this the same high priority: the witness is a program too, and notices when it has to wait for a processor.
"""
import array
import encodings.idna  # noqa: F401 (looked for by socket, later than this user may read it)
import json
import os
import resource
import select
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

from bench import Puckd, connected

HOSTILE = 65534
# The first of many users, and the witness. None of them need be known to the host.
FIRST_OF_MANY, WITNESS = 300_000, 65_533
SECONDS = 6
LONGEST_GAP, LONGEST_PING = 0.25, 0.02


# puckd's own user sees all, and the witness asks for a grant.
POLICY = """[policy]
rule = self precise observer
%%s
[purpose witness]
description = Notice attacks
seconds = 86400
allow = user:%d
""" % WITNESS


class Witness:
    """Ten frames and twenty pings a second, on a connection of its own, precise by a grant."""

    def __init__(self, path):
        os.seteuid(WITNESS)
        self.socket = connected(path)
        os.seteuid(0)
        self.socket.sendall(b'{"type":"requestPrecise","purpose":"witness"}\n{"type":"subscribe","rate":10}\n')
        self.lock, self.sent, self.closed = threading.Lock(), {}, False
        self.granted, self.lost = False, False
        self.restart()
        threading.Thread(target=self.read, daemon=True).start()
        threading.Thread(target=self.ping, daemon=True).start()

    def restart(self):
        with self.lock:
            self.gap, self.last, self.frames, self.pings = 0.0, None, 0, []

    def read(self):
        try:
            for line in self.socket.makefile("rb"):
                now = time.monotonic()
                message = json.loads(line)
                with self.lock:
                    if message["type"] == "frame":
                        if self.last is not None:
                            self.gap = max(self.gap, now - self.last)
                        self.last, self.frames = now, self.frames + 1
                    elif message["type"] == "authorization":
                        self.lost = self.granted and message["accuracy"] != "precise"
                        self.granted = self.granted or message["accuracy"] == "precise"
                    elif message["type"] == "ok" and message.get("id") in self.sent:
                        self.pings.append(now - self.sent.pop(message["id"]))
        except (OSError, ValueError):
            pass
        self.closed = True

    def ping(self):
        number = 0
        while not self.closed:
            number += 1
            with self.lock:
                self.sent[number] = time.monotonic()
            try:
                self.socket.sendall(b'{"type":"ping","id":%d}\n' % number)
            except OSError:
                return
            time.sleep(0.05)

    def result(self):
        """Longest gap, 99th percentile of the pings, and how many were answered."""
        now = time.monotonic()
        with self.lock:
            gap = max(self.gap, now - self.last) if self.last else float("inf")
            pings = sorted(self.pings + [now - begin for begin in self.sent.values()])
        return gap, pings[int(len(pings) * 0.99)] if pings else float("inf"), len(pings)


# What the attacks are made of.

def connect(path, count):
    """As many connections as one gets, `count` at the most."""
    held = []
    for _ in range(count):
        s = socket.socket(socket.AF_UNIX)
        s.settimeout(2)
        try:
            s.connect(path)
            if b'"hello"' not in s.recv(4096):
                break
        except OSError:
            break
        s.setblocking(False)
        held.append(s)
    return held


def storm(held, seconds, lines, reads=True):
    """Sends `lines` on each connection as fast as they are taken; returns the bytes that were."""
    poller, rest, taken = select.epoll(), {}, 0
    by_number = {s.fileno(): s for s in held}
    for number in by_number:
        poller.register(number, select.EPOLLIN | select.EPOLLOUT)
    lines = lines * max(1, 16384 // len(lines))
    end = time.monotonic() + seconds
    while by_number and time.monotonic() < end:
        for number, event in poller.poll(0.1):
            s = by_number[number]
            try:
                if reads and event & select.EPOLLIN and not s.recv(1 << 18):
                    raise ConnectionError
                if event & select.EPOLLOUT:
                    left = rest.get(number) or lines
                    # Little at a time: what is not read would soon be more than may wait.
                    count = s.send(left[:4096])
                    taken += count
                    rest[number] = left[count:]
            except BlockingIOError:
                pass
            except OSError:
                poller.unregister(number)
                del by_number[number]
    return taken


def send_all(held, data):
    for s in held:
        s.setblocking(True)
        s.settimeout(20)
        try:
            s.sendall(data)
        except OSError:
            pass
        s.setblocking(False)


def line(**fields):
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n"


def overview(count=4096):
    positions = [[k % 90, k % 80] for k in range(count)]
    return line(type="overview", geometry={"type": "MultiPoint", "coordinates": positions}, duration=0)


def connect_as_many(path, users, each=1):
    """Connections of many users, as one has who has sub-uids. Afterwards this process is one of 65534."""
    held = []
    for user in range(FIRST_OF_MANY, FIRST_OF_MANY + users):
        os.seteuid(user)
        held += connect(path, each)
        os.seteuid(0)
    become(HOSTILE)
    return held


def become(user):
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)


def read_all(held, seconds):
    """Reads what comes; returns how many bytes that were."""
    poller, taken = select.epoll(), 0
    by_number = {s.fileno(): s for s in held}
    for number in by_number:
        poller.register(number, select.EPOLLIN)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for number, _ in poller.poll(0.1):
            try:
                data = by_number[number].recv(1 << 18)
                taken += len(data)
                if not data:
                    poller.unregister(number)
            except BlockingIOError:
                pass
            except OSError:
                poller.unregister(number)
    return taken


# The attacks. Each returns what is to be said of it.

def nothing(path, seconds):
    """no requests; two programs keep the processors busy"""
    child = os.fork()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return "the effect of the host on the witness"


def unknown_type(path, seconds):
    """an unknown type of 64 letters, as fast as puckd reads it, on one connection"""
    end, taken = time.monotonic() + seconds, 0
    # Answers that are not read fast enough end a connection.
    while (left := end - time.monotonic()) > 0:
        taken += storm(connect(path, 1), left, line(type="p" * 64))
    return "%d kB taken" % (taken // 1000)


def unknown_type_of_many(path, seconds):
    """the same on as many connections as puckd accepts"""
    held = connect(path, 500)
    return "%d connections; %d kB taken" % (len(held), storm(held, seconds, line(type="p" * 64)) // 1000)


def unknown_fields(path, seconds):
    """requests of 60 KB of unknown fields"""
    held = connect(path, 100)
    data = json.dumps(dict({"type": "ping"}, **{"f%05d" % k: k for k in range(4000)})).encode() + b"\n"
    return "%d connections; %d kB taken" % (len(held), storm(held, seconds, data) // 1000)


def sizes(path, seconds):
    """an overview of 4,096 positions for each connection, then new screen sizes"""
    held = connect(path, 500)
    send_all(held, overview())
    data = b"".join(line(type="viewport", width=300 + k, height=200) for k in range(100))
    return "%d connections; %d kB taken" % (len(held), storm(held, seconds, data) // 1000)


def overviews(path, seconds):
    """overviews of 4,096 positions, continuously"""
    held = connect(path, 500)
    return "%d connections; %d kB taken" % (len(held), storm(held, seconds, overview()) // 1000)


def track_next(path, seconds):
    """`track next` on a view with as many watchers as puckd accepts"""
    held = connect(path, 500)
    send_all(held, line(type="subscribe", view="hostile"))
    return "%d watchers; %d kB taken" % (
        len(held), storm(held, seconds, line(type="track", view="hostile", mode="next")) // 1000)


def markers(path, seconds):
    """subscriptions to 256 markers, again and again"""
    held = connect(path, 200)
    send_all(held[:1], line(type="subscribe", view="hostile", include=["markers"]))
    for first in range(0, 256, 64):
        send_all(held[:1], b"".join(line(type="marker", view="hostile", marker="m%d" % (first + k), position=[k, 1])
                                    for k in range(64)))
        time.sleep(0.4)
    return "%d connections; %d kB taken" % (
        len(held), storm(held, seconds, line(type="subscribe", view="hostile", include=["markers"])) // 1000)


def moving_markers(path, seconds):
    """64 moving markers in each connection's own view, at 120 frames a second"""
    held = connect(path, 500)
    data = b"".join(line(type="marker", marker="m%d" % k, position=[k, 1], duration=0) for k in range(60))
    data += line(type="subscribe", rate=120, include=["markers"])
    send_all(held, data)
    move = b"".join(line(type="marker", marker="m%d" % k, position=[-k, 1], duration=3600) for k in range(60))
    return "%d connections; %d kB taken" % (len(held), storm(held, seconds, move) // 1000)


def connect_and_close(path, seconds, request=None):
    """Connects again and again, and sends what `request` makes of the count."""
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        s = socket.socket(socket.AF_UNIX)
        try:
            s.connect(path)
            if request:
                s.sendall(request(count))
            count += 1
        except OSError:
            pass
        s.close()
    return "%d connections" % count


def connections(path, seconds):
    """connections, closed at once"""
    return connect_and_close(path, seconds)


def connections_with_requests(path, seconds):
    """connections that send a request, and are closed at once"""
    return connect_and_close(path, seconds, lambda count: line(type="subscribe", rate=120, view="v%d" % (count % 50)) * 20)


def refusals(path, seconds):
    """requests for precise accuracy; puckd refuses and records each"""
    held = connect(path, 300)
    return "%d connections; %d kB taken" % (
        len(held), storm(held, seconds, line(type="accuracy", mode="precise")) // 1000)


def unread(path, seconds):
    """unread answers of 100 kB, half lines of 60 kB, markers and overviews, on as many connections as puckd accepts"""
    held = connect(path, 510)
    send_all(held, overview(4000))
    for k in range(40):
        send_all(held, b"".join(line(type="marker", marker="m%d" % (5 * k + j), position=[j, 1]) for j in range(5)))
    storm(held, seconds, line(type="status", id="x" * 120), reads=False)
    send_all(held, b'{"type":"' + b"x" * 60000)
    return "%d connections" % len(held)


def urgent_bytes(path, seconds):
    """urgent bytes among requests"""
    held, end, count = connect(path, 50), time.monotonic() + seconds, 0
    while time.monotonic() < end and held:
        for s in held:
            try:
                s.send(line(type="ping"))
                count += s.send(b"x", socket.MSG_OOB)
                s.recv(1 << 16)
            except OSError:
                pass
    return "%d urgent bytes" % count


def slow_to_close():
    """A TCP connection whose closing takes a minute, and its other end, which does not read."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        tcp = socket.create_connection(listener.getsockname())
        peer = listener.accept()[0]
    tcp.setblocking(False)
    try:
        while True:
            tcp.send(b"x" * 65536)
    except BlockingIOError:
        pass
    tcp.setblocking(True)
    tcp.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 60))
    return tcp, peer


def close_in_background(tcp):
    """Closes this process's own end, by a thread: should it be the last, that takes long."""
    threading.Thread(target=tcp.close, daemon=True).start()


def hand_over(path, seconds, way, count=1):
    """Hands over connections that take long to close, by `way`; says how many the kernel let through."""
    refused = taken = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end and taken < 20 and refused < 20:
        slow = [slow_to_close() for _ in range(count)]
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [tcp.fileno() for tcp, _ in slow]))]
        s = socket.socket(socket.AF_UNIX)
        s.connect(path)
        try:
            way(s, rights)
            taken += 1
        except (PermissionError, BrokenPipeError, ConnectionResetError):
            refused += 1
        for tcp, _ in slow:
            close_in_background(tcp)
        time.sleep(0.05)
        s.close()
        time.sleep(0.05)
        for _, peer in slow:
            # Whatever still waits for it is over.
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        kept_peers.extend(peer for _, peer in slow)
    time.sleep(max(1, end - time.monotonic()))
    return "%d refused by the kernel, %d taken" % (refused, taken)


kept_peers = []


def descriptors(path, seconds):
    """descriptors of TCP connections that take a minute to close"""
    return hand_over(path, seconds, lambda s, rights: s.sendmsg([b"x"], rights))


def descriptors_before_request(path, seconds):
    """the same, many at once, with a request"""
    return hand_over(path, seconds, lambda s, rights: s.sendmsg([line(type="ping") * 50], rights), 20)


def descriptors_amid_requests(path, seconds):
    """the same between requests with unread answers"""
    def way(s, rights):
        s.sendall(line(type="subscribe", rate=120) + line(type="status") * 20)
        s.sendmsg([line(type="ping")], rights)
        s.sendall(line(type="status") * 20)
    return hand_over(path, seconds, way)


def descriptors_half_closed(path, seconds):
    """the same on a connection that the client closes at once"""
    def way(s, rights):
        s.recv(4096)
        s.sendmsg([b'{"type":'], rights)
        s.shutdown(socket.SHUT_WR)
    return hand_over(path, seconds, way)


def descriptors_deaf(path, seconds):
    """the same, then an immediate disconnection"""
    def way(s, rights):
        s.sendmsg([line(type="ping")] * 3, rights)
        s.close()
    return hand_over(path, seconds, way)


def descriptors_urgent(path, seconds):
    """the same with an urgent byte"""
    def way(s, rights):
        s.sendall(line(type="ping"))
        s.sendmsg([b"x"], rights, socket.MSG_OOB)
        s.sendall(line(type="ping"))
    return hand_over(path, seconds, way)


def descriptors_turned_away(path, seconds):
    """the same on connections that puckd refuses because there are too many"""
    held = connect(path, 510)
    return hand_over(path, seconds, lambda s, rights: s.sendmsg([b"x"], rights)) + "; %d connections held" % len(held)


DESCRIPTOR_ATTACKS = [nothing, descriptors, descriptors_before_request, descriptors_amid_requests, descriptors_half_closed,
                      descriptors_deaf, descriptors_urgent, descriptors_turned_away]


def accents(path, seconds):
    """lines with thousands of accents on one letter, as a type, a field's name and a value"""
    # Of several classes and out of order, so that whoever compares them by Unicode's rules has to sort them.
    text = "a" + "\u0301\u0323\u031b\u0327" * 7500
    data = b"".join(template.replace("*", text).encode() + b"\n" for template in (
        '{"type":"*"}', '{"type":"ping","*":1}', '{"type":"track","mode":"*"}', '{"type":"subscribe","view":"*"}'))
    held = connect(path, 50)
    return "%d connections; %d kB taken" % (len(held), storm(held, seconds, data) // 1000)


def single_bytes(path, seconds):
    """half lines that grow byte by byte, on as many connections as puckd accepts"""
    held, end, count = connect(path, 510), time.monotonic() + seconds, 0
    while time.monotonic() < end:
        for s in held:
            try:
                count += s.send(b"x")
            except OSError:
                pass
    return "%d connections; %d bytes" % (len(held), count)


def animations(path, seconds):
    """a moving camera in each connection's own view, at 120 frames a second"""
    held = connect(path, 510)
    send_all(held, ANIMATION)
    return "%d connections; %d MB of frames" % (len(held), read_all(held, seconds) // 1_000_000)


ANIMATION = line(type="subscribe", rate=120, include=["puck", "camera", "markers"]) + line(
    type="overview", geometry={"type": "MultiPoint", "coordinates": [[10, 10], [20, 20]]}, duration=0) + line(
    type="fly", camera={"center": [100, 50], "zoom": 9}, duration=60)


def changing_views(path, seconds):
    """new cameras in twenty named views, whose watchers all have different streams"""
    held = connect(path, 510)
    for k, s in enumerate(held):
        send_all([s], line(type="subscribe", view="h%d" % (k % 20), rate=1 + k / 5, include=["camera", "markers", "source"]))
    data = b"".join(line(type="ease", view="h%d" % (k % 20), camera={"zoom": 1 + k % 10}, duration=0) for k in range(100))
    return "%d connections; %d kB taken" % (len(held), storm(held, seconds, data) // 1000)


def many_groups(path, seconds):
    """connections of a process in 65,000 groups (sub-gids)"""
    os.setgroups(range(FIRST_OF_MANY, FIRST_OF_MANY + 65_000))
    os.setgid(HOSTILE)
    os.setuid(HOSTILE)
    return connections(path, seconds)


def many_pings(path, seconds):
    """pings of 300 users, as fast as puckd reads them"""
    held = connect_as_many(path, 300)
    return "%d connections; %d kB taken" % (len(held), storm(held, seconds, line(type="ping")) // 1000)


def many_overviews(path, seconds):
    """overviews of 4,096 positions by 300 users, continuously"""
    held = connect_as_many(path, 300)
    return "%d connections; %d kB taken" % (len(held), storm(held, seconds, overview()) // 1000)


def many_animations(path, seconds):
    """a moving camera in each of 900 views of 300 users, at 120 frames a second"""
    held = connect_as_many(path, 300, 3)
    send_all(held, ANIMATION)
    return "%d connections; %d MB of frames" % (len(held), read_all(held, seconds) // 1_000_000)


def many_markers(path, seconds):
    """60 moving markers in each of 150 views of 150 users, at 120 frames a second"""
    held = connect_as_many(path, 150)
    data = b"".join(line(type="marker", marker="m%d" % k, position=[k, 1], duration=0)
                    + line(type="marker", marker="m%d" % k, position=[k, 50], duration=3600) for k in range(60))
    send_all(held, data + line(type="subscribe", rate=120, include=["markers"]))
    return "%d connections; %d MB of frames" % (len(held), read_all(held, seconds) // 1_000_000)


def many_newcomers(path, seconds):
    """connections that send fifty requests and are closed at once, each of another user"""
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        os.seteuid(FIRST_OF_MANY + count % 60_000)
        s = socket.socket(socket.AF_UNIX)
        try:
            s.connect(path)
            s.sendall(line(type="subscribe", view="v%d" % count) * 50)
        except OSError:
            pass
        s.close()
        os.seteuid(0)
        count += 1
    return "%d connections" % count


def many_refusals(path, seconds):
    """requests for precise accuracy by 300 users; puckd refuses and records each"""
    held = connect_as_many(path, 300)
    return "%d connections; %d kB taken" % (len(held), storm(held, seconds, line(type="accuracy", mode="precise")) // 1000)


# They need root to become who they are.
for attack in (many_groups, many_pings, many_overviews, many_animations, many_markers, many_newcomers, many_refusals):
    attack.as_root = True

ATTACKS = [nothing, unknown_type, unknown_type_of_many, unknown_fields, sizes, overviews, track_next, markers, moving_markers,
           connections, connections_with_requests, refusals, urgent_bytes, descriptors, accents, single_bytes, animations,
           changing_views, unread, many_groups, many_pings, many_overviews, many_animations, many_markers, many_newcomers,
           many_refusals]


def who(path, seconds):
    """`who` with all connections in use, continuously, by an administrator"""
    held = connect(path, 510)
    return "%d connections; %d kB taken" % (len(held), storm(held[:3], seconds, line(type="who")) // 1000)


who.rules = "rule = user:%d precise observer controller admin" % HOSTILE


def grants(path, seconds):
    """grants that are requested and ended, on as many connections as puckd accepts"""
    held = connect(path, 510)
    send_all(held, line(type="subscribe", rate=60))
    data = line(type="requestPrecise", purpose="hostile") + line(type="endPrecise")
    return "%d connections; %d kB taken" % (len(held), storm(held, seconds, data) // 1000)


grants.rules = "[purpose hostile]\ndescription = Attack\nseconds = 60\nallow = user:%d" % HOSTILE


def run_as_hostile(attack, path):
    """What an attack says of itself."""
    process = subprocess.run(
        [sys.executable, os.path.abspath(__file__), "--attack", attack.__name__, path, str(SECONDS)],
        stdout=subprocess.PIPE, text=True, timeout=120, check=True)
    return process.stdout.strip()


def measure(program, attacks, rules="", preload=None, log=None):
    """Makes attacks on one puckd; those that did not hold, and the most memory it ever had, KiB."""
    puckd = Puckd(program, policy=POLICY % rules, preload=preload, log=log)
    os.chmod(puckd.place, 0o755)
    witness, failed = Witness(puckd.path), []
    for attack in attacks:
        time.sleep(1)
        witness.restart()
        begin = time.monotonic()
        text = run_as_hostile(attack, puckd.path)
        elapsed = time.monotonic() - begin
        gap, ping, count = witness.result()
        holds = gap <= LONGEST_GAP and ping <= LONGEST_PING and count >= 10 * elapsed - 5 and not witness.closed
        holds = holds and witness.granted and not witness.lost
        holds = holds and puckd.process.poll() is None
        if not holds:
            failed.append(attack.__name__)
        print("| %s | %s%s | gap %.0f ms, ping %.1f ms of %d |" % (
            attack.__doc__, text, "" if holds else " **(too much)**", 1000 * gap, 1000 * ping, count), flush=True)
    peak = puckd.peak()
    written = puckd.log_bytes()
    puckd.end()
    return failed, peak, written


# Resident memory at the most, all attacks taken together, KiB: what MemoryMax= of the unit leaves room for.
MOST_MEMORY = 192 * 1024
# What all of these may write into the journal, bytes.
MOST_LOG = 6_000_000


def old_kernel():
    """A library that makes puckd find a kernel before 6.16, which refuses no descriptors."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "old-kernel.c")
    library = os.path.join(tempfile.mkdtemp(prefix="puckd-faults-"), "old-kernel.so")
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror", "-o", library, source, "-ldl"], check=True)
    return library


def main(program):
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    print("| what user 65534 does for %d s | result | the witness's longest gap, 99th percentile of pings |\n"
          "|---|---|---|" % SECONDS, flush=True)
    failed, peak, log = measure(program, ATTACKS)
    print("| all of these | %.1f MiB resident at the peak; %d kB of journal | |" % (peak / 1024, log // 1000), flush=True)
    if peak > MOST_MEMORY:
        failed.append("memory")
    if log > MOST_LOG:
        failed.append("journal")
    for attack in (who, grants):
        failed += measure(program, [attack], attack.rules)[0]
    print("| while nobody reads the log: | | |", flush=True)
    unread_end, log_end = os.pipe()
    failed += measure(program, [connections_with_requests, many_refusals], log=log_end)[0]
    os.close(unread_end)
    os.close(log_end)
    print("| on a kernel that refuses no descriptors: | | |", flush=True)
    library = old_kernel()
    failed += measure(program, DESCRIPTOR_ATTACKS, preload=library)[0]
    os.remove(library)
    os.rmdir(os.path.dirname(library))
    if failed:
        sys.exit("did not hold: " + ", ".join(failed))


if __name__ == "__main__":
    if len(sys.argv) == 5 and sys.argv[1] == "--attack":
        resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
        attack = {f.__name__: f for f in ATTACKS + DESCRIPTOR_ATTACKS + [who, grants]}[sys.argv[2]]
        # Here and not by whoever starts it: the interpreter need not be where that user may read.
        if not getattr(attack, "as_root", False):
            become(HOSTILE)
        print(attack(sys.argv[3], float(sys.argv[4])))
    elif len(sys.argv) == 2:
        main(sys.argv[1])
    else:
        sys.exit(__doc__)
