"""A Debian that boots with its own systemd in systemd-nspawn, and the operations of a test in it.

The container has only its own loopback interface, and its own users, processes and IPC. It shares the host's kernel,
and so its clock.
"""

import ctypes
import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path


class Failure(Exception):
    """The expectation of a step, and what happened instead."""


def await_that(what, condition, within=30.0, every=0.1):
    """Waits until condition() is true, and returns its result."""
    deadline = time.monotonic() + within
    while True:
        result = condition()
        if result:
            return result
        if time.monotonic() > deadline:
            raise Failure(f"expected within {within:g} s: {what}")
        time.sleep(every)


def _end_with_parent():
    # prctl(PR_SET_PDEATHSIG): no process survives the test, however it ends.
    ctypes.CDLL(None, use_errno=True).prctl(1, signal.SIGKILL)


class Container:
    """A booted tree, for a `with` statement."""

    def __init__(self, tree, log):
        self.tree = Path(tree)
        self.log = Path(log)

    def __enter__(self):
        command = [
            "systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--private-network", "--link-journal=no",
            f"--directory={self.tree}", f"--machine=puckd-test-{os.getpid()}", "--console=read-only", "--boot",
        ]
        # systemd 257 no longer boots with cgroup v1, even if the host uses it.
        environment = dict(os.environ, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY="1")
        with open(self.log, "wb") as log:
            self.nspawn = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                preexec_fn=_end_with_parent)
        try:
            self.leader = await_that("systemd as the container's first process", self._find_leader)
            await_that("a system that is up", self._is_up, within=120)
        except Failure as failure:
            self.__exit__()
            raise Failure(f"{failure}\n{self.log.read_text(errors='replace')[-3000:]}") from None
        return self

    def __exit__(self, *_):
        for step in (lambda: self.nspawn.send_signal(signal.SIGTERM), self.nspawn.kill):
            try:
                step()
                self.nspawn.wait(timeout=30)
                return
            except subprocess.TimeoutExpired:
                continue

    def _find_leader(self):
        if self.nspawn.poll() is not None:
            raise Failure(f"systemd-nspawn can't boot here: {self.log.read_text(errors='replace')}")
        children = Path(f"/proc/{self.nspawn.pid}/task/{self.nspawn.pid}/children").read_text().split()
        for child in children:
            if Path(f"/proc/{child}/comm").read_text().strip() == "systemd":
                return child
        return None

    def _is_up(self):
        state = self.run("systemctl", "is-system-running", check=False)
        if state == "degraded":
            raise Failure("units failed:\n" + self.run("systemctl", "--failed"))
        return state == "running"

    # Commands

    def command(self, *words, user=None):
        """The host's command line that runs this command in the container."""
        enter = ["nsenter", "--target", self.leader, "--all"]
        if user:
            enter += ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"]
        return enter + list(words)

    def run(self, *words, user=None, check=True, within=60.0):
        """Runs a command, and returns its standard output without surrounding white space."""
        result = subprocess.run(
            self.command(*words, user=user), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=within,
            errors="replace")
        if check and result.returncode != 0:
            raise Failure(f"{' '.join(words)}: exit code {result.returncode}\n{result.stdout}{result.stderr}")
        return result.stdout.strip()

    def succeeds(self, *words, user=None):
        result = subprocess.run(
            self.command(*words, user=user), stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        return result.returncode == 0

    def property(self, unit, name):
        return self.run("systemctl", "show", "--property", name, "--value", unit)

    def journal(self, unit, since=None):
        window = ["--since", since] if since else []
        return self.run("journalctl", "--no-pager", "--output=cat", "--unit", unit, *window)

    def path(self, path):
        """The host's path of a file in the running container, including its mounts."""
        return Path(f"/proc/{self.leader}/root{path}")

    def write(self, path, text):
        self.path(path).parent.mkdir(parents=True, exist_ok=True)
        self.path(path).write_text(text)


class Client:
    """A client of puckd that runs as a user of the container, and keeps all messages."""

    def __init__(self, container, user, socket="/run/puckd/puckd.sock"):
        self.user = user
        self.messages = []
        self._read = 0
        self._arrived = threading.Condition()
        self.ended = False
        self._process = subprocess.Popen(
            container.command("socat", "-", f"UNIX-CONNECT:{socket}", user=user),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=_end_with_parent)
        threading.Thread(target=self._receive, daemon=True).start()
        self.hello = self.next("a hello", lambda m: m["type"] == "hello")

    def _receive(self):
        for line in self._process.stdout:
            message = json.loads(line)
            message["raw"] = line
            message["arrival"] = time.monotonic()
            with self._arrived:
                self.messages.append(message)
                self._arrived.notify_all()
        with self._arrived:
            self.ended = True
            self._arrived.notify_all()

    def send(self, **request):
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()

    def ask(self, **request):
        """Sends a request, and returns its answer."""
        request["id"] = f"r{len(self.messages)}-{time.monotonic_ns()}"
        self.send(**request)
        return self.next(f"an answer to {request}", lambda m: m.get("id") == request["id"], within=10)

    def next(self, what, condition, within=20.0):
        """Returns the next message that fulfils the condition, and skips those before it."""
        deadline = time.monotonic() + within
        with self._arrived:
            while True:
                while self._read < len(self.messages):
                    message = self.messages[self._read]
                    self._read += 1
                    if condition(message):
                        return message
                if self.ended:
                    raise Failure(f"{self.user}: the connection ended, expected {what}{self._last_words()}")
                if not self._arrived.wait(deadline - time.monotonic()):
                    raise Failure(f"{self.user}: expected {what} within {within:g} s{self._last_words()}")

    def _last_words(self):
        return "; last came:\n" + "".join(m["raw"].decode(errors="replace") for m in self.messages[-5:])

    def mark(self):
        """Marks all messages up to now as read, and returns their number."""
        with self._arrived:
            self._read = len(self.messages)
            return self._read

    def since(self, mark):
        with self._arrived:
            return self.messages[mark:]

    def await_end(self, within=20.0):
        deadline = time.monotonic() + within
        with self._arrived:
            while not self.ended:
                if not self._arrived.wait(deadline - time.monotonic()):
                    raise Failure(f"{self.user}: expected the connection to end within {within:g} s")

    def close(self):
        self._process.kill()
        self._process.wait()
