#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# Launches of large CTAs, of which one fits on a core, before one of small CTAs, of which eight do: the
# first warms up caches for the second, at each of its n.
. tests/cli/lib.bash
cp tests/sampler/count.ptx "$tmp"
cat >"$tmp/two.cfg" <<'EOF2'
module = "count.ptx";
buffers = ();
launches = ( { kernel = "count"; grid = [1000, 1, 1]; block = [1024, 1, 1]; args = ( { u32 = 5; } ); },
             { kernel = "count"; grid = [300, 1, 1]; block = [33, 1, 1]; args = ( { u32 = 50; } ); } );
EOF2
for gpu in yen2014 kayiran2013 park2015; do
    t 0 sample "$tmp/two.cfg" -g $gpu --json; quiet
    [[ $(grep -c '"kernel": "count"' "$tmp/out") == 2 ]] || fail "$gpu: not two kinds of launch"
done
exit "$bad"
