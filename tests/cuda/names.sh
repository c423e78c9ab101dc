#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# Kernels whose names are alike as far as a table has room for them have a number, and their full names below it.
. tests/cli/lib.bash
. tests/cuda/lib.bash
"${CC:-gcc}" -g -I. -o "$tmp/names" tests/cuda/names.c "$lib/libcudart.so.13" || fail "names.c does not compile"

t 0 run -- "$tmp/names"
shows "sum_of_many_long_blocks<...> #1 [128x1x1]"
shows "sum_of_many_long_blocks<...> #2 [128x1x1]"
shows "sum_of_many_long_blocks<...> #1 [64x1x1]"
shows "plain [128x1x1]"
shows "sum_of_many_long_blocks<...> #1: sum_of_many_long_blocks<128, 1000000000>"
shows "sum_of_many_long_blocks<...> #2: sum_of_many_long_blocks<256, 1000000000>"
[[ $(grep -c "#1: " "$tmp/out") == 1 ]] || fail "a name is explained twice"
t 0 sample --explain -- "$tmp/names"
shows "sum_of_many_long_blocks<256, 1000000000> #2"
shows "plain: as"
exit "$bad"
