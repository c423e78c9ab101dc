#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# compare --warp-schedulers, --cta-schedulers: the table against single runs; what is recorded is not
# run again; the same bits whatever the number of jobs.
. tests/cli/lib.bash
lists=(--warp-schedulers "gto,lrr" --cta-schedulers "static,n=1,optimum")

# column NAME, of the rows of TARGET and COMBINATION, in the last run's CSV
cell() {
    awk -F, -v target="$1" -v by="$2" -v column="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $at["target"] == target && $at["combination"] == by { print $at[column] }' "$tmp/out"
}

t 0 compare "${lists[@]}" vecadd nqu --baseline lrr/static --csv -j 2; quiet
cp "$tmp/out" "$tmp/plain.csv"
[[ $(wc -l <"$tmp/out") == 25 ]] || fail "not a heading, 12 runs and two means of 6 combinations"
[[ $(awk -F, '{ print NF }' "$tmp/out" | sort -u | wc -l) == 1 ]] || fail "rows differ in length"
[[ $(cell vecadd lrr/static normalised) == 1.0 ]] || fail "the baseline over itself is not 1"
[[ $(cell nqu gto/optimum n) == 2 ]] || fail "nqu's optimum under gto"
ours=$(cell nqu lrr/n=1 ipc) limited=$(cell nqu lrr/n=1 n)
geometric=$(cell "geometric mean" gto/n=1 normalised)
product=$(awk -v a="$(cell vecadd gto/n=1 normalised)" -v b="$(cell nqu gto/n=1 normalised)" \
    -v g="$geometric" 'BEGIN { print (sqrt(a * b) / g - 1) ^ 2 < 1e-20 }')
[[ $product == 1 ]] || fail "the geometric mean of two is not the root of their product"
[[ $limited == 1 ]] || fail "n=1 ran at n = $limited"
t 0 run nqu --warp-scheduler lrr -n 1 --csv
alone=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at["ipc"] }' "$tmp/out")
[[ $ours == "$alone" ]] || fail "IPC $ours in the table, $alone alone"

t 0 compare --warp-schedulers lrr vecadd --csv --counters; shows "l1d_misses"; shows "RACT"

# Recorded runs are not run again, and give the same bytes; more are added to them.
t 0 compare "${lists[@]}" vecadd --csv --runs "$tmp/r.csv" -j 1
runs() { tail -n +2 "$tmp/r.csv" | wc -l; }
[[ $(runs) == 16 ]] || fail "$(runs) runs of vecadd are recorded, not 8 degrees under 2 schedulers"
before=$(date +%s%N -r "$tmp/r.csv")
t 0 compare "${lists[@]}" vecadd --csv --runs "$tmp/r.csv"
[[ $(date +%s%N -r "$tmp/r.csv") == "$before" ]] || fail "recorded runs were written again"
t 0 compare "${lists[@]}" vecadd nqu --baseline lrr/static --csv --runs "$tmp/r.csv" -j 3
cmp -s "$tmp/out" "$tmp/plain.csv" || fail "what was cut off and resumed differs"
# As text and as JSON.
t 0 compare "${lists[@]}" vecadd nqu --baseline lrr/static --runs "$tmp/r.csv"
shows "IPC over that of lrr/static; in brackets: CTAs a core at the optimum"
shows "geometric mean"; shows "arithmetic mean"; shows " (2)"
t 0 compare "${lists[@]}" vecadd nqu --baseline lrr/static --json --runs "$tmp/r.csv"
[[ $(json 'runs.#') == 12 && $(json 'means.#') == 6 ]] || fail "JSON: not 12 runs, 6 means"
[[ $(json means.0.geometric_mean) == "$(awk -F, 'NR == 14 { print $6 }' "$tmp/plain.csv")" ]] ||
    fail "JSON and CSV differ in a mean"
# What a kill has cut short goes, and all else is kept; other columns are another version's.
truncate -s -20 "$tmp/r.csv"
t 0 compare "${lists[@]}" vecadd nqu --baseline lrr/static --csv --runs "$tmp/r.csv"
cmp -s "$tmp/out" "$tmp/plain.csv" || fail "after a row that was cut short the table differs"
sed '1s/$/,more/; 2,$s/$/,1/' "$tmp/r.csv" >"$tmp/other.csv"
t 1 compare "${lists[@]}" vecadd --runs "$tmp/other.csv"; says "begin a new file"
sed '2s/[^,]*$/x/' "$tmp/r.csv" >"$tmp/other.csv"
t 1 compare "${lists[@]}" vecadd --runs "$tmp/other.csv"; says "other.csv:2: "
t 0 compare --warp-schedulers lrr vecadd --csv --counters; cp "$tmp/out" "$tmp/counters.csv"
t 0 compare --warp-schedulers lrr vecadd --csv --counters --runs "$tmp/r.csv"
cmp -s "$tmp/out" "$tmp/counters.csv" || fail "counters that were kept differ"
# A degree beyond what fits is what fits.
t 0 compare --cta-schedulers n=8,n=99 vecadd --csv --runs "$tmp/r.csv"; [[ $(cell vecadd n=99 n) == 8 ]] || fail "n=99"

# Suites and sizes; launch files.
t 0 compare --warp-schedulers gto --suite classic --csv; shows "matmul,"
t 0 compare --warp-schedulers gto --size medium vecadd --csv; shows "vecadd:medium,"
t 0 compare --warp-schedulers gto,lrr data/reference/vecadd/launch.cfg --csv; shows "launch.cfg,"

t 2 compare --warp-schedulers gto,lr vecadd; says "did you mean lrr"
t 2 compare --cta-schedulers statik vecadd; says "did you mean static"
t 2 compare --warp-schedulers gto,lrr --baseline lr vecadd; says "did you mean lrr"
t 2 compare --warp-schedulers gto --effort quick vecadd; says "no --effort"
t 2 compare --warp-schedulers gto --warp-scheduler lrr vecadd; says "not both"
t 2 compare --warp-schedulers gto; says "compare wants TARGET"
t 2 compare --warp-schedulers gto,elf++ --set inst_prefetch=0 vecadd; says "\"elf++\" contradicts inst_prefetch = 0"
t 2 compare --baseline gto vecadd; says "go with --warp-schedulers"
t 2 run --warp-schedulers gto vecadd; says "run does not take --warp-schedulers"
t 1 compare --warp-schedulers gto --runs "$tmp/r.csv" data/reference/vecadd/launch.cfg; says "leave out --runs"

exit "$bad"
