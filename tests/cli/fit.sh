#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# fit: from a database or a CSV file to coefficients that sample takes; what can't be fitted is told.
. tests/cli/lib.bash
yen=data/papers/yen2014-series.csv

t 0 fit --model yen2014 --from $yen --hold pipe_fits; quiet; shows "dram_reads     21"
t 0 fit --model yen2014 --from $yen --hold pipe_fits -o "$tmp/c.cfg"; quiet; shows "latency"
grep -q '^source = "data/papers/yen2014-series.csv, 3 series, pipe_fits held";$' "$tmp/c.cfg" || fail "the file does not say its source"
grep -q '^    lat_jump *= 0\.' "$tmp/c.cfg" || fail "the file has no standard error of lat_jump"
t 0 sample vecadd --model yen2014 --coefficients "$tmp/c.cfg"; shows "Chosen: n ="
# Its errors, and what they have to do with each other, are in the interval; the paper's has none.
grep -q '^correlation = (' "$tmp/c.cfg" || fail "the file has no correlations"
t 0 sample vecadd --model yen2014 --coefficients "$tmp/c.cfg" --json; shows '"predicted_ipc_low"'
t 0 sample vecadd --model yen2014 --effort window --json; grep -q '"predicted_ipc_low"' "$tmp/out" && fail "the paper tells no error"
sed 's/1\.0, 0\.0,/1.0, 0.5,/' "$tmp/c.cfg" >"$tmp/skew.cfg"
t 1 sample vecadd --model yen2014 --coefficients "$tmp/skew.cfg"; says "it must be symmetric"
t 0 fit --model yen2014 --from $yen --coefficients "$tmp/c.cfg" --hold pipe_fits; quiet
# The file names its model; another one doesn't take it.
for model in bottleneck segmented; do
    t 1 sample vecadd --model $model --coefficients "$tmp/c.cfg"; says "c.cfg:1: coefficients of the model yen2014, not of $model"
    t 1 sample vecadd --model yen2014 --coefficients data/coefficients/$model.cfg; says "coefficients of the model $model, not of yen2014"
done
t 1 fit --model segmented --from $yen --coefficients "$tmp/c.cfg"; says "c.cfg:1"
t 0 sample vecadd --coefficients <(cat data/coefficients/bottleneck.cfg); shows "Chosen: n ="
# It names every coefficient: what it lacks is told, all of it, and nothing is made up.
wanted="coefficients of the model segmented are wanted; it lacks"
for model in bottleneck segmented yen2014; do
    : >"$tmp/empty.cfg"
    t 1 sample vecadd --model $model --coefficients "$tmp/empty.cfg"; says "empty.cfg: coefficients of the model $model are wanted; it lacks model, "
done
for name in model dr_fill wave_step error; do
    grep -v "^$name *=" data/coefficients/segmented.cfg | sed "/^    $name *=/d" >"$tmp/part.cfg"
    t 1 sample vecadd --model segmented --coefficients "$tmp/part.cfg"; says "part.cfg: $wanted $name"
done
grep -Ev '^(lat|pipe)_(low|rise) *=' data/coefficients/segmented.cfg >"$tmp/part.cfg"
t 1 compare vecadd --model segmented --coefficients "$tmp/part.cfg"; says "part.cfg: $wanted lat_low, lat_rise, pipe_low, pipe_rise"
t 1 fit --model yen2014 --from $yen --coefficients <(echo 'model = "yen2014"; lat_low = 1.06;'); says "it lacks dr_refetch_part, dr_refetch, dr_part_limit"
t 0 fit --model yen2014 --from $yen --hold pipe_fits --robust --method dogleg --hold-out bfs -o "$tmp/r.cfg"
grep -q '^source = "data/papers/yen2014-series.csv, 3 series, without bfs, pipe_fits held, robust, method dogleg";$' "$tmp/r.cfg" ||
    fail "the file does not say how it was fitted: $(grep source "$tmp/r.cfg")"
t 0 fit --model yen2014 --from $yen --hold pipe_fits --hold lat_huge --hold lat_jump --hold-out unstructured; shows "14  "
for method in lmaccel dogleg ddogleg subspace2D; do
    t 0 fit --model yen2014 --from $yen --hold pipe_fits --method $method; shows "10.3 %"
done
t 0 fit --model yen2014 --from $yen --hold pipe_fits --robust

# A CSV file without a column that a stage needs: which, and for what. Held, nothing needs it.
all_of=(--hold time_power --hold sum_power --hold cold_data --hold by_misses --hold fetch --hold reads
    --hold writes --hold held --hold wave)
