#!/usr/bin/env python3
"""usage: run.py DIRECTORY

Tests the package in a Debian 13 that boots with its own systemd: real gpsd, systemd, D-Bus and users; a simulated
receiver on a pseudo-terminal. DIRECTORY is the output of make-trees.sh. Each step does one thing to the system and
checks what the clients see. The steps run in order, and the first failure ends the test.
"""

import math
import os
import re
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import ways
from container import Client, Container, Failure, await_that

# The place of the simulated drive, which stays within some hundred metres.
PLACE = (11.5755, 48.1374)

# All the fields that an approximate client may get (docs/protocol.md), by message.
APPROXIMATE = {
    "frame": {"type", "seq", "time", "monotonic", "view", "puck", "camera"},
    "puck": {"state", "accuracyMode", "position", "accuracy"},
    "source": {"type", "state", "since"},
    "authorization": {"type", "accuracy", "allowed", "reason"},
    "view": {"type", "view", "mode", "status", "state", "reason", "cause"},
}

steps = []


def step(function):
    steps.append(function)
    return function


def expect(condition, what):
    if not condition:
        raise Failure(f"expected {what}")


def metres_from_place(position):
    east = (position[0] - PLACE[0]) * math.cos(math.radians(PLACE[1]))
    return math.hypot(east, position[1] - PLACE[1]) * 111_195


def is_precise(message):
    puck = message.get("puck", {})
    return puck.get("accuracyMode") == "precise" and puck.get("state") == "live"


def is_approximate(message):
    return message.get("puck", {}).get("accuracyMode") == "approximate"


def source(state):
    return lambda message: message["type"] == "source" and message["state"] == state


class World:
    """The container, its users' clients and its receiver."""

    def __init__(self, container):
        self.container = container
        self.alice = self.bob = None
        self.tty = None

    # The receiver

    def plug_in(self, tty):
        """Plugs in a receiver as /dev/ttyUSBn, gives it udev's permissions, and adds it to gpsd like udev's
        gpsdctl@.service. (udev does not run in a container; `udevadm test` gives the result of its rules.)
        """
        run = self.container.run
        unit = f"receiver-{tty}"
        printed = f"/run/{unit}"
        run("systemd-run", f"--unit={unit}", f"--property=StandardOutput=file:{printed}", "receiver-simulator",
            "--route", "city", "--rate", "2", "--print-device")
        terminal = await_that("a pseudo-terminal", lambda: self.container.path(printed).exists()
                              and self.container.path(printed).read_text().strip())
        self.tty = f"/dev/{tty}"
        run("touch", self.tty)
        run("mount", "--bind", terminal, self.tty)
        self.apply_udev_rules()
        self.tell_gpsd()

    def alice_sees_plugged_in(self, tty):
        """Plugs in a receiver. Alice gets its name and a puck."""
        self.alice.mark()
        self.plug_in(tty)
        told = self.alice.next("the source of a fix", source("fix"), within=30)
        expect(told["device"] == self.tty, f"{self.tty}, got {told}")
        self.precise_again()

    def tell_gpsd(self, verb="add"):
        self.container.run("env", "GPSD_SOCKET=/run/gpsd.sock", "gpsdctl", verb, self.tty)

    def apply_udev_rules(self):
        owner, group, mode = udev_verdict(self.container)
        self.container.run("chown", f"{owner}:{group}", self.tty)
        self.container.run("chmod", mode, self.tty)

    def unplug(self):
        unit = f"receiver-{self.tty.removeprefix('/dev/')}"
        self.container.run("systemctl", "kill", "--signal=KILL", unit)
        self.container.run("umount", "--lazy", self.tty)
        self.container.run("rm", self.tty)
        self.tell_gpsd("remove")

    # Clients

    def connect(self, user):
        client = Client(self.container, user)
        client.ask(type="subscribe", rate=5, include=["puck", "camera", "source"])
        return client

    def reconnect(self):
        for client in (self.alice, self.bob):
            client.close()
        self.alice = self.connect("alice")
        self.bob = self.connect("bob")

    def precise_on_new_connections(self):
        self.reconnect()
        self.precise_again()

    def precise_again(self, within=30):
        """Checks that Alice's puck is live and on the drive."""
        self.alice.mark()
        frame = self.alice.next("a live precise puck", is_precise, within)
        expect(metres_from_place(frame["puck"]["position"]) < 1000, f"a place on the drive, got {frame['puck']}")
        return frame


