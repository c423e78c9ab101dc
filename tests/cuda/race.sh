#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# run --race of a program: all its launches are looked at, the races of its kernels told once. Its results
# are those of warps in step, however it is run.
. tests/cli/lib.bash
. tests/cuda/lib.bash

"${CC:-gcc}" -g -I. -DPTX='"tests/data/race/race.ptx"' -o "$tmp/race" tests/cuda/race.c "$lib/libcudart.so.13" ||
    fail "race.c does not compile"
for how in "run --functional" run "run --anew 1" sample search "compare -j 2"; do
    # shellcheck disable=SC2086 # a command and its options
    t 0 $how -- "$tmp/race"; says passed
done
t 0 trace -o "$tmp/trace" -- "$tmp/race"; says passed

# Three launches of two CTAs of 64 threads. Those that repeat one write what memory holds already, and are
# not executed.
for how in "--functional" "" "--anew 1"; do
    # shellcheck disable=SC2086
    t 1 run $how --race -- "$tmp/race" shift
    says passed; says "$tmp/race: 1 race in shared memory"
    shows "(race.cu:6) writes: st.shared.u32 [%r4], %r1;"
    shows "(race.cu:7) reads: ld.shared.u32 %r5, [%r4];"
    # shellcheck disable=SC2086
    t 0 run $how --race -- "$tmp/race" tidy
    says passed; shows "No races in shared memory were found."
done
t 1 run --race --json -- "$tmp/race"
[[ $(json races.# races.0.kernel) == "1
shift" ]] || fail "not one race, of shift"
[[ $(json races.0.count) =~ ^(128|256|384)$ ]] || fail "its count is $(json races.0.count)"
t 1 run --race --anew 1 --max-launches 0 --json -- "$tmp/race"
[[ $(json races.0.count) == 384 ]] || fail "three launches: $(json races.0.count)"
exit "$bad"
