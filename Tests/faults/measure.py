#!/usr/bin/env python3
"""Expose a real puckd to faults, and print the results as a table.

  measure.py PUCKD

During each fault another client, the witness, subscribes to ten frames a second and must keep getting them. The program
sends only to loopback and Unix sockets, and ends by itself. If a limit is exceeded, it marks the line and exits with 1.
"""
import json
import os
import random
import resource
import socket
import subprocess
import sys
import tempfile
import time

from bench import Puckd

# The longest time that the witness may wait for a frame, seconds. Ten a second are due.
LONGEST_GAP = 0.5


def flood_of_connections(puckd, witness):
    """20,000 connections, each closed at once"""
    before = puckd.private()
    begin = time.time()
    for _ in range(20000):
        puckd.connect().close()
    puckd.client().wait_for("frame").close()
    grown = puckd.private() - before
    return "%.1f s; %+d KiB" % (time.time() - begin, grown), grown < 2048


def more_connections_than_allowed(puckd, witness):
    """1,100 open connections of one user"""
    held, refused = [], 0
    for _ in range(1100):
        s = puckd.connect()
        s.settimeout(10)
        if b'"hello"' in s.recv(65536):
            held.append(s)
        else:
            refused += 1
            s.close()
    for s in held:
        s.close()
    time.sleep(0.3)
    puckd.client().wait_for("frame").close()
    return "%d served, %d refused with too-many; a new one is served afterwards" % (len(held), refused), len(held) >= 500


def half_lines(puckd, witness):
    """200 connections that send only half a line"""
    held = [puckd.connect() for _ in range(200)]
    for s in held:
        s.sendall(b'{"type":"subscribe","rat')
    used = puckd.seconds_beside(held)
    return "%.2f s of processor time in 5 s" % used, used < 0.25


def stopped_readers(puckd, witness):
    """100 clients at 60 frames a second that never read, for 10 s"""
    before = puckd.private()
    held = [puckd.connect() for _ in range(100)]
    for s in held:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        s.sendall(b'{"type":"subscribe","rate":60}\n')
    time.sleep(10)
    grown = puckd.private() - before
    for s in held:
        s.close()
    return "%.1f KiB each" % (grown / len(held)), grown / len(held) < 320


