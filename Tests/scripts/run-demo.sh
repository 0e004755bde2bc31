#!/usr/bin/env bash
# usage: run-demo.sh BUILD-DIRECTORY
# A simulated receiver, a real gpsd that reads it, puckd, and what a client sees of it, until Ctrl-C. All of it on ports
# and paths of its own: a gpsd or puckd of the host is not touched, and nothing is left behind.
#
#   RECEIVER="--route boat --heading --rate 5" run-demo.sh …    other options for receiver-simulator
set -euo pipefail
build=$1
read -ra receiver_options <<<"${RECEIVER:---route city --rate 5}"

place=$(mktemp -d "${TMPDIR:-/tmp}/puckd-demo-XXXXXX")
started=()
finish() {
    trap - EXIT INT TERM
    # The last one started is stopped first: the reader before what it reads from.
    for ((i = ${#started[@]} - 1; i >= 0; i--)); do
        kill "${started[i]}" 2>/dev/null || true
        wait "${started[i]}" 2>/dev/null || true
    done
    rm -rf "$place"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Waits until a command succeeds, ten seconds at most.
await() {
    local what=$1
    shift
    for _ in $(seq 200); do
        if "$@" 2>/dev/null; then return; fi
        sleep 0.05
    done
    echo "demo: $what did not come up" >&2
    cat "$place"/*.log >&2 || true
    exit 1
}
listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1"); }

"$build/receiver-simulator" "${receiver_options[@]}" --print-device >"$place/device" &
started+=($!)
await "the simulated receiver" test -s "$place/device"
device=$(<"$place/device")

for port in $(shuf -i 20000-30000 -n 50); do listens "$port" 2>/dev/null || break; done
# A copy, since AppArmor confines /usr/sbin/gpsd to serial ports, and without the shared memory and bus signals by
# which a simulated place and time would reach other programs of this host.
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
receiver $device → gpsd on port $port → puckd on $place/puckd.sock. Ctrl-C ends all of them. In another terminal:
  $build/puckctl --socket $place/puckd.sock track next

GREETING
# Beside the script, as the rest: while it waits it hears signals, and not only those of a terminal.
"$build/puckctl" --socket "$place/puckd.sock" watch &
started+=($!)
wait "$!"
