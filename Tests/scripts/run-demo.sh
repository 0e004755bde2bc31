#!/usr/bin/env bash
# usage: run-demo.sh BUILD-DIRECTORY
# Runs a simulated receiver, a real gpsd that reads it, puckd, and a client that shows what it sees, until q or Ctrl-C:
# a map on a terminal, else lines. It uses its own ports and paths, does not touch the host's gpsd or puckd, and leaves
# nothing behind.
#
#   RECEIVER="--route boat --heading --rate 5" run-demo.sh …    sets the options of receiver-simulator
set -euo pipefail
build=$1
read -ra receiver_options <<<"${RECEIVER:---route city --rate 5}"

place=$(mktemp -d "${TMPDIR:-/tmp}/puckd-demo-XXXXXX")
started=()
finish() {
    trap - EXIT INT TERM
    # Stop in reverse order: each reader before its source.
    for ((i = ${#started[@]} - 1; i >= 0; i--)); do
        kill "${started[i]}" 2>/dev/null || true
        wait "${started[i]}" 2>/dev/null || true
    done
    rm -rf "$place"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Waits at most ten seconds for a command to succeed.
await() {
    local what=$1
    shift
    for _ in $(seq 200); do
        if "$@" 2>/dev/null; then return; fi
        sleep 0.05
    done
    echo "demo: $what did not start" >&2
    cat "$place"/*.log >&2 || true
    exit 1
}
listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1"); }

"$build/receiver-simulator" "${receiver_options[@]}" --print-device >"$place/device" &
started+=($!)
await "the simulated receiver" test -s "$place/device"
device=$(<"$place/device")

for port in $(shuf -i 20000-30000 -n 50); do listens "$port" 2>/dev/null || break; done
# Run a copy, because AppArmor restricts /usr/sbin/gpsd to serial ports. Run it without shared memory and bus signals,
# so that no other program on this host receives the simulated position and time.
cp "$(PATH=$PATH:/usr/sbin command -v gpsd)" "$place/gpsd"
isolation=(unshare --ipc)
[ "$(id -u)" -eq 0 ] || isolation=(unshare --map-current-user --ipc)
"${isolation[@]}" true 2>/dev/null || isolation=()
DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nonexistent \
    "${isolation[@]}" "$place/gpsd" -N -n -b -s 38400 -S "$port" "$device" 2>"$place/gpsd.log" &
started+=($!)
await "gpsd" listens "$port"

cat >"$place/puckd.conf" <<CONFIGURATION
[gpsd]
port = $port
[socket]
path = $place/puckd.sock
[approximate]
state-directory = $place
CONFIGURATION
"$build/puckd" --config "$place/puckd.conf" 2>"$place/puckd.log" &
started+=($!)
await "puckd" test -S "$place/puckd.sock"

cat <<GREETING
receiver $device → gpsd on port $port → puckd on $place/puckd.sock. q or Ctrl-C stops them all.

GREETING
# Run it in the background, so that the script handles signals while it waits. The shell would give it no terminal to
# read keys from.
if [ -t 0 ] && [ -t 1 ]; then show=(map); else show=(watch --plain); fi
"$build/puckctl" --socket "$place/puckd.sock" "${show[@]}" <&0 &
started+=($!)
wait "$!"
