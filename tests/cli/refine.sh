#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# sample --refine: what is simulated is what `run` simulates, its cost is counted, and it decides.
. tests/cli/lib.bash

# value KEY FILE: of the first "KEY": value; of an array all, one a line.
value() { tr -d '\n' <"$2" | grep -oE "\"$1\": (\[[^]]*\]|[^,}]*)" | head -1 | sed 's/^[^:]*: //' | tr -d '[] ' | tr ',' '\n'; }
# simulated FILE: "n ipc" a line, in order.
simulated() { tr -d ' \n' <"$1" | grep -oE '\{"n":[0-9]+,"ipc":[0-9.e+-]+,"predicted_ipc"' | sed -E 's/.*"n":([0-9]+),"ipc":([^,]*),.*/\1 \2/'; }

target=(lud)
t 0 sample "${target[@]}" --json; cp "$tmp/out" "$tmp/plain"
[[ -z $(simulated "$tmp/plain") ]] || fail "something is simulated without --refine"
t 0 sample "${target[@]}" --refine 64 --json; quiet; cp "$tmp/out" "$tmp/all"
runs=$(simulated "$tmp/all" | wc -l)
[[ $runs -ge 2 ]] || fail "lud has no rivals: $runs simulations"
promises=$(value predicted_ipc "$tmp/plain" | head -n -1 | cat -n | sort -k2 -g | tail -1 | awk '{ print $1 }')
[[ $(simulated "$tmp/all" | head -1 | cut -d' ' -f1) == "$promises" ]] ||
    fail "the first one is not what promises most but the default, n = $promises"
best=$(simulated "$tmp/all" | sort -k2 -g | tail -1)
[[ ${best% *} == "$(value chosen_n "$tmp/all")" ]] || fail "chosen is not the best of the simulated: $best"
while read -r n ipc; do
    t 0 run "${target[@]}" -n "$n" --json
    [[ $(value ipc "$tmp/out") == "$ipc" ]] || fail "n = $n: simulated $ipc, run $(value ipc "$tmp/out")"
    [[ $(value predicted_ipc "$tmp/all" | sed -n "${n}p") == "$ipc" ]] || fail "n = $n is still predicted"
done < <(simulated "$tmp/all")
[[ $(value warp_insts "$tmp/all") == $(($(value warp_insts "$tmp/plain") + runs * $(value warp_insts "$tmp/out"))) ]] ||
    fail "the cost is not that of the sample and $runs simulations"

t 0 sample "${target[@]}" --refine 1 --json; cp "$tmp/out" "$tmp/one"
[[ $(simulated "$tmp/one") == "$(simulated "$tmp/all" | head -1)" ]] || fail "--refine 1 does not begin as --refine 64"
# Of n = 1, which is not simulated, less is in doubt than before.
for f in plain one; do
    echo "$(value predicted_ipc_high "$tmp/$f" | head -1) $(value predicted_ipc_low "$tmp/$f" | head -1)"
