#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# run --race: which lines race in shared memory, with timing and without; what it costs the exit code.
. tests/cli/lib.bash

# 64 threads of each of two CTAs read what the other warp has written.
for how in "" --functional; do
    # shellcheck disable=SC2086 # no word, or one
    t 1 run $how --race tests/data/race/shift.cfg
    says "tests/data/race/shift.cfg: 1 race in shared memory"
    shows "shift, tests/data/race/race.ptx:"
    shows "  line 18 (race.cu:6) writes: st.shared.u32 [%r4], %r1;"
    shows "  line 22 (race.cu:7) reads: ld.shared.u32 %r5, [%r4];"
    shows "  found by 128 accesses of threads; "
    # shellcheck disable=SC2086
    t 0 run $how --race tests/data/race/tidy.cfg
    shows "No races in shared memory were found."
    quiet
done

t 1 run --race --json tests/data/race/shift.cfg
[[ $(json races.# races.0.count races.0.kernel | tr '\n' ' ') == "1 128 shift " ]] || fail "not one race of 128"
[[ $(json races.0.sides.0.line races.0.sides.1.source | tr '\n' ' ') == "18 race.cu:7 " ]] || fail "not those lines"
[[ $(json races.0.sides.0.access races.0.sides.1.access | tr '\n' ' ') == "writes reads " ]] || fail "not what they do"
t 0 run --race --json tests/data/race/tidy.cfg
[[ $(json races.#) == 0 ]] || fail "a race where there is none"

# It changes no cycle, and who does not ask is not told.
t 0 run tests/data/race/shift.cfg
grep -v host_seconds "$tmp/out" >"$tmp/plain"
t 1 run --race tests/data/race/shift.cfg
sed '/^$/,$d' "$tmp/out" | grep -v host_seconds | cmp -s - "$tmp/plain" || fail "with --race the run is another"

t 2 run --race --csv vecadd; says "--race has no CSV: --json has it"
t 0 trace -o "$tmp/a.trace" vecadd:small
t 1 run --race "$tmp/a.trace"; says "run --race"
t 0 run --race --functional histogram_shared; shows "No races in shared memory were found."
exit "$bad"
