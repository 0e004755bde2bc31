#!/usr/bin/env bash
# usage: build-example.sh BUILD-DIRECTORY SOURCE PROGRAM
# Builds a single-file Swift program that uses PuckClient, against the library in BUILD-DIRECTORY.
set -euo pipefail
build=$1
sources=$(cd "$(dirname "$0")/../.." && pwd)/Sources
objects=()
# Only objects with a source: an object may remain after its source is deleted.
for module in PuckClient PuckWire PuckText PuckCore PuckSystem CLibm; do
    while IFS= read -r source; do
        objects+=("$build/$module.build/${source##*/}.o")
    done < <(find "$sources/$module" -name '*.swift' -o -name '*.c')
done
swiftc -parse-as-library -swift-version 6 -warnings-as-errors -I "$build/Modules" \
    -Xcc -fmodule-map-file="$build/CLibm.build/module.modulemap" -I "$sources/CLinux" -I "$sources/CSystemd" "$2" "${objects[@]}" -lsystemd -lm -o "$3"
