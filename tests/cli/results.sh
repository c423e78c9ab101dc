#!/bin/bash
# shellcheck disable=SC1091,SC2154,SC2086 # lib.bash is sourced and sets variables; commands are words
# Results go to stdout or whole to a file; messages alone go to stderr; n is clamped and said so.
. tests/cli/lib.bash

t 0 run vecadd --functional; shows "warp_insts"; quiet
t 0 run vecadd -n 2; shows "ipc"; quiet
t 0 --run=vecadd -n 2; shows "ipc"; quiet
t 0 vecadd -n 2 --run; shows "ipc"; quiet
t 0 --run vecadd -n 2 --csv; quiet
[[ $(wc -l <"$tmp/out") == 2 ]] || fail "run --csv is not a heading and one row"
fields=$(awk -F, '{ print NF }' "$tmp/out" | sort -u | wc -l)
[[ $fields == 1 ]] || fail "rows of run --csv have different numbers of fields"
head -1 "$tmp/out" | grep -q ',ipc,' || fail "run --csv has no ipc"

# Clamped to the occupancy limit, with a word on stderr.
t 0 run vecadd -n 99 --json; says "clamped to 8"
[[ $(json n) == 8 ]] || fail "n is not reported as 8"
t 0 run vecadd -n 5 --set max_ctas=3; says "clamped to 3"
t 0 run vecadd -n 5000; says "clamped to 8"

# Statistics bear the names that everyone uses; four lines of vecadd's inputs are a CTA's.
t 0 run vecadd --json
shows '"working_set_lines": 4,'
for name in RACT C_idle C_mem util miss_rate mf_latency; do shows "\"$name\": "; done

# A result says from what input it is, so that it can be made again; a launch file has none.
t 0 run bfs --json; [[ $(json seed order warps_per_cta | xargs) == "1 natural 0" ]] || fail "not the input of bfs"
t 0 run bfs --functional --json --seed 9223372036854775807 --order shuffled --warps-per-cta 4
[[ $(json seed order warps_per_cta | xargs) == "9223372036854775807 shuffled 4" ]] || fail "not the input that was asked for"
t 0 run vecadd --csv; head -1 "$tmp/out" | grep -q '^target,gpu,seed,order,warps_per_cta,n,' || fail "run --csv has no seed"
t 0 run tests/data/textures --json; shows '"target": "tests/data/textures",'
grep -Eq '"(seed|order|warps_per_cta)"' "$tmp/out" && fail "a launch file has a workload's input"

# search: a row a degree, the same whatever -j is; host_seconds, the last column but one, is time.
t 0 search vecadd --csv -j 1; quiet
[[ $(wc -l <"$tmp/out") == 9 ]] || fail "search --csv is not a heading and eight rows"
sed 's/,[^,]*,[^,]*$//' "$tmp/out" >"$tmp/one"
t 0 search vecadd --csv -j 3
sed 's/,[^,]*,[^,]*$//' "$tmp/out" | cmp -s "$tmp/one" - || fail "search differs with the number of jobs"
t 0 search vecadd; shows "optimum"; quiet
t 0 search vecadd --json
[[ $(grep -c '"dr_inc_rate": 1.0' "$tmp/out") == 7 ]] || fail "search does not tell dr_inc_rate"

t 0 sample vecadd --csv; quiet
[[ $(wc -l <"$tmp/out") == 9 ]] || fail "sample --csv is not a heading and eight rows"
head -1 "$tmp/out" | grep -q ',chosen,answer_seconds,simulation_seconds,simulation_seconds_estimated,warp_insts,.*,full_warp_insts,' || fail "sample --csv has no cost"
t 0 sample vecadd; shows "Chosen: n ="
# The answer first, on one screen of 80 columns, and nothing else; the rest when it is asked for.
for what in "Chosen: n = " "gain " "bound " "price " "times one simulation at the default degree (" \
    "times the exhaustive search (" "How to get n = 8 of kernel_vec_add: as it is."; do shows "$what"; done
