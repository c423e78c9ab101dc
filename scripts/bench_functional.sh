#!/bin/bash
# How fast kernels are executed without timing, on one core: scripts/bench_functional.sh MDPREDICT.
# Million thread instructions a second of CPU time, of every bundled workload at its medium size (what
# `run --functional` reports; the host code is not in it). Fails when the slowest is below 50.
set -euo pipefail
mdpredict=$1 wanted=50
report=$(mktemp)
trap 'rm -f "$report"' EXIT

for workload in $("$mdpredict" list --csv | awk -F, '$1 == "workloads" { print $2 }'); do
    "$mdpredict" run --functional "$workload:medium" --csv >"$report"
    awk -F, -v workload="$workload" '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
        NR == 2 { print workload, $column["thread_insts"], $column["host_seconds"] }' "$report"
done | awk -v wanted="$wanted" '
    NR == 1 { printf "\n%-14s %16s %28s\n", "functional run", "thread insts", "million thread insts/s" }
    {
        speed = $2 / $3 / 1e6
        printf "%-14s %16.0f %28.1f\n", $1, $2, speed
        total += log(speed)
        if (NR == 1 || speed < least) { least = speed; slowest = $1 }
    }
    END {
        printf "%-14s %16s %28.1f\n", "geometric mean", "", exp(total / NR)
        printf "functional run: the slowest (%s) %.1f million thread insts/s  wanted >= %d  %s\n",
            slowest, least, wanted, (least >= wanted ? "ok" : "short")
        exit !(least >= wanted)
    }'