def udev_verdict(container):
    """The owner, group and mode that udev's rules give a serial port, from a simulated event of an existing port."""
    ports = sorted(path.name for path in Path("/sys/class/tty").glob("ttyS*"))
    expect(ports, "a serial port in /sys/class/tty, to ask udev's rules about")
    said = container.run("udevadm", "test", "--action=add", f"/sys/class/tty/{ports[0]}", check=False)

    def find(what, default):
        found = re.search(rf"Device node {what}:\s+(\S+)", said)
        return found[1] if found else default

    group = find("group", "root")
    return find("owner", "root"), group, find("permission", "0660" if group != "root" else "0600")


# Installation


@step
def install_the_package(world):
    """The package installs on a Debian 13 without Swift, with apt alone, and runs."""
    run = world.container.run
    expect(not world.container.succeeds("sh", "-c", "command -v swift"), "no Swift here")
    run("apt-get", "install", "-y", "/root/puckd.deb", within=180)
    for unit in ("puckd.service", "puckd.socket"):
        expect(run("systemctl", "is-active", unit, check=False) == "active", f"{unit} active after installation")
        expect(run("systemctl", "is-enabled", unit, check=False) == "enabled", f"{unit} enabled")
    libraries = run("ldd", "/usr/bin/puckd")
    expect("swift" not in libraries.lower() and "libicu" not in libraries, f"no Swift library, got\n{libraries}")
    expect(run("puckd", "--check-config", check=False).endswith("ok"), "a configuration without errors")
    run("getent", "group", "puckd-precise")
    for page in ("puckd.8", "puckd.conf.5", "puckctl.1", "puckd-protocol.7", "puckd-private.8"):
        run("test", "-s", f"/usr/share/man/man{page[-1]}/{page}.gz")


@step
def exposure_is_low(world):
    """systemd-analyze security rates the service's exposure as low."""
    said = world.container.run("systemd-analyze", "security", "--no-pager", "puckd.service")
    exposure = float(re.search(r"Overall exposure level for puckd\.service: ([\d.]+)", said)[1])
    expect(exposure <= 1.5, f"an exposure of at most 1.5, got {exposure}")
    world.container.run("systemd-analyze", "verify", "--man=no", "puckd.service", "puckd.socket")


@step
def two_users_connect(world):
    """Alice may see the precise location, and Bob may not. Both may connect."""
    run = world.container.run
    run("useradd", "--create-home", "--groups", "puckd-precise", "alice")
    run("useradd", "--create-home", "--groups", "dialout", "bob")
    world.alice = world.connect("alice")
    world.bob = world.connect("bob")
    for client, accuracy in ((world.alice, "precise"), (world.bob, "approximate")):
        told = [m for m in client.messages if m["type"] == "authorization"]
        expect(told and told[-1]["accuracy"] == told[-1]["allowed"] == accuracy, f"{client.user} {accuracy}, got {told}")


@step
def a_receiver_is_plugged_in(world):
    """The source goes from no device to a puck on the drive."""
    world.alice_sees_plugged_in("ttyUSB0")


# The four ways to bypass puckd


def positions_by_all_ways(world):
    container = world.container
    return {
        "port": ways.by_port(container, "bob"),
        "shared memory": ways.by_shared_memory(container, "bob"),
        "bus": ways.by_bus(container, "bob"),
        "tty": ways.by_tty(container, "bob", world.tty),
    }


