#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# Launches, and parts of a launch, that execute the same but use memory in unlike ways: one stands for
# no other. And CTAs that wait for each other, or leave each other work.
. tests/cli/lib.bash
cp tests/sampler/unlike.ptx "$tmp"

# stray CTAS LINES FROM REPEAT COUNT: so many launches
stray() {
    echo "{ kernel = \"stray\"; grid = [$1, 1, 1]; block = [640, 1, 1]; repeat = $4;" \
        "args = ( { buffer = \"table\"; }, { u32 = $2; }, { u32 = $3; }, { u32 = $5; } ); }"
}
# predicts NAME KINDS ERROR LAUNCHES: it does from so many samples, with such an error at most over all degrees,
# of which a quick answer runs pilots at a few
predicts() {
    echo "module = \"unlike.ptx\"; buffers = ( { name = \"table\"; bytes = 8388608; iota = true; } );" \
        "launches = ( $4 );" >"$tmp/$1.cfg"
    t 0 compare "$tmp/$1.cfg" --csv; quiet
    awk -F, -v error="$3" 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
        END { exit !(NR == 2 && $column["ipc_error"] < error && $column["kept"] > 0.99) }' "$tmp/out" ||
        { fail "$1"; cat "$tmp/out"; }
    t 0 sample "$tmp/$1.cfg" --json; quiet
    [[ $(grep -c '"kernel": "stray"' "$tmp/out") == "$2" ]] || fail "$1: not $2 kinds of launch"
}
if [[ ! $sanitized ]]; then # figures
    predicts launches 4 0.09 "$(stray 45 1 0 5 30), $(stray 45 64 0 5 30)" # the first of each kind is one of its own
    predicts parts 1 0.05 "$(stray 450 64 300 1 30)"
    # The last four CTAs run beside others: they are no launch by themselves.
    predicts few 1 0.05 "$(stray 32 64 28 1 400)"
fi

cat >"$tmp/chain.cfg" <<'EOF2'
module = "unlike.ptx";
buffers = ( { name = "flags"; bytes = 4096; zero = true; } );
launches = ( { kernel = "chain"; grid = [30, 1, 1]; block = [32, 1, 1]; args = ( { buffer = "flags"; } ); } );
EOF2
t 0 search "$tmp/chain.cfg"; quiet; grep -qE "^ +2 .*optimum" "$tmp/out" || fail "chain: n = 2 is not the best"
# The first waits for none, but others do for it.
for cta in "" "--cta 0"; do
    # shellcheck disable=SC2086 # an option and its argument
    t 0 sample "$tmp/chain.cfg" $cta; says "chain has CTAs that wait for others"
    shows "Chosen: n = 8 CTAs" # as two, of which no core gets more
done

# 1.8 million warp instructions, of which a CTA has some thousand; alone it has all, and does end.
cat >"$tmp/queue.cfg" <<'EOF2'
module = "unlike.ptx";
buffers = ( { name = "next"; bytes = 4; zero = true; } );
launches = ( { kernel = "queue"; grid = [240, 1, 1]; block = [32, 1, 1];
               args = ( { buffer = "next"; }, { u32 = 288000; } ); } );
EOF2
[[ ! $sanitized ]] || sed -i 's/288000/28800/' "$tmp/queue.cfg"
t 0 sample "$tmp/queue.cfg" --max-insts 1000; quiet
exit "$bad"
