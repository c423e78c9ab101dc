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
# A runtime that is linked in reads clocks itself: nothing follows from the same ones.
cat >"$tmp/runtime.c" <<'END'
__attribute__((section(".nv_fatbin"))) int fatbin[16] = {1};
__attribute__((section(".nvFatBinSegment"))) void *segment = fatbin;
END
cc=${CC:-gcc}
mkdir "$tmp/stub" # our own libcuda.so.1 says that it is a libcudart
"$cc" -I. -c -o "$tmp/driver.o" tests/cuda/driver.c || fail "driver.c does not compile"
nm -u "$tmp/driver.o" | awk '$2 ~ /^cu/ { printf "void %s(void) {}\n", $2 }' |
    "$cc" -shared -fPIC -Wl,-soname,libcuda.so.1 -o "$tmp/stub/libcuda.so.1" -x c - || fail "no stub"
driver() { # NAME FILE...
    "$cc" -g -o "$tmp/$1" "$tmp/driver.o" "${@:2}" "$tmp/stub/libcuda.so.1" || fail "$1 does not compile"
    t 0 run --functional -- "$tmp/$1" tests/cuda/host.ptx
}
driver alone -fno-builtin "$tmp/gettimeofday.c"; once "$tmp/out" gettimeofday
driver beside -fno-builtin "$tmp/gettimeofday.c" "$tmp/runtime.c"
grep -q "host's clock" "$tmp/out" "$tmp/err" && fail "the runtime's own clock is told"
driver own -fno-builtin "$tmp/clock.c" "$tmp/runtime.c"; once "$tmp/out" clock
exit "$bad"