@step
def without_the_arrangement_gpsd_tells_bob(world):
    """Each way is open by default, so the attempts below are real."""
    for way, position in positions_by_all_ways(world).items():
        expect(position and metres_from_place(position) < 1000, f"gpsd to tell Bob a position by {way}, got {position}")


@step
def receivers_are_recognised(world):
    """The udev rule's helper knows the receivers of /etc/default/gpsd by all their names."""
    defaults = '# a comment\nDEVICES="/dev/ttyUSB7 /dev/serial/by-id/usb-gps"\nGPSD_OPTIONS="-n"\n'
    world.container.write("/run/defaults", defaults)
    for names, known in (
        (["/dev/ttyUSB7"], True), (["/dev/ttyUSB70"], False), (["/dev/ttyACM0", "serial/by-id/usb-gps"], True),
        (["/dev/ttyACM0", "serial/by-id/usb-modem"], False), (["/dev/tty"], False),
    ):
        answer = world.container.succeeds("env", "GPSD_DEFAULTS=/run/defaults", "/usr/libexec/puckd/is-receiver", *names)
        expect(answer == known, f"is-receiver {names} {known}")
    expect(not world.container.succeeds("env", "GPSD_DEFAULTS=/nonexistent", "/usr/libexec/puckd/is-receiver", "x"),
           "no receivers without defaults")


@step
def with_the_arrangement_gpsd_tells_puckd_alone(world):
    """With puckd-private on, Bob gets nothing in any of the four ways, and Alice still gets her puck."""
    run = world.container.run
    expect(run("puckd-private", "status") == "off", "off by default")
    run("puckd-private", "on")
    expect(run("puckd-private", "status") == "on", "on")
    world.apply_udev_rules()
    world.tell_gpsd()
    world.precise_on_new_connections()
    for way, position in positions_by_all_ways(world).items():
        expect(position is None, f"nothing for Bob by {way}, got {position}")
    listening = run("cat", "/proc/net/tcp", "/proc/net/tcp6")
    expect(not re.search(rf":{ways.PORT:04X} \S+ 0A ", listening), f"no port 2947 to listen, got\n{listening}")
    # gpsd gives access to the group, which has no members.
    permissions = run("stat", "--format=%U %G %a", world.tty)
    expect(permissions in ("gpsd puckd-receiver 600", "gpsd puckd-receiver 660"), f"gpsd's tty, got {permissions}")
    expect(run("getent", "group", "puckd-receiver").endswith(":"), "no members of the group")


@step
def gpsd_refuses_to_be_half_private(world):
    """gpsd does not start if its socket is in the host's network."""
    run = world.container.run
    drop_in = "/etc/systemd/system/gpsd.socket.d/puckd-private.conf"
    run("mv", drop_in, "/run/kept")
    run("systemctl", "daemon-reload")
    run("systemctl", "stop", "puckd.service", "gpsd.socket")
    run("systemctl", "start", "gpsd.socket")
    expect(not world.container.succeeds("systemctl", "start", "gpsd.service"), "no gpsd on a port of the host")
    expect("gpsd's port 2947 is open in the host" in world.container.journal("gpsd.service"), "the reason in the journal")
    expect(ways.by_port(world.container, "bob") is None, "nothing for Bob by the port")
    run("mv", "/run/kept", drop_in)
    run("puckd-private", "on")
    run("systemctl", "start", "puckd.service")
    world.tell_gpsd()
    world.precise_on_new_connections()


