#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# A kernel that is launched with large CTAs, of which one fits on a core, and with small ones, of which
# eight do: two kinds of launch, each with the degrees that it has.
. tests/cli/lib.bash
cp tests/sampler/count.ptx "$tmp"
cat >"$tmp/two.cfg" <<'EOF2'
module = "count.ptx";
buffers = ();
launches = ( { kernel = "count"; grid = [1000, 1, 1]; block = [1024, 1, 1]; args = ( { u32 = 5; } ); },
             { kernel = "count"; grid = [300, 1, 1]; block = [33, 1, 1]; args = ( { u32 = 50; } ); } );
EOF2
for gpu in yen2014 kayiran2013 park2015; do
    t 0 sample "$tmp/two.cfg" -g $gpu --json --counters --explain; quiet
    [[ $(grep -c '"kernel": "count"' "$tmp/out") == 2 ]] || fail "$gpu: not two kinds of launch"
    [[ $(sed -n 's/^ *"threads_per_cta": \([0-9]*\).*/\1/p' "$tmp/out" | xargs) == "1024 33" ]] ||
        fail "$gpu: not their threads"
    [[ $(sed -n 's/^ *"n_max": \([0-9]*\).*/\1/p' "$tmp/out" | sort -n | uniq | xargs) == "1 8" ]] ||
        fail "$gpu: not the degrees of both"
done
exit "$bad"
