#!/usr/bin/env bash
# Writes new results of the golden replays. Use it with a puckd whose measured figures are better:
#   write-golden-results.sh PUCKD
# The first line of Tests/golden/NAME.frames contains the options that replay NAME.json. The other lines are every 60th
# frame (or all of a short replay) and the frames with a discontinuity.
set -euo pipefail
puckd=$(realpath "$1")
cd "$(dirname "$0")/../golden"
for result in *.frames; do
    name=${result%.frames}
    read -r options <"$result"
    # shellcheck disable=SC2086 # split the options into words
    frames=$("$puckd" replay $options "$name.json")
    every=60
    [ "$(wc -l <<<"$frames")" -ge 600 ] || every=1
    {
        echo "$options"
        awk -v every="$every" 'NR % every == 1 % every || /"discontinuity"/' <<<"$frames"
    } >"$name.new"
    mv "$name.new" "$result"
done
