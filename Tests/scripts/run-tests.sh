#!/usr/bin/env bash
# usage: run-tests.sh [OPTION-OF-SWIFT-TEST...]
# Runs all tests that are built, and ends with a summary of what passed, failed and was skipped.
set -uo pipefail
cd "$(dirname "$0")/../.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Swift marks a skipped test as it marks a failed one.
swift test --skip-build "$@" 2>&1 | tee "$log" | sed -u '/skipped: "/s/✘/–/'
status=${PIPESTATUS[0]}

count() { grep -v 'Test run with' "$log" | grep -cE "$1"; }
printf '\n%d tests passed, %d failed, %d skipped\n' \
    "$(count '✔ Test .* passed after')" "$(count '✘ Test .* failed after')" "$(count '✘ Test .* skipped')"
grep -E '✘ Test .* failed after' "$log" | grep -v 'Test run with' | sed 's/^/  /'
grep -oE '✘ Test .* skipped: ".*"' "$log" | sed -E 's/.*skipped: "(.*)"/\1/' | sort | uniq -c |
    sed -E 's/^ *([0-9]+) (.*)/  \1 skipped: \2/'
exit "$status"
