#!/usr/bin/env bash
# usage: install-dependencies.sh [PACKAGE...]
# Installs from apt what building and testing puckd needs (or, given names, those packages) and is not installed yet.
# Does nothing, and needs no rights, where all is there.
set -euo pipefail

# A C compiler and linker for the shims, the libraries' headers, and a real gpsd for tests and demo.
# lowdown and mandoc make and check the manual pages.
needed=(ca-certificates g++ pkg-config libgps-dev libsystemd-dev libinih-dev libexpat1-dev gpsd lowdown mandoc)
[ $# -eq 0 ] || needed=("$@")

installed() { [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null)" = "ii " ]; }

missing=()
for package in "${needed[@]}"; do installed "$package" || missing+=("$package"); done
need_swift=
if [ $# -eq 0 ] && ! command -v swift >/dev/null; then need_swift=yes; fi
[ ${#missing[@]} -gt 0 ] || [ "$need_swift" ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    as_root=(sudo)
    if ! command -v sudo >/dev/null; then
        echo "Needed and not installed: ${missing[*]} ${need_swift:+swiftlang}. There is no sudo to do it with; as root:" >&2
        echo "  apt-get install ${missing[*]} ${need_swift:+swiftlang}" >&2
        exit 1
    fi
fi

"${as_root[@]}" apt-get update
if [ "$need_swift" ]; then
    # Debian has Swift from 13 (trixie) on.
    if [ -z "$(apt-cache search --names-only '^swiftlang$')" ]; then
        echo "There is no swift in PATH, and this Debian has no package of it. Debian 13 has (swiftlang); on Debian 12" >&2
        echo "unpack a toolchain of swift.org, 6.0 or later, and put its usr/bin into PATH." >&2
        exit 1
    fi
    missing+=(swiftlang)
fi
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