@step
def the_arrangement_outlives_restarts_in_any_order(world):
    """After a restart of gpsd, its socket or puckd, all three share namespaces again, and not the host's."""
    run = world.container.run

    def namespaces(unit):
        pid = world.container.property(unit, "MainPID")
        expect(pid != "0", f"{unit} to run")
        return [run("readlink", f"/proc/{pid}/ns/{kind}") for kind in ("net", "ipc")]

    for order in (["gpsd.service"], ["puckd.service"], ["gpsd.socket"], ["puckd.service", "gpsd.service"]):
        for unit in order:
            run("systemctl", "restart", unit)
        world.tell_gpsd()
        shared, own = namespaces("gpsd.service"), [run("readlink", f"/proc/1/ns/{kind}") for kind in ("net", "ipc")]
        expect(namespaces("puckd.service") == shared, f"puckd and gpsd together after restarting {order}")
        expect(all(mine != theirs for mine, theirs in zip(shared, own)), f"neither in the host's after {order}")
    world.precise_on_new_connections()


# What each client may see


@step
def bob_gets_an_approximate_location(world):
    """Bob gets one point with a true circle at the first epoch, a minute after the start, and nothing else."""
    frame = world.bob.next("an approximate frame", is_approximate, within=150)
    puck = frame["puck"]
    distance = metres_from_place(puck["position"])
    expect(distance <= puck["accuracy"], f"a circle that is true, got {puck}, {distance:.0f} m off")
    expect(puck["accuracy"] >= 5000, f"a circle of five kilometres, got {puck}")
    world.approximate = frame


@step
def alice_switches_to_approximate_and_back(world):
    """Alice gets a message before an approximate frame, sees what Bob sees, and her return is marked as a jump."""
    alice = world.alice
    mark = alice.mark()
    alice.ask(type="accuracy", mode="approximate")
    frame = alice.next("an approximate frame", is_approximate)
    between = alice.since(mark)
    kinds = [m["type"] for m in between[: between.index(frame)] if m["type"] in ("authorization", "frame")]
    told = kinds.index("authorization")
    expect("frame" not in kinds[told:], f"no frame between authorization and the approximate one, got {kinds}")
    expect(frame["puck"] == world.approximate["puck"], f"the point that Bob has, got {frame['puck']}")
    expect(not [m for m in between[between.index(frame):] if is_precise(m)], "no precise frame from then on")
    alice.ask(type="accuracy", mode="precise")
    back = alice.next("a precise frame", is_precise)
    expect(back["puck"].get("discontinuity") is True, f"a discontinuity, got {back['puck']}")


@step
def bob_can_not_switch_to_precise(world):
    """puckd refuses each request for more, and nothing changes."""
    bob = world.bob
    mark = bob.mark()
    for request in (
        dict(type="accuracy", mode="precise"), dict(type="accuracy", mode="precise", scope="system"),
        dict(type="accuracy", mode="approximate", scope="system"), dict(type="requestPrecise", purpose="navigation"),
        dict(type="who"), dict(type="place", position=[0, 0]),
    ):
        answer = bob.ask(**request)
        expect(answer["type"] == "error", f"a refusal of {request}, got {answer}")
    bob.ask(type="subscribe", accuracy="precise", rate=120)
    time.sleep(3)
    leaks = [m for m in bob.since(mark) if m["type"] == "frame" and not is_approximate(m)]
    expect(not leaks, f"nothing precise, got {leaks[:1]}")


@step
def an_admin_binds_everyone(world):
    """root's limit for everyone applies to Alice at once, survives a restart, and can be lifted."""
    world.alice.mark()
    world.container.run("puckctl", "accuracy", "approximate")
    told = world.alice.next("an authorization", lambda m: m["type"] == "authorization")
    expect((told["accuracy"], told["reason"]) == ("approximate", "system"), f"bound by the system, got {told}")
    world.container.run("systemctl", "restart", "puckd")
    world.reconnect()
    frame = world.alice.next("a frame", lambda m: m["type"] == "frame")
    expect(frame["puck"] == world.approximate["puck"], f"approximate after the restart too, got {frame}")
    world.container.run("puckctl", "accuracy", "precise")
    world.precise_again()


# Faults


