#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# --memory: what the device has. --lenient: what kernels read outside of all buffers.
. tests/cli/lib.bash
. tests/cuda/lib.bash

"${CC:-gcc}" -g -I. -o "$tmp/memory" tests/cuda/memory.c "$lib/libcudart.so.13" -L"$lib" -l:libcuda.so.1 ||
    fail "memory.c does not compile"

t 1 run -- "$tmp/memory" info 16384; says passed; says "launched no kernel"
t 1 run --memory 256M -- "$tmp/memory" info 256; says passed
t 1 sample --memory 24G -- "$tmp/memory" info 24576; says passed
t 2 run --memory 1K -- "$tmp/memory" info 1; says "--memory 1K is out of range; allowed: 1048576..1099511627776"
t 2 run --memory much -- "$tmp/memory" info 1; says '--memory wants a size such as 8G, not "much"'
t 2 run --memory 1G vecadd; says "--memory is for a program after --"

# A program that ends without a launch is told what it was denied: not what it has, not after a launch.
t 1 run -- "$tmp/memory" ask 107
says "asked for CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED, which is 0: the simulated GPU cannot do that"
t 1 run -- "$tmp/memory" ask 115; [[ $(cat "$tmp/err") != *ATTRIBUTE* ]] || fail "memory pools are there"

# A fault, as on a GPU whose page is not mapped; with --lenient 0, told once a kernel and line.
t 1 run -- "$tmp/memory" before 700; says passed; says "reads 4 bytes at 0x7fffff80"
for how in "run --functional" run "run --anew 1" sample search "compare -j 2"; do
    # shellcheck disable=SC2086 # a command and its options
    t 0 $how --lenient -- "$tmp/memory" before 0; says passed
    says "kernel before, program.ptx:20: ld.volatile.global.f32: CTA (0,0,0) thread (0,0,0): out of bounds: reads 4 bytes at 0x7fffff80"
    says "128 bytes before the start of buffer"; says "taken as 0 (--lenient)"
    [[ $(grep -c "taken as 0" "$tmp/err") == 1 ]] || fail "$how: not told once"
    [[ $(cat "$tmp/err") != *ATTRIBUTE* ]] || fail "$how: an attribute is told of after a launch"
done
t 0 trace --lenient -o "$tmp/trace" -- "$tmp/memory" before 0
t 0 run "$tmp/trace"
# Stores, atomics and misaligned loads are faults, still.
t 1 run --lenient -- "$tmp/memory" store_before 700; says passed; says "writes 4 bytes at 0x7fffff80"
t 1 run --lenient -- "$tmp/memory" add_before 700; says passed
t 1 run --lenient -- "$tmp/memory" misaligned 700; says passed; says "reads 4 bytes at 0x7fffff82"
exit "$bad"
