#!/bin/bash
# Runs each fuzz target for a while, from its seed corpus: scripts/fuzz.sh BINARY...
# FUZZ_SECONDS changes the 60 s. A finding leaves its input in the build folder and fails.
set -euo pipefail

[[ $# -gt 0 ]] || { echo "no fuzz targets" >&2; exit 1; }
export LSAN_OPTIONS=suppressions=scripts/lsan.supp:print_suppressions=0
for target in "$@"; do
    name=${target##*/fuzz_}
    work=$target.work
    seeds=("fuzz/corpus/$name")
    [[ $name != config ]] || seeds+=(data/gpus)
    mkdir -p "$work"
    echo "== $name"
    "$target" -max_total_time="${FUZZ_SECONDS:-60}" -timeout=10 -rss_limit_mb=2048 -verbosity=0 \
        -print_final_stats=1 -artifact_prefix="$work/found-" "$work" "${seeds[@]}" 2>&1 |
        grep -vE '# Uses|[Dd]ictionary|^INFO|NEW_FUNC'
done
echo "fuzzed ${#} targets, nothing found"