@step
def the_receiver_is_unplugged(world):
    """Alice gets a message and stays connected. Bob sees nothing."""
    mark = world.bob.mark()
    world.alice.mark()
    world.unplug()
    told = world.alice.next("another state of the source", lambda m: m["type"] == "source" and m["state"] != "fix")
    expect(told["state"] in ("no-device", "no-data", "stale", "lost"), f"a state that tells what it is, got {told}")
    world.alice.next("no device", source("no-device"), within=60) if told["state"] != "no-device" else None
    expect(world.bob.since(mark) == [], f"no word to Bob, got {world.bob.since(mark)}")


@step
def it_is_plugged_in_again_under_another_name(world):
    """The same connections continue, with the new name."""
    world.alice_sees_plugged_in("ttyUSB1")
    expect(not world.alice.ended and not world.bob.ended, "both still connected")


@step
def gpsd_is_restarted(world):
    """Clients stay connected and get messages. The puck returns with the receiver."""
    world.alice.mark()
    mark = world.bob.mark()
    world.container.run("systemctl", "restart", "gpsd.service")
    world.alice.next("a source that is no fix", lambda m: m["type"] == "source" and m["state"] != "fix")
    world.tell_gpsd()
    world.precise_again()
    expect(not world.alice.ended and not world.bob.ended, "both still connected")
    expect(world.bob.since(mark) == [], f"no word to Bob, got {world.bob.since(mark)}")


@step
def gpsd_is_killed(world):
    """After a crash of gpsd, puckd's next attempt starts it again through its socket."""
    world.alice.mark()
    world.container.run("systemctl", "kill", "--signal=KILL", "gpsd.service")
    world.alice.next("no daemon, or no device", lambda m: m["type"] == "source" and m["state"] != "fix")
    await_that("gpsd running again", lambda: world.container.run(
        "systemctl", "is-active", "gpsd.service", check=False) == "active")
    world.tell_gpsd()
    world.precise_again()


class Knocking:
    """In a `with` statement: a client connects to puckd again and again, and must be served each time."""

    def __init__(self, container):
        self._path = str(container.path("/run/puckd/puckd.sock"))
        self._stop = threading.Event()
        self._refused, self._served = [], []
        self._thread = threading.Thread(target=self._knock)

    def _knock(self):
        while not self._stop.is_set():
            with socket.socket(socket.AF_UNIX) as connection:
                try:
                    connection.settimeout(20)
                    connection.connect(self._path)
                    self._served.append(connection.recv(1) == b"{")
                except OSError as error:
                    self._refused.append(error)
            time.sleep(0.02)

    def __enter__(self):
        self._thread.start()
        time.sleep(0.5)

    def __exit__(self, kind, *_):
        time.sleep(0.5)
        self._stop.set()
        self._thread.join()
        if kind is None:
            expect(not self._refused, f"no connection refused, got {self._refused[:1]}")
            expect(len(self._served) > 5 and all(self._served), f"all to be served, got {self._served}")


@step
def puckd_is_restarted(world):
    """The socket stays: clients that connect meanwhile wait and are served. Bob gets the same bytes as before."""
    before = last_approximate_bytes(world.bob)
    with Knocking(world.container):
        world.container.run("systemctl", "restart", "puckd.service")
    world.alice.await_end()
    goodbye = [m for m in world.alice.messages if m.get("code") == "shutting-down"]
    expect(goodbye and goodbye[-1]["fatal"], "a goodbye that says why")
    world.precise_on_new_connections()
    expect(last_approximate_bytes(world.bob) == before, "the same bytes for Bob")


@step
def the_package_is_upgraded(world):
    """A new puckd runs, no client was refused meanwhile, and the private arrangement is unchanged."""
    old = world.container.property("puckd.service", "MainPID")
    with Knocking(world.container):
        world.container.run("apt-get", "install", "-y", "--reinstall", "/root/puckd.deb", within=180)
    expect(world.container.property("puckd.service", "MainPID") not in ("0", old), "another process")
    expect(world.container.run("puckd-private", "status") == "on", "the arrangement as it was")
    world.precise_on_new_connections()


