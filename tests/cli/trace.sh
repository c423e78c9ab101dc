#!/bin/bash
# shellcheck disable=SC1091,SC2154,SC2086 # lib.bash is sourced and sets variables; commands are words
# `trace` records a target; its file is a target of everything that needs no values. Unlike files are
# refused with their place.
. tests/cli/lib.bash

trace=$tmp/ssc.trace

# What is the same for the target and its trace: all but names, inputs and seconds.
results() { grep -vE '"(target|seed|order|warps_per_cta|[a-z_]*seconds[a-z_]*)"' "$tmp/out"; }
same() {
    t 0 "$1" ssc "${@:2}" --json
    results >"$tmp/executed"
    t 0 "$1" "$trace" "${@:2}" --json
    results >"$tmp/traced"
    cmp -s "$tmp/executed" "$tmp/traced" || { fail "$* differs between ssc and its trace"; diff "$tmp/executed" "$tmp/traced" | head; }
    grep -qE '"(cycles|cta_cycles)": [1-9]|"chosen_n": [1-9]' "$tmp/traced" || fail "$*: nothing simulated"
}

t 0 trace ssc -o "$trace"; shows "15 launches, 130 CTAs, 48003 warp instructions"; quiet
[[ $(head -c 8 "$trace") == MDPTRACE ]] || fail "no magic at the file's head"
same run -n 2 --per-core
same search -g park2015 --set cores=40 -j 2
same sample --effort window --max-insts 1000
same sample
same sample --effort thorough
same compare
t 0 run "$trace" --interval 100 --interval-out "$tmp/rows.csv"
[[ $(wc -l <"$tmp/rows.csv") -gt 100 ]] || fail "no intervals of a trace"
t 0 disasm "$trace"; shows "ld.global"

# A launch file; its own number of registers limits the CTAs.
t 0 trace tests/data/texture_chain -o "$tmp/chain.trace"
t 0 run tests/data/texture_chain --json; results >"$tmp/executed"
t 0 run "$tmp/chain.trace" --json; results >"$tmp/traced"
cmp -s "$tmp/executed" "$tmp/traced" || fail "the trace of a launch file differs"

# No values.
t 1 run "$trace" --functional; says "is a trace"; says "run --functional needs these"
t 1 trace "$trace" -o "$tmp/again"; says "trace needs these"
t 2 profile "$trace" --db "$tmp/p.db"; says "only bundled workloads"
t 1 run "$trace" --seed 2; says "it takes no --seed"

# Usage; nothing is left of what failed.
t 2 trace ssc; says "-o FILE"
t 2 trace ssc -o -; says "-o FILE"
t 2 trace -o "$tmp/x"
t 1 trace nosuch -o "$tmp/x"; says "nosuch"
t 1 trace ssc -o "$tmp/no/such"; says "$tmp/no/such: "
t 1 trace ssc -o "$tmp/x" --max-cycles 10; says "still running"
[[ -z $(find "$tmp" -name 'x*') ]] || fail "a trace that failed left a file"

# Damage.
head -c 1000 "$trace" >"$tmp/cut"
t 1 run "$tmp/cut"; says "cut: offset 16: the table lies outside of the file"
{ head -c 8 "$trace"; printf '\2\0\0\0'; tail -c +13 "$trace"; } >"$tmp/newer"
t 1 run "$tmp/newer"; says "newer: offset 8: a trace of version 2; this program reads version 1"
{ head -c 5000 "$trace"; printf '\0\377\0\377'; tail -c +5005 "$trace"; } >"$tmp/damaged"
t 1 run "$tmp/damaged"; says "damaged: offset "; says "what is packed there is damaged"
printf MDPTRACE >"$tmp/short"
t 1 search "$tmp/short"; says "short: offset 0: the file ends too early"

exit $bad
