#!/bin/bash
# shellcheck disable=SC1091,SC2016,SC2154 # lib.bash is sourced and sets variables
# search --perturbed, compare --perturbed: each run is one that --set partition.rop_latency makes; means.
. tests/cli/lib.bash
gpu=(--seed 3 --set cores=2 --set partition.rop_latency=50)

# column NAME: that of a CSV file on stdin, in one line.
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }' | xargs; }

t 0 search vecadd "${gpu[@]}" --perturbed 2; quiet; shows "optimum"
# A row a degree: n, the runs 0, +1 and -1, mean, deviation in %, kept in %.
sed -n '/^by is chance/,/^$/p' "$tmp/out" | sed '1d;/^$/d' >"$tmp/table"
[[ $(head -1 "$tmp/table" | xargs) == "n 0 +1 -1 mean deviation kept" ]] || fail "not the columns of 0, +1 and -1"
for by in 0 +1 -1; do
    t 0 search vecadd "${gpu[@]}" --set partition.rop_latency=$((50 + by)) --csv
    column cycles <"$tmp/out" >>"$tmp/cycles"
    column thread_insts <"$tmp/out" >"$tmp/insts"
    [[ $(awk -v by=$by 'NR == 1 { for (i = 2; i <= NF; i++) if ($i == by) at = i; next } { print $at }' "$tmp/table" | xargs) == $(column ipc <"$tmp/out" | xargs printf '%.2f\n' | xargs) ]] ||
        fail "perturbed by $by, another IPC than search has with that latency"
done
# Over the cycles of all three; a standard deviation of three.
awk 'FILENAME ~ /insts$/ { insts = $1; next }
    { for (n = 1; n <= NF; n++) { sum[n] += $n; ipc[FNR, n] = insts / $n } degrees = NF }
    END { for (n = 1; n <= degrees; n++) {
              best = insts * 3 / sum[n] > best ? insts * 3 / sum[n] : best
              m = (ipc[1, n] + ipc[2, n] + ipc[3, n]) / 3
              d[n] = sqrt(((ipc[1, n] - m) ^ 2 + (ipc[2, n] - m) ^ 2 + (ipc[3, n] - m) ^ 2) / 2) }
          for (n = 1; n <= degrees; n++) printf "%.6f ", insts * 3 / sum[n]; print ""
          for (n = 1; n <= degrees; n++) printf "%.1f %% ", 100 * d[n] * sum[n] / insts / 3; print ""
          for (n = 1; n <= degrees; n++) printf "%.1f %% ", 100 * insts * 3 / sum[n] / best; print "" }' \
    "$tmp/insts" "$tmp/cycles" >"$tmp/want"
t 0 search vecadd "${gpu[@]}" --perturbed 2 --csv; quiet
[[ $(column mean_ipc <"$tmp/out" | xargs printf '%.6f\n' | xargs) == $(sed -n 1p "$tmp/want" | xargs) ]] || fail "mean_ipc is another"
for cells in '$5' '$6, $7' '$8, $9'; do awk "NR > 1 { print $cells }" "$tmp/table" | xargs; done >"$tmp/have"
diff <(sed -n 1p "$tmp/want" | xargs -n1 printf '%.2f\n' | xargs; sed -n '2,3s/ $//p' "$tmp/want") "$tmp/have" ||
    fail "the means in the table are not those of the rows"
t 0 search vecadd "${gpu[@]}" --perturbed 2 --json; shows '"perturbed_ipc": ['; shows '"ipc_deviation": '
t 0 search vecadd "${gpu[@]}" --json; grep -q perturbed "$tmp/out" && fail "without --perturbed there are perturbed runs"

# compare judges by these means; what a search costs is that of one run each.
t 0 compare vecadd "${gpu[@]}" --perturbed 2 --csv; quiet
n=$(column default_n <"$tmp/out")
[[ $(column ipc_default <"$tmp/out" | xargs printf '%.6f\n') == $(sed -n 1p "$tmp/want" | cut -d' ' -f"$n") ]] || fail "compare has another IPC at the default"
insts=$(column search_warp_insts <"$tmp/out")
t 0 compare vecadd "${gpu[@]}" --csv
[[ $(column search_warp_insts <"$tmp/out") == "$insts" ]] || fail "perturbed runs are counted as the cost of a search"

t 2 search vecadd --perturbed 9; says "--perturbed"
t 2 run vecadd --perturbed 1; says "run does not take --perturbed"
exit $bad
