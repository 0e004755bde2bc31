#!/usr/bin/env bash
# usage: make-api-reference.sh OUTPUT-DIRECTORY
# Makes the API reference of the client library, and of the rooms whose values it hands out, with DocC: a static site.
set -euo pipefail
cd "$(dirname "$0")/../.."
output=$(realpath -m "$1")
modules=(PuckClient PuckCore PuckWire)
if ! command -v docc >/dev/null; then
    echo "DocC is not installed. It comes with the toolchains of swift.org; Debian's package swiftlang has none." >&2
    exit 1
fi

graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT
swift build --target PuckClient
built=$(swift build --show-bin-path)
sdk=(-I "$built/Modules")
for map in Sources/*/module.modulemap Sources/*/include/module.modulemap "$built"/*.build/module.modulemap; do
    [ ! -f "$map" ] || sdk+=(-Xcc "-fmodule-map-file=$map")
done
for module in "${modules[@]}"; do
    swift symbolgraph-extract -module-name "$module" -minimum-access-level public -output-dir "$graphs" \
        -target "$(swift -print-target-info | sed -n 's/^ *"triple": "\(.*\)",/\1/p' | head -1)" "${sdk[@]}"
done
docc convert --fallback-display-name puckd --fallback-bundle-identifier puckd --fallback-bundle-version 1 \
    --additional-symbol-graph-dir "$graphs" --transform-for-static-hosting --output-path "$output"
echo "$output: serve it with, for example, python3 -m http.server --directory $output"
