#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# scripts/throws.sh: rows around a GPU's own latency, each what search says with it; their means.
. tests/cli/lib.bash
throws() { MDPREDICT=$mdpredict THROWS=1 scripts/throws.sh "$@" >"$tmp/table" 2>"$tmp/err"; }

throws vecadd --seed 3 --set cores=2 --set partition.rop_latency=50 || fail "exit code $?"
[[ $(awk 'NR > 1 { print $1 }' "$tmp/table" | xargs) == "49 50 51 mean kept" ]] || fail "not the rows of 49 to 51"
for at in 49 50 51; do
    t 0 search vecadd --seed 3 --set cores=2 --set partition.rop_latency=$at --csv
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { printf " %.2f", $at["ipc"] }' "$tmp/out" >"$tmp/want"
    diff <(awk -v at=$at '$1 == at { for (i = 2; i <= NF; i++) printf " %s", $i }' "$tmp/table") "$tmp/want" ||
        fail "another IPC with $at cycles than search has"
done
awk '$1 ~ /^[0-9]/ { for (i = 2; i <= NF; i++) sum[i] += $i }
    $1 == "mean" { for (i = 2; i <= NF; i++) { bad += ($i - sum[i] / 3) ^ 2 > 1e-4; best = $i > best ? $i : best }
                   for (i = 2; i <= NF; i++) mean[i] = $i }
    $1 == "kept" { for (i = 2; i < NF; i += 2) bad += ($i - 100 * mean[i / 2 + 1] / best) ^ 2 > 0.01; rows++ }
    END { exit bad > 0 || rows != 1 }' "$tmp/table" || { fail "the means are not those of the rows"; cat "$tmp/table"; }
throws nosuch && fail "an unknown target is no error"
grep -q nosuch "$tmp/err" || fail "the unknown target is not named"
throws && fail "no target is no error"
grep -q "scripts/throws.sh TARGET" "$tmp/err" || fail "without a target it does not say what it wants"
exit $bad
