#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# Every figure but host seconds is the same in each run of a program, wherever its memory lies and
# however many threads measure it.
. tests/cli/lib.bash
. tests/cuda/lib.bash

build() { # NAME FLAG...
    "${CC:-gcc}" -g -I. -DPTX='"tests/cuda/same.ptx"' "${@:2}" -o "$tmp/$1/same" tests/cuda/same.c "$lib/libcudart.so.13" ||
        fail "same.c does not compile"
}
mkdir "$tmp/pie" "$tmp/fixed"
build pie -pie -fPIE
build fixed -no-pie -fno-pie
once() { # NAME ARGUMENT...: mdpredict's figures of the program are those of the first such call
    local name=$1
    shift
    t 0 "$@"
    says passed
    grep -vE 'seconds|"target"' "$tmp/out" >"$tmp/figures"
    [[ -e $tmp/$name ]] || cp "$tmp/figures" "$tmp/$name"
    cmp -s "$tmp/figures" "$tmp/$name" ||
        { fail "$*: not the same as before"; diff "$tmp/$name" "$tmp/figures" | head -20; }
}
# With sanitizers one place of the stack instead of three: more of the same.
pads=(1 17 3000)
[[ ! $sanitized ]] || pads=(17)
several() { # NAME ARGUMENT...
    local pad
    for pad in "${pads[@]}"; do
        PAD=$(printf "%${pad}s") once "$@" --json -- "$tmp/pie/same"
        PAD=$(printf "%${pad}s") once "$@" --json -- "$tmp/pie/same" anywhere
    done
}
several run run
several sample sample
several compare compare -j 2
[[ $sanitized ]] || several compare compare -j 1 # more of the same
several l2 run -g park2015
# Linked to a fixed place, it has its heap behind that: with luck alone not where the device's
# memory is.
if setarch -R true; then
    kept=(1 200 3000)
    [[ ! $sanitized ]] || kept=(200)
    for pad in "${kept[@]}"; do
        PAD=$(printf "%${pad}s") once kept run --json -- "$tmp/fixed/same"
    done
else
    echo "NOT RUN: this system does not let programs keep their addresses"
fi
exit "$bad"
