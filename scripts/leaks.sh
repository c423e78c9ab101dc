#!/bin/bash
# One small run of each command under valgrind: memory that is lost, or used wrongly, fails it.
# scripts/leaks.sh MDPREDICT
set -uo pipefail
mdpredict=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0

options=()

check() { # ARGUMENT...
    valgrind -q "${options[@]}" --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect \
        --errors-for-leak-kinds=definite,indirect "$mdpredict" "$@" >"$tmp/out" 2>"$tmp/err"
    local rc=$?
    if [[ $rc == 0 ]]; then
        echo "ok    mdpredict $*"
    else
        failed=$((failed + 1))
        echo "FAIL  mdpredict $* (exit code $rc)"
        tail -n 40 "$tmp/err"
    fi
}

check list
check run vecadd
check run --functional vecadd
check run --json --per-core --warp-scheduler lrr --cta-scheduler dyncta vecadd
check search -j 2 vecadd
check sample vecadd
check sample --effort window --json vecadd
check compare -j 2 vecadd
check disasm vecadd
check trace vecadd -o "$tmp/t.trace"
check run "$tmp/t.trace"
check profile vecadd --db "$tmp/p.db"
check export runs --db "$tmp/p.db" -o "$tmp/runs.csv"
check export samples --db "$tmp/p.db" -o "$tmp/samples.csv"
check import runs "$tmp/runs.csv" --db "$tmp/q.db"
check merge "$tmp/p.db" --db "$tmp/r.db"
check figure --list
check import runs data/profiles/runs.csv --db "$tmp/all.db"
check import samples data/profiles/samples.csv --db "$tmp/all.db"
check fit --model pilots --from "$tmp/all.db"

# Programs, whose own process holds the simulator. Plan and records have holes between their fields, which are
# written as they are: what is not initialised is not looked for.
lib=$(dirname "$mdpredict")/cuda
[[ -e $lib/libcudart.so.13 ]] || lib=build/cuda
options=(--trace-children=yes --undef-value-errors=no)
program() { # NAME PTX
    "${CC:-gcc}" -g -I. -DPTX="\"$2\"" -o "$tmp/$1" "tests/cuda/$1.c" "$lib/libcudart.so.13" -L"$lib" -l:libcuda.so.1 \
        -Wl,-rpath,"$(realpath "$lib")" || failed=$((failed + 1))
}
program driver_calls tests/cuda/host.ptx
for how in run "run --functional" sample "search -j 2" compare; do
    # shellcheck disable=SC2086 # a command and its options
    check $how -- "$tmp/driver_calls" tests/cuda/host.ptx
done
program hot tests/data/hot/hot.ptx
check run --hot -- "$tmp/hot"
check completion bash
check help run
[[ $failed == 0 ]] && echo "no leaks"
