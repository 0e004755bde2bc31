#!/usr/bin/env bash
# usage: build-example.sh BUILD-DIRECTORY SOURCE PROGRAM
# Builds a Swift program of one file that uses PuckClient, against the library as it is built there.
set -euo pipefail
build=$1
sources=$(cd "$(dirname "$0")/../.." && pwd)/Sources
objects=()
# By their sources: an object whose source is gone may still lie there.
for module in PuckClient PuckWire PuckCore PuckSystem CLibm; do
    while IFS= read -r source; do
        objects+=("$build/$module.build/${source##*/}.o")
    done < <(find "$sources/$module" -name '*.swift' -o -name '*.c')
done
swiftc -parse-as-library -swift-version 6 -warnings-as-errors -I "$build/Modules" \
    -Xcc -fmodule-map-file="$build/CLibm.build/module.modulemap" -I "$sources/CLinux" -I "$sources/CSystemd" "$2" "${objects[@]}" -lsystemd -lm -o "$3"
