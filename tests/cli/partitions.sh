#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# Any number of memory partitions up to 512: results are right, every read reaches DRAM once, and the last
# partitions take part: a kernel that is bound by DRAM gains from them.
. tests/cli/lib.bash
cycles() { # SETTING...: the cycles of vecadd, whose 2 x 640 lines are read once
    local set=()
    for s in "$@"; do set+=(--set "$s"); done
    t 0 run vecadd --json "${set[@]}"
    [[ $(json dram_reads) == 1280 && $(json dram_writes) == 640 ]] || fail "$*: $(json dram_reads) reads"
    cycles=$(json cycles)
}
for topology in xbar fly mesh; do
    before=''
    for n in 1 32 63 64 65 128 512; do
        cycles icnt.topology=$topology partition.count=$n partition.interleave=256
        # 63 to 65 are as good as the same; from 1 to 32 and from 128 to 512 it is less, but where each makes the
        # mesh, and with it the way, longer.
        [[ $n != 32 && ($n != 512 || $topology == mesh) ]] || ((cycles < before)) || fail "$topology: $n partitions: $cycles cycles, fewer: $before"
        before=$cycles
    done
done
t 0 run vecadd --set partition.count=512 --set l2.enabled=true --json
[[ $(json l2_misses) -ge 1280 ]] || fail "an L2 of 512 parts: $(json l2_misses) misses"
t 0 sample vecadd --set partition.count=512; shows "Chosen: n = "
t 2 run vecadd --set partition.count=513; says "1..512"
exit "$bad"
