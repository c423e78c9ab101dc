#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# Threads of a warp that wait for each other in diverged code: right with and without timing, and from
# a trace; by the PTX's .target, or as the GPU says.
. tests/cli/lib.bash

dir=tests/data/divergent
t 0 run $dir --functional; quiet
t 0 run $dir; quiet
t 0 run $dir -g kayiran2013 -n 1; quiet
t 0 run $dir --set independent_threads=on; quiet
t 0 search $dir --csv; quiet

# Where no CTA waits for another, a trace has the same cycles.
mkdir "$tmp/new" "$tmp/old"
cat >"$tmp/new/launch.cfg" <<'END'
module   = "divergent.ptx";
buffers  = ( { name = "wrong"; bytes = 4; fill = 0; } );
launches = ( { kernel = "sides"; grid = [3, 1, 1]; block = [32, 1, 1]; args = ( { buffer = "wrong"; } ); },
             { kernel = "leaving"; grid = [4, 1, 1]; block = [64, 1, 1]; args = ( { buffer = "wrong"; } ); } );
checks   = ( { buffer = "wrong"; zero = true; type = "s32"; } );
END
cp $dir/divergent.ptx "$tmp/new"
results() { grep -vE '"(target|[a-z_]*seconds[a-z_]*)"' "$tmp/out"; }
t 0 trace "$tmp/new" -o "$tmp/x.trace"
t 0 run "$tmp/new" --json; results >"$tmp/executed"
t 0 run "$tmp/x.trace" --json; results >"$tmp/traced"
cmp -s "$tmp/executed" "$tmp/traced" || fail "a trace differs from what was executed"

# One reconvergence stack: each side sees itself alone, and who has the lock waits for the others.
t 1 run $dir --set independent_threads=off --max-cycles 300000
says "kernel locked, "; says "never ends: all threads that are left wait"
sed 's/.target sm_80/.target sm_60/' $dir/divergent.ptx >"$tmp/old/divergent.ptx"
grep -v '"leaving"' "$tmp/new/launch.cfg" | sed 's/); },$/); } );/' >"$tmp/old/launch.cfg"
t 1 run "$tmp/old" --functional; says "wrong"
t 0 run "$tmp/old" --set independent_threads=on
t 2 run $dir --set independent_threads=maybe; says 'independent_threads = "maybe": on, off or auto'
t 0 list parameters; shows independent_threads

exit $bad
