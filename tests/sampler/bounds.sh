#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# A launch that is so short that it is simulated instead of sampled: what was counted then says what
# bounds it, on the first screen, in --explain and in --json.
. tests/cli/lib.bash

cp tests/sampler/bounds.ptx "$tmp"
# bound KERNEL CTAS THREADS ROUNDS BOUND: with one CTA at once
bound() {
    cat >"$tmp/$1.cfg" <<END
module = "bounds.ptx";
buffers = ( { name = "out"; bytes = 4194304; zero = true; } );
launches = ( { kernel = "$1"; grid = [$2, 1, 1]; block = [$3, 1, 1];
               args = ( { buffer = "out"; }, { u32 = $4; } ); } );
END
    t 0 sample --set max_ctas=1 "$tmp/$1.cfg"; shows "  bound   n = 1: $5"
    t 0 sample --set max_ctas=1 --explain "$tmp/$1.cfg"; shows "  $5  <- chosen"
    t 0 sample --set max_ctas=1 --json --explain "$tmp/$1.cfg"
    [[ $(json explain.bound.0) == "$5" ]] || fail "$1: bound by $(json explain.bound.0), not $5"
    [[ $(json kernels.0.window_insts) == 0.0 ]] || fail "$1 of $2 CTAs is not simulated whole"
}
bound adds 1 768 100 issue                # 24 warps, which never wait for anything else
bound adds 1 64 100 latency               # two, which wait for their sums
bound adds 1 64 1 "instruction cache"     # ... and for their first instructions, much longer
bound stream 15 64 0 "DRAM bandwidth"     # on all cores

# Of a launch with a window the model tells: rows 24 KB apart open a row of few banks each time, and
# take several times as long as rows next to each other do, which it sees.
columns() { # PITCH: cycles by the window, cycles simulated
    cat >"$tmp/columns.cfg" <<END
module = "bounds.ptx";
buffers = ( { name = "out"; bytes = 50331648; zero = true; } );
launches = ( { kernel = "columns"; grid = [30, 1, 1]; block = [128, 1, 1];
               args = ( { buffer = "out"; }, { u32 = $1; } ); } );
END
    t 0 sample --effort window --explain --json "$tmp/columns.cfg"
    predicted=$(json kernels.0.total_thread_insts | awk -v ipc="$(json predicted_ipc.7)" '{ print $1 / ipc }')
    bound=$(json explain.bound.1)
    t 0 run --json "$tmp/columns.cfg"; simulated=$(json cycles)
}
columns 24576
[[ $bound == "DRAM banks" ]] || fail "columns of rows that are far apart: bound by $bound"
awk -v p="$predicted" -v s="$simulated" 'BEGIN { exit !(p > s / 2.5 && p < s * 2.5) }' ||
    fail "columns of rows that are far apart: $predicted cycles, not $simulated"
columns 128
[[ $bound != "DRAM banks" ]] || fail "columns of rows next to each other: bound by $bound"
exit "$bad"