def answers_unread(puckd, witness):
    """10,000 requests of one client that reads no answers"""
    before = puckd.private()
    s = puckd.connect()
    s.settimeout(20)
    sent = 0
    try:
        for _ in range(10000):
            s.sendall(b'{"type":"status","id":1}\n')
            sent += 1
    except OSError:
        pass
    time.sleep(0.5)
    grown = puckd.private() - before
    got, is_closed = 0, False
    try:
        while part := s.recv(1 << 20):
            got += len(part)
        is_closed = True
    except OSError as error:
        is_closed = isinstance(error, ConnectionError)
    s.close()
    return "%s with %d KiB unread; %+d KiB in puckd" % ("closed" if is_closed else "open", got // 1024, grown), \
        is_closed and grown < 2048


def garbage(puckd, witness):
    """10 MB of random bytes over 200 connections"""
    numbers = random.Random(1)
    closed = 0
    for _ in range(200):
        s = puckd.connect()
        s.settimeout(10)
        try:
            s.sendall(numbers.randbytes(50000))
            while s.recv(65536):
                pass
            closed += 1
        except OSError:
            closed += 1
        s.close()
    return "%d of 200 closed" % closed, closed == 200


def flood_of_requests(puckd, witness):
    """one client that sends requests as fast as it can, for 5 s"""
    s = puckd.connect()
    s.setblocking(False)
    before, end, sent = puckd.seconds(), time.time() + 5, 0
    line = b'{"type":"ping","id":7}\n'
    many, rest = line * 100, b""
    while time.time() < end:
        # Send the rest of a partial write first: half a line before a whole one would be a violation.
        rest = rest or many
        try:
            taken = s.send(rest)
        except BlockingIOError:
            taken = 0
        except OSError:
            break
        sent, rest = sent + taken, rest[taken:]
        try:
            s.recv(1 << 20)
        except OSError:
            pass
    used = puckd.seconds() - before
    s.close()
    return "%d requests; %.1f s of processor time" % (sent // len(line), used), used < 5


def gpsd_says_garbage(puckd, witness):
    """120 MB of random bytes from gpsd, among its fixes"""
    numbers = random.Random(2)

    for _ in range(2400):
        puckd.gpsd.send(numbers.randbytes(50000) + b"\n")
    # The current resident memory depends on when the allocator returns it. The peak is the most that these bytes cost.
    return "%d KiB resident at the peak" % puckd.peak(), puckd.peak() < 65536


def gpsd_floods(puckd, witness):
    """gpsd sends reports as fast as puckd reads them, for 5 s"""
    line = b'{"class":"ATT","device":"/dev/null","roll":1}\r\n{"class":"SKY","device":"/dev/null","hdop":1}\r\n' * 50
    before, sent, log = puckd.seconds(), puckd.gpsd.fillers, puckd.log_bytes()
    puckd.gpsd.filler = line
    time.sleep(5)
    puckd.gpsd.filler = None
    # The kernel's buffers still hold reports: their delay belongs to this fault, not to the next.
    for _ in range(20):
        frames = witness.count
        time.sleep(0.5)
        if witness.count - frames >= 4:
            break
    used, sent, log = puckd.seconds() - before, puckd.gpsd.fillers - sent, puckd.log_bytes() - log
    return "%d reports in %.1f s of processor time; %d bytes of log" % (100 * sent, used, log), log < 100000


def connections_for_long(puckd, witness):
    """5,000 clients one after the other, each with a view, a track, a marker and a request for a grant"""
    def one(number):
        s = puckd.connect()
        for request in ({"type": "subscribe", "view": "v%d" % (number % 7), "rate": 30},
                        {"type": "track", "view": "v%d" % (number % 7), "mode": "next"},
                        {"type": "marker", "view": "v%d" % (number % 7), "marker": "m%d" % number, "position": [8, 47]},
                        {"type": "removeMarker", "view": "v%d" % (number % 7), "marker": "m%d" % number},
                        {"type": "requestPrecise", "purpose": "none"}, {"type": "status", "id": "last"}):
            s.sendall(json.dumps(request).encode() + b"\n")
        s.settimeout(10)
        seen = b""
        while b'"last"' not in seen:
            seen = seen[-100:] + s.recv(65536)
        s.close()
    for number in range(1000):
        one(number)
    before = puckd.private()
    for number in range(1000, 5000):
        one(number)
    grown = puckd.private() - before
    return "%+d KiB over the last 4,000" % grown, grown < 512


FAULTS = [flood_of_connections, more_connections_than_allowed, half_lines, stopped_readers, answers_unread, garbage,
          flood_of_requests, gpsd_says_garbage, gpsd_floods, connections_for_long]


def descriptors_used_up(program):
    """64 descriptors, and 120 connections that need one"""
    puckd = Puckd(program, descriptors=64)
    witness = puckd.client().wait_for("frame")
    witness.restart()
    held = [puckd.connect() for _ in range(120)]
    used = puckd.seconds_beside(held)
    # puckd closes sockets beside its loop. Until then their descriptors are still used.
    time.sleep(0.5)
    puckd.client().wait_for("frame").close()
    gap = witness.gap
    puckd.end()
    return "%.2f s of processor time in 5 s; served again afterwards" % used, used < 0.5, gap


def a_day(program):
    """a day of one fix a second, replayed at 10 frames a second: resident memory at its end against the first hour's"""
    def line(k):
        t = 1772236800 + k
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(t))
        # An hour of driving back and forth, an hour at a standstill, and a minute without a fix each hour.
        east = abs(k % 7200 - 1800) * 10 if k % 7200 < 3600 else 18000
        return ('%d.100000: {"class":"TPV","device":"/dev/ttyACM0","mode":%d,"time":"%s","lat":47.4,"lon":%.7f,'
                '"altHAE":450,"eph":4,"speed":%d,"track":90}\n' % (
                    t, 1 if k % 3600 < 60 else 3, stamp, 8.5 + east * 1.327e-5, 10 if k % 7200 < 3600 else 0))

    def peak(epochs):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as f, open(os.devnull, "w") as null:
            # Write line by line: the memory that this process has at the fork counts for the child.
            f.writelines(map(line, range(epochs)))
            f.flush()
            process = subprocess.Popen([program, "replay", "--rate", "10", "--view", "follow", f.name], stdout=null)
            usage = os.wait4(process.pid, 0)
            assert usage[1] == 0
            return usage[2].ru_maxrss, usage[2].ru_utime + usage[2].ru_stime
    (hour, _), (day, seconds) = peak(3600), peak(86400)
    return "%.1f MiB, then %.1f MiB; %.1f s of processor time" % (hour / 1024, day / 1024, seconds), day - hour < 1024, 0.0


def main(program):
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    print("| fault | result | witness |\n|---|---|---|", flush=True)
    failed = []

    def tell(fault, text, holds, gap):
        holds = holds and gap < LONGEST_GAP
        if not holds:
            failed.append(fault.__name__)
        witness = "longest gap %.0f ms" % (1000 * gap) if gap else "–"
        print("| %s | %s%s | %s |" % (fault.__doc__, text, "" if holds else " **(too much)**", witness), flush=True)

    puckd = Puckd(program)
    witness = puckd.client().wait_for("frame")
    for fault in FAULTS:
        time.sleep(0.3)
        witness.restart()
        text, holds = fault(puckd, witness)
        time.sleep(0.3)
        assert not witness.closed and witness.count > 0, "the witness was disconnected"
        tell(fault, text, holds, witness.gap)
    puckd.end()
    for fault in (descriptors_used_up, a_day):
        tell(fault, *fault(program))
    if failed:
        sys.exit("too much: " + ", ".join(failed))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