def last_approximate_bytes(bob):
    """The newest approximate frame. On a new connection it comes at once."""
    await_that("an approximate frame", lambda: [m for m in bob.messages if is_approximate(m)])
    return [m for m in bob.messages if is_approximate(m)][-1]["raw"]


@step
def puckd_is_killed(world):
    """After SIGKILL, systemd restarts puckd, and its state is unchanged."""
    before = last_approximate_bytes(world.bob)
    old = world.container.property("puckd.service", "MainPID")
    world.container.run("systemctl", "kill", "--signal=KILL", "puckd.service")
    world.alice.await_end()
    await_that("another puckd", lambda: world.container.property("puckd.service", "MainPID") not in ("0", old))
    world.precise_on_new_connections()
    expect(last_approximate_bytes(world.bob) == before, "the same bytes for Bob")
    expect(int(world.container.property("puckd.service", "NRestarts")) >= 1, "a restart that systemd counted")


@step
def the_disk_is_full(world):
    """With a full disk, puckd keeps serving, logs an error, and saves its state again when there is room."""
    run = world.container.run
    state = "/var/lib/private/puckd"
    run("systemctl", "stop", "puckd.service", "puckd.socket")
    run("cp", "-a", state, f"{state}.kept")
    owner = run("stat", "--format=%u:%g", state)
    run("mount", "-t", "tmpfs", "-o", "size=64k,mode=0700", "state", state)
    run("sh", "-c", f"cp -a {state}.kept/. {state}/ && chown {owner} {state} && rm -r {state}.kept")
    run("systemctl", "start", "puckd.socket", "puckd.service")
    world.precise_on_new_connections()
    run("sh", "-c", f"cat /dev/zero >{state}/ballast 2>/dev/null; ! printf x >{state}/more 2>/dev/null")

    refused = run("sh", "-c", "puckctl accuracy approximate 2>&1; echo status $?")
    expect("not saved" in refused and "status 0" not in refused, f"an error, since it is not saved, got {refused}")
    told = world.alice.next("an authorization", lambda m: m["type"] == "authorization")
    expect(told["accuracy"] == "approximate", f"bound although it can't be kept, got {told}")
    await_that("a word in the journal", lambda: "cannot save state"
               in world.container.journal("puckd.service"))
    expect(not world.alice.ended and not world.bob.ended, "both still connected")

    run("rm", "-f", f"{state}/ballast", f"{state}/more")
    run("puckctl", "accuracy", "precise")
    run("puckctl", "accuracy", "approximate")
    run("systemctl", "restart", "puckd.service")
    world.reconnect()
    frame = world.alice.next("a frame", lambda m: m["type"] == "frame")
    expect(is_approximate(frame), f"bound after the restart, got {frame}")
    run("puckctl", "accuracy", "precise")
    world.precise_again()


