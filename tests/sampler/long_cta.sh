#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# A CTA of 180 thousand warp instructions, of which a trace keeps 131072: its replay's time is that of all of
# them. Alone on a core it takes what the window says.
. tests/cli/lib.bash
cp tests/sampler/count.ptx "$tmp"
cat >"$tmp/long.cfg" <<'EOF2'
module = "count.ptx";
buffers = ();
launches = ( { kernel = "count"; grid = [15, 1, 1]; block = [32, 1, 1]; args = ( { u32 = 60000; } ); } );
EOF2
t 0 sample "$tmp/long.cfg" --json; quiet
value() { sed -n "s/^ *\"$1\": \([0-9.]*\),*$/\1/p" "$tmp/out" | tail -1; }
alone=$(value replay_alone) window=$(value cta_cycles)
awk -v a="$alone" -v w="$window" 'BEGIN { exit !(w > 600000 && a / w > 0.95 && a / w < 1.05) }' ||
    fail "alone $alone cycles, in the window $window"
exit "$bad"
