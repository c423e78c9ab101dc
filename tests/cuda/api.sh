#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# Families of the driver's and the runtime's functions, a C program each that checks itself.
. tests/cli/lib.bash
. tests/cuda/lib.bash

build() { # NAME
    "${CC:-gcc}" -g -I. -o "$tmp/$1" "tests/cuda/$1.c" "$lib/libcudart.so.13" -L"$lib" -l:libcuda.so.1 ||
        fail "$1.c does not compile"
}

# Libraries of kernels, pools of memory.
build library
for how in run "run --functional" "compare -j 2"; do
    # shellcheck disable=SC2086 # a command and its options
    t 0 $how -- "$tmp/library"; shows passed; shows "scaled [1x1x1]"
done
exit "$bad"
