#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# Phases: what disasm shows of them, and what is said of a kernel that has none.
. tests/cli/lib.bash

# The loads bring r6 and r7; latencies of a move, an add, a mad: 1, 4, 5.
t 0 disasm vecadd --gpu awatramani2015 --phases; quiet
shows "mad.lo.s32 r5, r2, r3, r4                         // phase 1, distance 19"
shows "add.s32 r8, r7, r6                                // phase 2, distance 10"
t 0 disasm vecadd --phases --set latency.int_mad=15 --set latency.other=3
shows "mad.lo.s32 r5, r2, r3, r4                         // phase 1, distance 33"
t 0 disasm vecadd --json --phases
[[ $(json 0.phases) == 2 ]] || fail "vecadd has not two phases"
[[ $(json 0.instruction.9.distance) == 19 ]] || fail "no distance of instruction 9"
[[ $(json 0.instruction.15.phase) == 2 ]] || fail "no phase of instruction 15"
t 0 disasm vecadd --csv --phases
head -1 "$tmp/out" | grep -q ',phases$' || fail "no column of phases"
t 0 disasm vecadd
grep -q phase "$tmp/out" && fail "phases that nobody asked for"
t 2 disasm vecadd --phases --set latency.int_mad=0

cat >"$tmp/k.ptx" <<'PTX'
.version 6.0
.target sm_30
.address_size 64
.visible .entry none(.param .u64 out)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1;
    ret;
}
PTX
cat >"$tmp/launch.cfg" <<'CFG'
module = "k.ptx";
buffers = ( { name = "out"; bytes = 256; zero = true; } );
launches = ( { kernel = "none"; grid = [2, 1, 1]; block = [64, 1, 1]; args = ( { buffer = "out"; } ); },
             { kernel = "none"; grid = [4, 1, 1]; block = [64, 1, 1]; args = ( { buffer = "out"; } ); } );
CFG
for how in "paws" "two-level --set two_level.outer=paws"; do
    # shellcheck disable=SC2086 # words
    t 0 run "$tmp/launch.cfg" --warp-scheduler $how
    says "mdpredict: none: has no phases"
    by=warp_scheduler
    [[ $how == paws ]] || by=two_level.outer
    says "$by = \"paws\""
    [[ $(wc -l <"$tmp/err") == 1 ]] || fail "not once for the kernel"
done
t 0 search "$tmp/launch.cfg" --warp-scheduler paws; says "mdpredict: none: has no phases"
t 0 compare "$tmp/launch.cfg" --warp-schedulers gto,paws,two-level:two_level.outer=paws --cta-schedulers static,optimum
says 'mdpredict: none: has no phases'; says 'warp_scheduler = "paws"'; says 'two_level.outer = "paws"'
[[ $(wc -l <"$tmp/err") == 2 ]] || fail "compare: not once for the kernel and the parameter"
t 0 compare "$tmp/launch.cfg" --warp-schedulers gto,lrr; quiet
t 0 sample "$tmp/launch.cfg" --warp-scheduler paws; says "mdpredict: none: has no phases"
[[ $(wc -l <"$tmp/err") == 1 ]] || fail "sample: not once for the kernel"
t 0 sample "$tmp/launch.cfg"; quiet
t 0 run "$tmp/launch.cfg" --warp-scheduler two-level; quiet
t 0 run vecadd --warp-scheduler paws; quiet

t 2 run vecadd --warp-scheduler two-level --set two_level.inner=grt
says 'two_level.inner = "grt": no such order of active warps (lrr, gto)'
t 2 run vecadd --set two_level.outer=pows; says 'two_level.outer = "pows"'; says "did you mean paws"
t 2 run vecadd --warp-scheduler PAWS; says "did you mean paws"
# A part that the name adds and a parameter takes away.
t 2 run vecadd --warp-scheduler elf++ --set inst_prefetch=0; says 'warp_scheduler = "elf++" contradicts inst_prefetch = 0'
t 2 run vecadd --warp-scheduler gto+newcar --set reexecution=none; says 'contradicts reexecution = "none"'
t 0 run vecadd --warp-scheduler elf++ --set inst_prefetch=8; quiet
t 0 run vecadd --warp-scheduler elf --set inst_prefetch=0 --set reexecution=none; quiet
exit "$bad"
