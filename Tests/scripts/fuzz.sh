#!/usr/bin/env bash
# usage: fuzz.sh [SECONDS [TARGET…]]
# Fuzzes each target (Tests/PuckFuzz) with libFuzzer and the address sanitizer for SECONDS (60), starting from the
# corpus. Inputs that fail are in .build/fuzz/failures: fix the error, and add the input to Tests/fuzz/corpus, which the
# tests run.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
[ $# -eq 0 ] || shift
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(lines request gpsd configuration replay)

scratch=.build/fuzz
mkdir -p "$scratch"
# The linker prints many warnings about the sanitizer's symbols: show them only if the build fails.
PUCKD_FUZZ=1 swift build --scratch-path "$scratch" --product fuzz -c debug -Xswiftc -O \
    -Xswiftc -sanitize=fuzzer,address -Xcc -fsanitize=fuzzer-no-link,address >"$scratch/build.log" 2>&1 ||
    { cat "$scratch/build.log" >&2; exit 1; }
program=$(PUCKD_FUZZ=1 swift build --scratch-path "$scratch" --show-bin-path)/fuzz
mkdir -p "$scratch/failures"
failed=()
for target in "${targets[@]}"; do
    mkdir -p "$scratch/found/$target"
    echo "$target:"
    # Limits: half a gigabyte of memory, a second for each input, no leaks.
    if ! PUCKD_FUZZ_TARGET=$target "$program" -max_total_time="$seconds" -timeout=1 -rss_limit_mb=512 -max_len=4096 \
        -artifact_prefix="$scratch/failures/$target-" -print_final_stats=1 -verbosity=0 \
        "$scratch/found/$target" "Tests/fuzz/corpus/$target"; then
        failed+=("$target")
    fi
done
[ ${#failed[@]} -eq 0 ] || { echo "failed: ${failed[*]}; the inputs are in $scratch/failures" >&2; exit 1; }