t 0 fit --model bottleneck --from $yen "${all_of[@]}" --hold start -o "$tmp/q.cfg"; quiet; shows "time       0      -   -"
grep -q '^description = "time: held";$' "$tmp/q.cfg" || fail "the file does not say that the stage was held"
t 1 fit --model bottleneck --from $yen "${all_of[@]}"
says "stage time: start can't be fitted: no series has the column cycles"
rest=(--hold dr_fill --hold dr_refetch --hold dr_saturation --hold dr_shared --hold lat_low --hold lat_rise
    --hold pipe_latency --hold pipe_reads --hold pipe_low --hold pipe_rise)
t 1 fit --model segmented --from $yen "${rest[@]}"; says "stage waves: wave_step can't be fitted: no series has the column cycles"
t 0 fit --model segmented --from $yen "${rest[@]}" --hold wave_step -o "$tmp/q.cfg"; quiet
grep -q '^description = ".*waves: held' "$tmp/q.cfg" || fail "the file does not say that the stage was held"

# Held out one after the other: what only one application tells has to be held.
hold=(--hold pipe_fits --hold lat_huge --hold lat_jump --hold lat_mid --hold dr_refetch_part --hold pipe_heavy)
t 0 fit --model yen2014 --from $yen "${hold[@]}" --cross-validate; quiet
for row in bfs nbf unstructured all; do shows "$row"; done
# Else it keeps its value, and that is told.
t 0 fit --model yen2014 --from $yen --cross-validate; quiet
shows "without unstructured no step of latency depends on lat_huge, which keeps its value"

# From a database: a fit sees what a profile recorded.
t 0 profile vecadd --db "$tmp/p.db"
t 1 fit --model yen2014 --from "$tmp/p.db"; says "stage dram_reads: none of 7 steps depends on"

# Of these four workloads few steps tell dr_fill, and most values of it do nothing: every method finds
# the same, and none says what nothing tells. Where most steps hardly read more, to robust weights
# those that do are outliers: that is told.
for table in runs samples; do
    awk -F, 'NR == 1 || ($2 == "yen2014" && $3 <= 16384 && $4 ~ /^(vecadd|spmv|histogram|kmeans):small$/)' \
        data/profiles/$table.csv >"$tmp/$table.csv"
    t 0 import $table "$tmp/$table.csv" --db "$tmp/four.db"
    t 0 import $table data/profiles/$table.csv --db "$tmp/all.db"
done
for method in lm lmaccel dogleg ddogleg subspace2D; do
    t 0 fit --model segmented --from "$tmp/four.db" --method $method; quiet; shows "dr_fill          0.6860"
done
if [[ ! $sanitized ]]; then # t_fit has robust fits
    t 0 fit --model segmented --from "$tmp/all.db" --hold-out medium --robust
    says "stage dram_reads: --robust takes 137 of 1888 steps for outliers"; shows "  outliers"; shows "bound  ratio       miss rate"
fi

# Held out: a workload at every size, or at one of them. (With sanitizers that is left to the quick fits above and to
# the errors below.)
if [[ ! $sanitized ]]; then
    t 0 fit --model bottleneck --from "$tmp/all.db" --hold-out nbf; shows "time    4831  23.2 %  0.988  23.2 %       106  11.7 %"
    t 0 fit --model bottleneck --from "$tmp/all.db" --hold-out nbf:small; shows "time    4884  23.2 %  0.988  23.2 %        53  7.5 %"
fi
# How far off predictions are is fitted too, unless it is held; the file says to what.
for model in bottleneck pilots; do
    t 0 fit --model $model --from "$tmp/all.db" -o "$tmp/q.cfg"; shows "errors: 8220 IPCs, 11308 pairs of degrees"
    grep -q '^description = ".*errors: 8220 IPCs, 11308 pairs of degrees' "$tmp/q.cfg" || fail "the file does not say what its errors were taken from"
    [[ $model == bottleneck ]] || grep -q '^    { of = \[ "error_correlation", "correlation_length" \];$' "$tmp/q.cfg" || fail "the file has no correlation of error_correlation and correlation_length"
    for file in "$tmp/q.cfg" data/coefficients/$model.cfg; do # up to where the search began
        awk '$2 == "=" && $1 ~ /^(margin|error|error_correlation|correlation_length)$/ && !seen[$1]++ { printf "%s %.6f\n", $1, $3 }' "$file"
    done | sort | uniq -u >"$tmp/differ"
    [[ -s $tmp/differ ]] && fail "bundled coefficients of $model are not the fitted ones: $(cat "$tmp/differ")"
done
sed 's/^\(margin\|error\) *= *[^;]*/\1 = 0.125/' data/coefficients/bottleneck.cfg >"$tmp/own.cfg"
t 0 fit --model bottleneck --coefficients "$tmp/own.cfg" --from "$tmp/all.db" --hold margin --hold error --hold error_correlation -o "$tmp/held.cfg"
shows "errors: "; grep -q "IPCs" "$tmp/out" && fail "held errors were taken from IPCs"
[[ $(grep -Ec '^(margin|error) *= 0.125;' "$tmp/held.cfg") == 2 ]] || fail "--hold does not keep margin and error"
t 1 fit --model bottleneck --from "$tmp/all.db" --hold-out nbf:tiny; says 'all.db has no workload[:SIZE], suite or size "nbf:tiny"'

