#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# `trace -- PROGRAM` records the launches of a program: a run of the trace has the cycles and counters of
# a run of the program. However the program ends, there is a whole trace or none.
. tests/cli/lib.bash
. tests/cuda/lib.bash

program() { # NAME
    "${CC:-gcc}" -g -I. -DPTX="\"tests/cuda/$1.ptx\"" -o "$tmp/$1" "tests/cuda/$1.c" "$lib/libcudart.so.13" ||
        fail "$1.c does not compile"
}
program host
program unlike
trace=$tmp/one.trace

gpus=(yen2014 park2015)
[[ ! $sanitized ]] || gpus=(park2015) # more of the same
same() { # PROGRAM ARGUMENT...: without racing threads
    t 0 trace -o "$trace" -- "$@"
    for gpu in "${gpus[@]}"; do
        # Every launch in detail; the program adds them up by kernel.
        t 0 run --json -g "$gpu" --anew 1 --max-launches 0 -- "$@"
        for k in cycles warp_insts l1d_misses dram_reads dram_writes sched_mem_dep; do
            grep -oE "^ +\"$k\": [0-9]+" "$tmp/out" | awk -v k=$k '{ s += $2 } END { print k, s }'
        done >"$tmp/executed"
        t 0 run --json -g "$gpu" "$trace"
        for k in cycles warp_insts l1d_misses dram_reads dram_writes sched_mem_dep; do
            grep -oE "^  \"$k\": [0-9]+" "$tmp/out" | awk -v k=$k '{ print k, $2 }'
        done >"$tmp/traced"
        grep -q "^cycles [1-9]" "$tmp/traced" || fail "$*: nothing was simulated"
        cmp -s "$tmp/executed" "$tmp/traced" ||
            { fail "the trace of $* differs on $gpu"; diff "$tmp/executed" "$tmp/traced"; }
    done
}
same "$tmp/host" compute
shows '"launches": 3,'
same "$tmp/host" names
same "$tmp/host" descriptors # closes and opens them in between
# With sanitizers two shorter launches instead of four; what is chosen for those is told elsewhere.
if [[ $sanitized ]]; then same "$tmp/unlike" 30 1 4; else same "$tmp/unlike" 30 1 64 1 64; fi
# It is a target like others.
t 0 sample --json "$trace"; [[ $sanitized ]] || shows '"chosen_n": 2,'
[[ $sanitized ]] || t 0 search "$trace"

# Some of the launches.
t 0 trace -o "$trace" --launch 2 -- "$tmp/host" compute; shows "$trace: 1 launch, "
t 0 trace -o "$trace" --kernel scale -- "$tmp/host" compute; shows "$trace: 3 launches, "
t 1 trace -o "$tmp/x" --kernel nothing -- "$tmp/host" compute; says "launches nothing that is to be recorded"
# Its device is another after a reset, which a trace does not hold.
t 0 trace -o "$trace" -- "$tmp/host" reset; shows "6 launches"; says "makes a context anew"
t 0 trace -o "$trace" -- "$tmp/host" fork

# Relative names; the program's exit code; what it prints.
(cd "$tmp" && "$(realpath "$OLDPWD/$mdpredict" 2>/dev/null || realpath "$mdpredict")" trace -o x.trace -- ./host compute >out 2>err) ||
    fail "a relative name is not taken"
[[ -e $tmp/x.trace ]] || fail "no file of a relative name"
rm "$tmp/x.trace"
"$mdpredict" trace -o "$tmp/x" -- "$tmp/host" exit >"$tmp/out" 2>"$tmp/err" && fail "exit: exit code 0"
says "ended with exit code 7"
t 0 run "$tmp/x"
rm "$tmp/x"

# No trace.
for how in abort crash kill; do
    t 1 trace -o "$tmp/x" -- "$tmp/host" "$how"; says "was ended by signal"
done
cp "$trace" "$tmp/kept.trace"
t 1 trace -o "$tmp/kept.trace" -- "$tmp/host" _exit; cmp -s "$trace" "$tmp/kept.trace" || fail "what was there is gone"
t 1 trace -o "$tmp/x" -- "$tmp/host" _exit; says "its trace is not whole"
t 1 trace -o "$tmp/no/such" -- "$tmp/host" compute; says "no/such"
t 1 trace -o "$tmp/x" --max-cycles 10000 -- "$tmp/host" endless; says "still running"
t 1 trace -o "$tmp/x" -- "$tmp/nosuch"; says "nosuch"
t 2 trace -- "$tmp/host" compute; says "-o FILE"
[[ -z $(find "$tmp" -name 'x*' -o -name '*.tmp*' -type f) ]] || fail "files are left: $(find "$tmp" -name 'x*' -o -name '*.tmp*' -type f)"
exit "$bad"