@step
def the_clock_is_set_an_hour_forward_and_back(world):
    """The time of day jumps while puckd and gpsd run. The puck continues undisturbed.

    The host's clock does not change: libfaketime gives both programs another time of day, from a file that it reads
    each time. The monotonic clock does not change either, as in a real change of the clock.
    """
    run = world.container.run
    library = run("sh", "-c", "ls /usr/lib/*/faketime/libfaketime.so.1")
    world.container.write("/etc/test-clock", "+0\n")
    for unit in ("puckd.service", "gpsd.service"):
        world.container.write(
            f"/run/systemd/system/{unit}.d/clock.conf",
            f"[Service]\nEnvironment=LD_PRELOAD={library} FAKETIME_TIMESTAMP_FILE=/etc/test-clock FAKETIME_NO_CACHE=1"
            " FAKETIME_DONT_FAKE_MONOTONIC=1 DONT_FAKE_MONOTONIC=1\n")
    run("systemctl", "daemon-reload")
    run("systemctl", "restart", "gpsd.service", "puckd.service")
    world.tell_gpsd()
    world.precise_on_new_connections()
    for offset in ("+1h", "+0", "-1h", "+0"):
        mark = world.alice.mark()
        world.container.write("/etc/test-clock", offset + "\n")
        for _ in range(20):
            frame = world.alice.next(f"a live puck with the clock at {offset}", is_precise, within=3)
            age = frame["puck"]["age"]
            expect(0 <= age < 3, f"an age of less than three seconds with the clock at {offset}, got {age}")
        frames = [m for m in world.alice.since(mark) if m["type"] == "frame"]
        ticks = [m["monotonic"] for m in frames]
        expect(ticks == sorted(ticks), f"a monotonic clock that never goes back, at {offset}")
        states = {m["state"] for m in world.alice.since(mark) if m["type"] == "source"}
        expect(states <= {"fix"}, f"no other state of the source at {offset}, got {states}")
        clock = world.container.run("sh", "-c", f"LD_PRELOAD={library} FAKETIME_TIMESTAMP_FILE=/etc/test-clock date +%s")
        hours = round((int(clock) - time.time()) / 3600)
        expect(hours == {"+1h": 1, "-1h": -1, "+0": 0}[offset], f"a clock at {offset}, got {hours} h")
    for unit in ("puckd.service", "gpsd.service"):
        run("rm", "-r", f"/run/systemd/system/{unit}.d")
    run("systemctl", "daemon-reload")
    run("systemctl", "restart", "gpsd.service", "puckd.service")
    world.tell_gpsd()
    world.precise_on_new_connections()


@step
def a_wrong_configuration_is_not_restarted_for_ever(world):
    """A reload fails and keeps the old one. A start fails, tells clients why, and keeps the socket; it works later."""
    run = world.container.run
    good = world.container.path("/etc/puckd/puckd.conf").read_text()
    world.container.write("/etc/puckd/puckd.conf", good + "\n[log]\nlevle = info\n")
    reloaded = world.container.succeeds("systemctl", "reload", "puckd.service")
    expect(not reloaded, "a reload with a wrong configuration fails")
    world.precise_again()
    expect("levle" in world.container.journal("puckd.service"), "the wrong key in the journal")
    run("systemctl", "restart", "puckd.service", check=False)
    expect(world.container.property("puckd.service", "ExecMainStatus") == "3", "exit code 3")
    # More connections than the number of starts that systemd allows a socket.
    knock = "for i in $(seq 60); do puckctl ping; done 2>&1"
    said = run("bash", "-c", knock, check=False)
    expect("puckd --check-config" in said, f"clients are told what to type: {said}")
    expect(world.container.property("puckd.socket", "ActiveState") == "active", "the socket stays")
    world.container.write("/etc/puckd/puckd.conf", good)
    run("systemctl", "restart", "puckd.service")
    world.precise_on_new_connections()


@step
def a_user_runs_one_of_their_own(world):
    """With an open gpsd and `systemctl --user start puckd`, Carol's own programs see the precise location."""
    run = world.container.run
    run("puckd-private", "off")
    world.apply_udev_rules()
    world.tell_gpsd()
    run("useradd", "--create-home", "carol")
    run("loginctl", "enable-linger", "carol")
    uid = run("id", "-u", "carol")
    runtime = f"/run/user/{uid}"
    own = ("env", f"XDG_RUNTIME_DIR={runtime}")
    await_that("carol's service manager", lambda: world.container.succeeds(
        *own, "systemctl", "--user", "is-system-running", user="carol"))
    run(*own, "systemctl", "--user", "start", "puckd", user="carol")
    carol = Client(world.container, "carol", socket=f"{runtime}/puckd/puckd.sock")
    carol.ask(type="subscribe")
    carol.next("a precise puck", is_precise)
    carol.close()
    expect(run("sh", "-c", "ls -d /home/carol/.local/state/puckd"), "the state among her files")
    run("loginctl", "terminate-user", "carol")
    run("puckd-private", "on")
    world.apply_udev_rules()
    world.tell_gpsd()
    world.precise_on_new_connections()