t 1 fit --model yen2014 --from $yen; says "depends on pipe_fits; hold it"
t 1 fit --model yen2014 --from $yen --hold nonsense; says '"nonsense"'
t 2 fit --model yen2014 --from $yen --hold pipe_fits --method guess; says "\"guess\" of least squares; there are: lm lmaccel dogleg"
t 1 fit --model yen2014 --from $yen --hold pipe_fits --hold-out vecadd; says '"vecadd"'
t 1 fit --model yen2014 --from "$tmp/p.db" --cross-validate; says "only one workload"
t 1 fit --model yen2014 --from /nonexistent.csv; says /nonexistent.csv
t 1 fit --model yen2014 --from /nonexistent.db; says /nonexistent.db
t 2 fit; says "--from"
t 2 fit --model yen2014 --from $yen --cross-validate --hold-out nbf; says "exclude"
t 2 fit --model yen2014 --from $yen --cross-validate -o "$tmp/x.cfg"; says "x.cfg"
t 2 fit --model nonesuch --from $yen; says '"nonesuch"'
printf 'application,n,dram_reads,miss_rate,mf_latency,cta_cycles\na,1,5,x,3,4\n' >"$tmp/bad.csv"
t 1 fit --model yen2014 --from "$tmp/bad.csv"; says 'bad.csv:2: miss_rate: a number is wanted, not "x"'
printf 'application,n,dram_reads,miss_rate,mf_latency,cta_cycles\na,0,5,1,3,4\n' >"$tmp/bad.csv"
t 1 fit --model yen2014 --from "$tmp/bad.csv"; says 'bad.csv:2: n is 0; allowed: 1..64'
# A number that can't be; rows of two applications by turns; the same application in two settings.
printf 'application,n,dram_reads,miss_rate,mf_latency,cta_cycles\na,1,5,1,3,4\na,2,-5,1,3,4\n' >"$tmp/bad.csv"
t 1 fit --model yen2014 --from "$tmp/bad.csv"; says 'bad.csv:3: dram_reads is -5'
(head -1 $yen; tail -n +2 $yen | sort -t, -k2,2n) >"$tmp/turns.csv"
(cat $yen; tail -n +2 $yen) >"$tmp/twice.csv"
t 0 fit --model yen2014 --from $yen --hold pipe_fits; cp "$tmp/out" "$tmp/whole.out"
t 0 fit --model yen2014 --from "$tmp/turns.csv" --hold pipe_fits
cmp -s "$tmp/out" "$tmp/whole.out" || fail "rows in another order give another fit"
t 0 fit --model yen2014 --from "$tmp/twice.csv" --hold pipe_fits; shows "dram_reads     42"
head -2 "$tmp/bad.csv" >"$tmp/alone.csv"
t 1 fit --model yen2014 --from "$tmp/alone.csv"; says "can't be fitted: the series have no step from one n to the next"
# Times that can't be, samples that can't be.
for cell in 'cta_cycles=0=it can'"'"'t be 0' 'cta_cycles=inf=a number is wanted, not "inf"' 'cycles=-5=it can'"'"'t be negative' \
    'cycles=nan=a number is wanted, not "nan"' 'grid_ctas=-1=it can'"'"'t be negative' 'l1d_misses_at=1 -2=-2 can'"'"'t be negative'; do
    IFS='=' read -r column value why <<<"$cell"
    heading=application,n,dram_reads,miss_rate,mf_latency,cta_cycles,cycles,grid_ctas,l1d_misses_at row=
    for name in ${heading//,/ }; do
        [[ $name == "$column" ]] && row+=,$value || row+=,1
    done
    printf '%s\n%s\n' "$heading" "${row:1}" >"$tmp/bad.csv"
    t 1 fit --model yen2014 --from "$tmp/bad.csv"; says "bad.csv:2: $column"; says "$why"
done
for list in '1 x' "$(seq -s ' ' 65)"; do
    printf 'application,n,dram_reads,miss_rate,mf_latency,cta_cycles,l1d_misses_at\na,1,5,1,3,4,%s\n' "$list" >"$tmp/bad.csv"
    t 1 fit --model yen2014 --from "$tmp/bad.csv"; says "bad.csv:2: l1d_misses_at: at most 64 numbers are wanted, not \"$list\""
done
printf 'application,n,miss_rate,mf_latency,cta_cycles\n' >"$tmp/bad.csv"
t 1 fit --model yen2014 --from "$tmp/bad.csv"; says 'no column "dram_reads"'
printf 'lat_jump = "high";\n' >"$tmp/bad.cfg"
t 1 sample vecadd --coefficients "$tmp/bad.cfg"; says "bad.cfg:1"
exit $bad
