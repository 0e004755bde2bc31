#!/usr/bin/env bash
# Writes the results of the golden replays anew, with a puckd whose figures were measured to be better:
#   write-golden-results.sh PUCKD
# The first line of Tests/golden/NAME.frames says how NAME.json is replayed; the others are every 60th frame of it (all,
# where it has few) and those of a discontinuity.
set -euo pipefail
puckd=$(realpath "$1")
cd "$(dirname "$0")/../golden"
for result in *.frames; do
    name=${result%.frames}
    read -r options <"$result"
    # shellcheck disable=SC2086 # the options are words
    frames=$("$puckd" replay $options "$name.json")
    every=60
    [ "$(wc -l <<<"$frames")" -ge 600 ] || every=1
    {
        echo "$options"
        awk -v every="$every" 'NR % every == 1 % every || /"discontinuity"/' <<<"$frames"
    } >"$name.new"
    mv "$name.new" "$result"
done