# In the end


@step
def bob_was_never_told_more(world):
    """Every message that Bob got in the whole test has only the fields of the approximate tier."""
    checked = 0
    for message in world.everything_bob_got():
        allowed = APPROXIMATE.get(message["type"])
        if allowed is None:
            continue
        checked += 1
        surplus = set(message) - {"raw", "arrival", "id"} - allowed
        surplus |= set(message.get("puck", {})) - APPROXIMATE["puck"]
        expect(not surplus, f"no {surplus} for Bob, got {message['raw']}")
        if message["type"] == "frame":
            expect(message["time"].endswith(":00.000Z"), f"a time to the minute, got {message['time']}")
    expect(checked > 20, f"a good number of messages, got {checked}")


@step
def the_journal_has_no_coordinate(world):
    """puckd's log of the whole test names users and reasons, and no place."""
    written = world.container.journal("puckd.service")
    expect("accuracy" in written and "system" in written, "the switches in the journal")
    found = re.findall(r"(?:48\.1\d{2,}|11\.5\d{2,})", written)
    expect(not found, f"no coordinate in the journal, got {found[:3]}")


@step
def purge_leaves_nothing(world):
    """After a purge, nothing of puckd is left, and gpsd is as it was before."""
    run = world.container.run
    world.alice.close()
    world.bob.close()
    run("umount", "--lazy", "/var/lib/private/puckd", check=False)
    run("apt-get", "purge", "-y", "puckd", within=180)
    left = run(
        "find", "/etc", "/usr", "/var", "/run", "-xdev", "-iname", "*puckd*",
        "-not", "-path", "/var/log/*", "-not", "-path", "/var/cache/apt/*", "-not", "-path", "/run/systemd/transient/*")
    expect(left == "", f"no file, got\n{left}")
    expect("puckd" not in run("getent", "group"), "no group")
    expect("puckd" not in run("systemctl", "list-unit-files"), "no unit")
    world.apply_udev_rules()
    world.tell_gpsd()
    await_that("gpsd's port where it was", lambda: ways.by_port(world.container, "bob"))


class Recording(World):
    """A world that keeps the messages of Bob's earlier connections."""

    def __init__(self, container):
        super().__init__(container)
        self.former = []

    def reconnect(self):
        self.former += self.bob.messages
        super().reconnect()

    def everything_bob_got(self):
        return self.former + self.bob.messages


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.splitlines()[0])
    if os.geteuid() != 0:
        sys.exit("run.py: only root can boot a container")
    directory = Path(sys.argv[1])
    passed = 0
    # Boot a copy, so that the test can run again.
    subprocess.run(["rm", "-rf", directory / "booted"], check=True)
    subprocess.run(["cp", "-a", directory / "tree", directory / "booted"], check=True)
    with Container(directory / "booted", directory / "boot.log") as container:
        world = Recording(container)
        for function in steps:
            begun = time.monotonic()
            try:
                function(world)
            except Exception as error:
                print(f"failed  {function.__name__.replace('_', ' ')}\n{error}", flush=True)
                (directory / "journal.log").write_text(container.run("journalctl", "--no-pager"))
                print(f"The system's journal is in {directory}/journal.log.")
                print(f"{passed} passed, 1 failed")
                if not isinstance(error, Failure):
                    raise
                sys.exit(1)
            passed += 1
            print(f"passed  {function.__name__.replace('_', ' ')} ({time.monotonic() - begun:.0f} s)", flush=True)
    print(f"{passed} passed, 0 failed")


if __name__ == "__main__":
    main()
