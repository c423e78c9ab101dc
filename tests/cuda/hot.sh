#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# Hot spots of a program: what its process counted arrives whole, by kernel, and for all launches
# that were simulated.
. tests/cli/lib.bash
. tests/cuda/lib.bash

"${CC:-gcc}" -g -I. -DPTX='"tests/data/hot/hot.ptx"' -o "$tmp/hot" tests/cuda/hot.c "$lib/libcudart.so.13" -L"$lib" -l:libcuda.so.1 ||
    fail "hot.c does not compile"
row() { # LINE: its first row, without spaces that are double
    sed -n "s/^ *\($1  .*\)/\1/p" "$tmp/out" | head -n 1 | tr -s ' '
}
t 0 run --hot --hot-lines 30 -- "$tmp/hot"
shows "hot [32x1x1]: "; shows "hot [16x1x1]: "
shows "Of 1 of its 2 launches, those that were simulated."
[[ $(row 19) =~ ^'19 '[0-9.]+' % 2 '[a-z]+' 32.0 97 % hot.cu:12 ld.global.u32 %r3, [%rd5];'$ ]] || fail "line 19 is: $(row 19)"
[[ $(row 24) =~ ^'24 '[0-9.]+' % 2 '[a-z]+' 62 hot.cu:13 ld.shared.u32 %r6, [%r4];'$ ]] || fail "line 24 is: $(row 24)"

# Both launches of the block of 32: each count is twice as high, and they add up to the kernel's.
t 0 run --hot --anew 1 --json -- "$tmp/hot"
[[ $(json hot.0.launches) == 2 && $(json hot.1.launches) == 1 ]] || fail "not all launches are counted"
sum() { # KERNEL KEY
    local path=() l
    for ((l = 0; l < $(json "hot.$1.lines.#"); l++)); do path+=("hot.$1.lines.$l.$2"); done
    json "${path[@]}" | awk '{ s += $1 } END { print s }'
}
for i in 0 1; do
    for pair in issued:warp_insts thread_insts:thread_insts l1d_accesses:l1d_accesses conflict_cycles:shared_conflict_cycles; do
        [[ $(sum "$i" "${pair%:*}") == "$(json "kernels.$i.${pair#*:}")" ]] ||
            fail "kernel $i: ${pair%:*} of its lines are not its ${pair#*:}"
    done
done
cycles=$(json kernels.0.cycles)
t 0 run --anew 1 --json -- "$tmp/hot"
[[ $(json kernels.0.cycles) == "$cycles" ]] || fail "to count costs cycles"

# On two devices: each kernel has its counts on each, a file those of both.
t 0 run --hot --hot-lines 1 --devices 2 -- "$tmp/hot" 2
for kernel in "[32x1x1], device 0" "[16x1x1], device 0" "[32x1x1], device 1" "[16x1x1], device 1"; do
    [[ $(grep -cF "hot $kernel: " "$tmp/out") == 1 ]] || fail "hot $kernel is not there once"
done
t 0 run --hot --devices 2 --json -- "$tmp/hot" 2
for i in 2 3; do
    json "hot.$i.lines" >"$tmp/second"
    json "hot.$((i - 2)).lines" | cmp -s - "$tmp/second" || fail "the same launches on another device: other counts"
done
issued() { row '[0-9.]* %' | sed -n 's/.* % \([0-9]*\) [a-z].*/\1/p'; }
t 0 run --source tests/data/hot/hot.cu -- "$tmp/hot"; one=$(issued)
t 0 run --source tests/data/hot/hot.cu --devices 2 -- "$tmp/hot" 2
[[ $one -gt 0 && $(issued) == $((2 * one)) ]] || fail "two devices issued $(issued), one $one"

t 0 run --source tests/data/hot/hot.cu -- "$tmp/hot"
[[ $(grep -cE '^ *[0-9.]+ % .* 1[0-4]  ' "$tmp/out") == 5 ]] || { cat "$tmp/out"; fail "not five lines of the source"; }
t 1 run --source README.md -- "$tmp/hot"; says "README.md: no kernel that ran stems from it"; shows "hot [32x1x1]"
t 1 run --source "$tmp/none.cu" -- "$tmp/hot"; says none.cu
t 2 run --hot --functional -- "$tmp/hot"; says "--functional has no timing"
t 2 run --hot --csv -- "$tmp/hot"; says "--json has it"
exit "$bad"
