#!/bin/bash
# Memory that a simulation of each bundled workload takes, at its default size and on 15 cores:
# scripts/bench_memory.sh MDPREDICT. Fails when one takes more than 200 MB.
set -euo pipefail
mdpredict=$1 limit_mb=200 most=0 of=-
report=$(mktemp)
trap 'rm -f "$report"' EXIT

names=$("$mdpredict" list --csv | awk -F, '$1 == "workloads" { print $2 }')
for workload in $names; do
    /usr/bin/time -v -o "$report" "$mdpredict" run "$workload" -g yen2014 --csv >/dev/null
    kb=$(awk '/Maximum resident set size/ { print $NF }' "$report")
    ((kb > most)) && most=$kb of=$workload
done
verdict=ok
((most <= limit_mb * 1024)) || verdict=short
printf 'peak memory of a bundled workload (%s) %8.1f MB  wanted <= %d  %s\n' "$of" \
    "$(awk "BEGIN { print $most / 1024 }")" "$limit_mb" "$verdict"
[[ $verdict == ok ]]
