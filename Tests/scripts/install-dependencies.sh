#!/usr/bin/env bash
# usage: install-dependencies.sh [PACKAGE...]
# Installs missing packages from apt: those that building and testing puckd need, or the named ones.
# If nothing is missing, it does nothing and needs no privileges.
set -euo pipefail

# A C compiler and linker for the C targets, the libraries' headers, and a real gpsd for tests and the demo.
# lowdown makes the manual pages, and mandoc checks them.
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
        echo "Missing packages: ${missing[*]} ${need_swift:+swiftlang}. sudo is not installed; run this as root:" >&2
        echo "  apt-get install ${missing[*]} ${need_swift:+swiftlang}" >&2
        exit 1
    fi
fi

"${as_root[@]}" apt-get update
if [ "$need_swift" ]; then
    # Debian has Swift since 13 (trixie).
    if [ -z "$(apt-cache search --names-only '^swiftlang$')" ]; then
        echo "swift is not in PATH, and this Debian release has no package of it. Debian 13 has one (swiftlang). On" >&2
        echo "Debian 12, unpack a toolchain from swift.org, 6.0 or later, and add its usr/bin to PATH." >&2
        exit 1
    fi
    missing+=(swiftlang)
fi
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
