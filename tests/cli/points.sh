#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# Program points: what disasm shows of them.
. tests/cli/lib.bash

t 0 disasm vecadd --points; quiet
shows "// priority 0, point, score 0"
t 0 disasm kmeans --points --phases; shows "; priority "; shows "bit clear"
t 0 disasm vecadd --json --points
[[ $(json 0.program_points) == 2 ]] || fail "vecadd has not two program points"
[[ $(json 0.instruction.0.point) == false ]] || fail "its first instruction is a point"
t 0 disasm vecadd --csv --points --set elf.program_points=1
head -1 "$tmp/out" | grep -q ',program_points,program_points_merged$' || fail "no columns of points"
tail -1 "$tmp/out" | grep -q ',2,1' || fail "not merged to one"
t 0 disasm vecadd
grep -q priority "$tmp/out" && fail "priorities that nobody asked for"
exit $bad