done | awk '{ r[NR] = $1 / $2 } END { exit !(r[2] > 1 && r[2] < r[1]) }' || fail "the interval is as wide as before"
t 0 sample "${target[@]}" --refine 1; shows "Simulated: n = "; shows "was predicted"
grep -E '^[0-9]+ .* simulated ' "$tmp/out" >/dev/null || fail "no degree is marked as simulated"
t 0 sample "${target[@]}" --refine 1 --csv
[[ $(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { s += $at["simulated"] } END { print s }' "$tmp/out") == 1 ]] ||
    fail "the CSV does not say which degree was simulated"

# tried FILE: "n warp_insts cycles ipc predicted_ipc" a line, in order.
tried() {
    tr -d ' \n' <"$1" | grep -oE '\{"n":[0-9]+,"kernel":"[^"]*","warp_insts":[^}]*' |
        sed -E 's/.*"n":([0-9]+),.*"warp_insts":([^,]*),"cycles":([^,]*),.*"ipc":([^,]*),"predicted_ipc":(.*)/\1 \2 \3 \4 \5/'
}
# A longer program: a 64th of it, K times, no degree twice; the cost is counted, and what was found
# is in the prediction.
t 0 sample "${target[@]}" --refine 2 --refine-insts 1000 --json; quiet; cp "$tmp/out" "$tmp/long"
[[ -z $(simulated "$tmp/long") ]] || fail "a long program was simulated whole"
[[ $(tried "$tmp/long" | cut -d' ' -f1 | sort -u | wc -l) == 2 ]] || fail "not two degrees were tried"
[[ $(tried "$tmp/long" | head -1 | cut -d' ' -f1) == "$promises" ]] || fail "not the best one is tried first"
full=$(value full_warp_insts "$tmp/long")
part=$((${full%.0} / 64)) cost=$(value warp_insts "$tmp/plain")
while read -r n insts cycles ipc predicted; do
    insts=${insts%.0}
    ((insts > part && insts <= part + 30 && ${cycles%.0} > 0)) || fail "n = $n: $insts warp instructions in $cycles cycles, for $part"
    cost=$((cost + insts))
    awk -v a="$ipc" -v b="$predicted" 'BEGIN { exit !(a > 0.5 * b && a < 2 * b) }' || fail "n = $n: $ipc of $predicted"
done < <(tried "$tmp/long")
grep -q "^  \"warp_insts\": $cost,\$" "$tmp/long" || fail "the cost is not that of the sample and two trials: $cost"
read -r n _ _ ipc _ < <(tried "$tmp/long" | tail -1)
[[ $(value predicted_ipc "$tmp/long" | sed -n "${n}p") == "$ipc" ]] || fail "n = $n is not predicted as its trial says"
t 0 sample "${target[@]}" --refine 64 --refine-insts 1000 --json
[[ $(tried "$tmp/out" | head -2) == "$(tried "$tmp/long")" ]] || fail "--refine 64 does not begin as --refine 2"
t 0 sample "${target[@]}" --refine 1 --refine-insts 1000; shows "Tried: n = $promises, the first "
t 0 sample "${target[@]}" --refine 1 --refine-insts 1000 --csv
[[ $(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["tried"] { print $at["n"] }' "$tmp/out") == "$promises" ]] ||
    fail "the CSV does not say which degree was tried"

# No rival; compare takes it too.
t 0 sample nbf --refine 3; shows "no other degree comes near it"
t 0 compare "${target[@]}" --refine 1 --json
[[ $(value chosen_n "$tmp/out") == "$(value chosen_n "$tmp/one")" ]] || fail "compare does not refine as sample does"
[[ $(simulated "$tmp/out") == "$(simulated "$tmp/one")" ]] || fail "compare does not say what was simulated"
t 0 compare "${target[@]}" --refine 2 --refine-insts 1000 --json
[[ $(tried "$tmp/out") == "$(tried "$tmp/long")" ]] || fail "compare does not say what was tried"
t 0 compare "${target[@]}" --refine 1; shows "Simulated: n = "

# Degrees that are one and the same are simulated once: 121 CTAs on 150 cores.
t 0 sample nbf --set cores=150 --refine 64 --json
[[ $(simulated "$tmp/out" | wc -l) -le 1 ]] || fail "a grid that fits at once is simulated more than once"
# kmeans: other kernels have room for more CTAs than the one that is tried.
t 0 sample kmeans --refine 64 --refine-insts 1000 --json
[[ -z $(tried "$tmp/out" | cut -d' ' -f2,3 | sort | uniq -d) ]] || fail "a kernel is tried with as many CTAs twice"

t 2 sample nbf --refine 1 --model yen2014; says "the model yen2014"
t 1 sample "${target[@]}" --refine 1 --max-cycles 20000; says "still running after 20000 cycles"
t 2 sample nbf --refine 65; says "out of range"
t 2 sample nbf --refine-insts -1; says "out of range"
exit "$bad"
