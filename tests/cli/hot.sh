#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# Hot spots: what each instruction did, against a kernel counted by hand. (That they add
# up to the run's own counters is a test of t_json.c.)
. tests/cli/lib.bash

# Two CTAs of a warp. p[i]: 32 words are a line, one transaction. p[32 i]: 32 lines. tile[32 i]: all
# in one bank, 31 cycles more than one.
target=tests/data/hot/hot.cfg
t 0 run $target --hot --hot-lines 30
quiet
row() { # LINE: its row, without spaces that are double
    sed -n "s/^ *\($1  .*\)/\1/p" "$tmp/out" | tr -s ' '
}
expect() { # LINE PATTERN
    [[ $(row "$1") =~ $2 ]] || fail "line $1 is: $(row "$1")"
}
expect 15 '^15 [0-9.]+ % 2 [a-z]+ 1\.0 100 % hot.cu:11 ld.global.u32 %r2, \[%rd3\];$'
expect 19 '^19 [0-9.]+ % 2 [a-z]+ 32\.0 97 % hot.cu:12 ld.global.u32 %r3, \[%rd5\];$'
expect 24 '^24 [0-9.]+ % 2 [a-z]+ 62 hot.cu:13 ld.shared.u32 %r6, \[%r4\];$'
expect 27 '^27 [0-9.]+ % 2 data hot.cu:14 add.u32 %r2, %r2, %r3;$' # waits for both loads
[[ $(grep -cE 'hot.cu:1[0-4]' "$tmp/out") == 17 ]] || fail "not 17 instructions"
t 0 run $target --hot --hot-lines 1
[[ $(grep -c hot.cu "$tmp/out") == 1 ]] || fail "not one line"
shows 'add.u32 %r2, %r2, %r3;'

t 0 run $target --source tests/data/hot/hot.cu # three instructions, four, ...
[[ $(row '[0-9.]* %' | sed -n 's/.* % \([0-9]*\) [a-z].* 1[0-4] .*/\1/p' | tr '\n' ' ') == "4 6 6 10 8 " ]] ||
    { cat "$tmp/out"; fail "the source's lines issued other counts"; }
shows '62    13      int c = tile[32 * threadIdx.x]; __syncthreads();'
t 0 run $target --source tests/data/hot/hot.ptx
shows '24      ld.shared.u32 %r6, [%r4];'
t 1 run $target --source README.md; says "README.md: no kernel that ran stems from it"; shows "missing: README.md"
t 1 run vecadd --source README.md; says "README.md: no kernel that ran stems from it"; says "nvcc -lineinfo" # no .loc
t 1 run $target --source "$tmp/none.ptx"; says none.ptx; [[ ! -s $tmp/out ]] || fail "it ran before it looked for the file"
t 2 run $target --hot-lines 3; says "--hot-lines wants --hot"
t 2 run $target --hot --functional; says "--functional has no timing"
t 2 run $target --hot --csv; says "--json has it"
t 2 run $target --source x.ptx --json; says "--hot has the same as JSON"

t 0 trace $target -o "$tmp/hot.trace"
t 0 run "$tmp/hot.trace" --hot --hot-lines 1; shows 'hot.cu:14  add.u32 %r2, %r2, %r3;'
exit "$bad"
