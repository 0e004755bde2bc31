#!/usr/bin/env bash
# usage: make-trees.sh OUTPUT
# Builds the package of this checkout in a Debian 13, and makes another Debian 13 to install it in: OUTPUT/puckd.deb,
# OUTPUT/receiver-simulator and OUTPUT/tree. The tree has no Swift. It boots without a network, so its apt cache
# contains the package's dependencies.
#
# PUCKD_TREES (by default /var/cache/puckd-trees) keeps the slow parts: a bare Debian 13, and one with the toolchain and
# its build. The script makes both again when they are a month old. Run it as root.
set -euo pipefail
cd "$(dirname "$0")/../.."
project=$PWD
output=$(realpath -m "$1")
kept=${PUCKD_TREES:-/var/cache/puckd-trees}
release=trixie
# systemd as the first process, the bus, udev, and the programs that the test's clients and attackers use.
bare_packages=systemd,systemd-sysv,libpam-systemd,dbus,dbus-bin,udev,socat,faketime

[ "$(id -u)" -eq 0 ] || { echo "make-trees.sh: only root can make and boot a tree" >&2; exit 1; }
Tests/scripts/install-dependencies.sh debootstrap debian-archive-keyring systemd-container

# usage: inside TREE COMMAND...: runs the command in the tree, with the host's network.
inside() {
    systemd-nspawn --quiet --register=no --keep-unit --directory="$1" --pipe \
        --setenv=LANG=C.UTF-8 --setenv=DEBIAN_FRONTEND=noninteractive "${@:2}"
}
# usage: usable TREE RECIPE: succeeds if the tree was made by this recipe within the last month.
usable() {
    [ "$(cat "$1/.made-by" 2>/dev/null)" = "$2" ] && [ -z "$(find "$1/.made-by" -mtime +30)" ]
}

mkdir -p "$kept"
bare=$kept/bare
if ! usable "$bare" "$bare_packages"; then
    rm -rf "$bare"
    debootstrap --variant=minbase --include="$bare_packages" "$release" "$bare" >"$kept/debootstrap.log" ||
        { tail "$kept/debootstrap.log" "$bare/debootstrap/debootstrap.log" >&2; exit 1; }
    echo "$bare_packages" >"$bare/.made-by"
fi

builder=$kept/builder
recipe=$(cat Tests/scripts/install-dependencies.sh)
if ! usable "$builder" "$recipe"; then
    rm -rf "$builder"
    cp -a "$bare" "$builder"
    rm "$builder/.made-by"
    inside "$builder" --bind-ro="$project:/project" /project/Tests/scripts/install-dependencies.sh >&2
    inside "$builder" apt-get install -y --no-install-recommends make >&2
    echo "$recipe" >"$builder/.made-by"
fi

# Copy the files of this checkout, with their times, next to the previous build.
mkdir -p "$builder/project"
find "$builder/project" -mindepth 1 -maxdepth 1 ! -name .build -exec rm -rf {} +
git ls-files --cached --others --exclude-standard --deduplicate -z |
    tar --create --null --files-from=- --ignore-failed-read | tar --extract -C "$builder/project"
inside "$builder" --chdir=/project --setenv=SOURCE_DATE_EPOCH="$(git log -1 --format=%ct)" make -s deb >&2

rm -rf "$output"
mkdir -p "$output"
cp "$builder"/project/.build/deb/puckd_*.deb "$output/puckd.deb"
cp "$builder/project/.build/release/receiver-simulator" "$output/"
cp -a "$bare" "$output/tree"
rm "$output/tree/.made-by"
cp "$output/puckd.deb" "$output/tree/root/"
install "$output/receiver-simulator" "$output/tree/usr/local/bin/"
inside "$output/tree" apt-get -q update >&2
inside "$output/tree" apt-get -q install -y --download-only /root/puckd.deb >&2