head -1 "$tmp/out" | grep -q '^Chosen: n = 8 CTAs at once on each core' || fail "the degree is not said first"
[[ $(wc -l <"$tmp/out") -le 20 && $(wc -L <"$tmp/out") -le 80 ]] || fail "the answer fits no screen"
t 0 sample nbf; shows "% over n = 8; +"; shows "n = 8: L1D thrash"; shows "bytes more dynamic shared memory:"
grep -q '<<<grid, block, [0-9]*>>>' "$tmp/out" || fail "the launch is broken over two lines"
t 0 sample vecadd --counters; shows "Kernel kernel_vec_add, one CTA alone"; shows "l1d_misses"
[[ $(wc -L <"$tmp/out") -le 100 ]] || fail "counters are wider than 100 columns"
t 0 sample backprop --explain --counters
[[ $(wc -L <"$tmp/out") -le 100 ]] || fail "an explanation is wider than 100 columns"
# 4 CTAs of 38 instructions, and 4800 that measure the GPU's memory.
t 0 sample vecadd --effort window --ctas 3 --warm-up 1 --counters; shows "mean of 3 CTAs"; shows "4982 warp instructions in detail"
t 0 sample vecadd --max-insts 10 --counters; shows "extrapolated"
t 0 search vecadd --counters; shows "n = 8:"; shows "mshr"
[[ $(wc -L <"$tmp/out") -le 100 ]] || fail "search --counters is wider than 100 columns"
# What a model says of each n, and how to get one; a model that knows its error tells an interval.
t 0 sample vecadd --effort window --model yen2014 --explain; shows "dr_inc"; shows "How to get n = 8 of kernel_vec_add: as it is."
# The SFUs limit cp; nothing but latency vecadd.
t 0 sample cp --explain; grep -q '^8 .*execution units' "$tmp/out" || fail "cp is not bound by its units"
t 0 sample vecadd --explain --model segmented --json
grep -q '"execution units"' "$tmp/out" && fail "vecadd is bound by units"
json predicted_ipc_low predicted_ipc_high explain.dram_load explain.dynamic_shared_bytes explain.how >/dev/null
t 0 sample vecadd --model segmented --csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
         !($at["predicted_ipc_low"] < $at["predicted_ipc"] && $at["predicted_ipc"] < $at["predicted_ipc_high"]) { bad = 1 }
         END { exit bad }' "$tmp/out" || fail "an interval does not hold what is predicted"
t 2 run vecadd --explain; says "does not take --explain"
t 2 sample vecadd --ctas 0; says "allowed: 1..1024"
t 2 sample vecadd --warm-up x
t 2 run vecadd --ctas 2; says "does not take --ctas"
t 0 compare vecadd; shows "kept"; shows "answer / simulation"; shows "Price: "; quiet
[[ $(wc -L <"$tmp/out") -le 100 ]] || fail "compare is wider than 100 columns"

# -o: whole or not at all; what can't be written is told before the work.
t 0 run vecadd --json -o "$tmp/file.json"
[[ -s $tmp/file.json && ! -s $tmp/out ]] || fail "-o did not write the file alone"
before=$(cksum <"$tmp/file.json")
t 1 run vecadd --max-cycles 10 --json -o "$tmp/file.json"
[[ $(cksum <"$tmp/file.json") == "$before" ]] || fail "a failed run touched its output file"
[[ $(find "$tmp" -name 'file.json*' | wc -l) == 1 ]] || fail "temporary files are left behind"
t 1 search nbf -o /nonexistent/file; says "/nonexistent/file"
t 1 search nbf -o "$tmp"
if [[ -c /dev/full ]]; then
    "$mdpredict" list >/dev/full 2>"$tmp/err"
    [[ $? == 1 && -s $tmp/err ]] || fail "a full device is not reported"
fi
# Over time: a row an interval and launch, the whole file or none; every core on its own.
t 0 run vecadd --csv --interval 1000 --interval-out "$tmp/rows.csv"; quiet
cycles=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "cycles") c = i } NR == 2 { print $c }' "$tmp/out")
[[ $(wc -l <"$tmp/rows.csv") == $((1 + (cycles + 999) / 1000)) ]] || fail "rows of the intervals"
head -1 "$tmp/rows.csv" | grep -q '^kernel,launch,cycle,resident_ctas,cycles,.*,mf_latency,' ||
    fail "the heading of the intervals"
tail -1 "$tmp/rows.csv" | grep -q "^kernel_vec_add,0,$cycles,0,$((cycles % 1000))," ||
    fail "the last interval"
t 0 run vecadd --interval-out "$tmp/default.csv"
cmp -s "$tmp/rows.csv" "$tmp/default.csv" || fail "--interval is not 1000 by default"
t 1 run vecadd --max-cycles 10 --interval-out "$tmp/never.csv"
[[ ! -e $tmp/never.csv ]] || fail "a failed run wrote its intervals"
t 1 run vecadd --interval-out /nonexistent/rows.csv; says "/nonexistent/rows.csv"
t 0 run vecadd --json --per-core; [[ $(json 'cores.#') == 15 ]] || fail "--per-core does not list 15 cores"

# A reader that leaves early is no error worth a message.
"$mdpredict" list parameters 2>"$tmp/err" | head -1 >/dev/null
quiet

# By which revision each committed table was made is known, and the page says it.
t 0 figure --list --csv
diff <(tail -n +2 "$tmp/out" | cut -d, -f1 | LC_ALL=C sort) <(tail -n +2 data/results/revisions.csv | cut -d, -f1) ||
    fail "revisions.csv does not have every table once"
while read -r revision; do
    sed -n 3p data/results/README.md | grep -q "$revision" || fail "the results' page does not name the revision $revision"
done < <(tail -n +2 data/results/revisions.csv | cut -d, -f2 | sort -u)
exit "$bad"
