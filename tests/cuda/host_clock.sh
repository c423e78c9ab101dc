#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# A program that can take times by the host's clock is told once that they mean nothing; others are not.
. tests/cli/lib.bash
. tests/cuda/lib.bash

build() { # NAME FILE...
    "${CC:-gcc}" -g -I. -DPTX='"tests/data/race/race.ptx"' -o "$tmp/$1" tests/cuda/race.c "${@:2}" "$lib/libcudart.so.13" ||
        fail "$1 does not compile"
}
for name in clock_gettime gettimeofday clock; do
    echo "int $name(); int reads(void) { char t[16]; return $name(t, t); }" >"$tmp/$name.c"
    build "by_$name" -fno-builtin "$tmp/$name.c"
done
build by_none

once() { # FILE NAME
    [[ $(grep -cF "the program reads the host's clock ($2): times that it takes by that" "$1") == 1 ]] ||
        { fail "$2 is not told once"; cat "$1"; }
}
for name in clock_gettime gettimeofday clock; do
    t 0 run --functional -- "$tmp/by_$name"; once "$tmp/out" $name
done
t 0 run -- "$tmp/by_clock"; once "$tmp/out" clock
t 0 sample -- "$tmp/by_clock"; once "$tmp/out" clock
t 0 search --json -- "$tmp/by_clock"; once "$tmp/err" clock
t 0 run --functional -- "$tmp/by_none"
grep -q "host's clock" "$tmp/out" "$tmp/err" && fail "a program without a clock is told of it"
# An interpreter's clock is not the program's.
t 1 run -- bash -c "exit 3"
grep -q "host's clock" "$tmp/out" "$tmp/err" && fail "bash is told of its clock"
exit "$bad"
