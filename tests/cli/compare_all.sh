#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# compare --all: some of the committed runs, with samples made here.
. tests/cli/lib.bash
db=$tmp/p.db workloads=(nbf bfs nw spmv vecadd)
awk -F, 'NR == 1 || ($2 == "yen2014" && ($3 == 8192 || $3 == 65536) &&
         $4 ~ /^(nbf|bfs|nw|spmv|vecadd):small$/)' data/profiles/runs.csv >"$tmp/runs.csv"
t 0 import runs "$tmp/runs.csv" --db "$db"
made profile "${workloads[@]}" --l1d 8,64 --db "$db"; says "samples: 10 done"; says "runs: 0 done"
made profile vecadd:medium --samples --db "$db"; says "samples: 1 done"

# A size can be left out of a fit: of the small ones nothing is left.
t 0 fit --model segmented --from "$db" --hold-out medium
t 1 fit --model segmented --from "$db" --hold-out small; says "the series have no"
t 1 fit --model segmented --from "$db" --hold-out large; says 'size "large"'

few=(--model segmented --model yen2014) # whose fits take no time
t 0 compare --all --db "$db" "${few[@]}"; quiet
cp "$tmp/out" "$tmp/text"
t 0 compare --all --db "$db" "${few[@]}" -j 1
cmp -s "$tmp/out" "$tmp/text" || fail "two threads give another table than one"
t 0 compare --all --db "$db"; quiet
shows "yen2014, 8 KB"; shows "yen2014, 64 KB: 5"; shows "nbf:small"; shows "geometric mean"
shows "captured"; shows "price"; shows "/ search"; shows "5 fits"
for effort in window quick thorough; do shows "$effort: coefficients of model bottleneck"; done
if command -v script >/dev/null; then
    for columns in 60 80 120; do fits $columns "compare --all --db $db ${few[*]}"; done
else
    echo "NOT RUN: there is no script, which makes a terminal"
fi

# Five applications on two L1D sizes, five predictors: the optimum keeps everything, default gains nothing; a
# search by one run of each degree keeps everything of that.
t 0 compare --all --db "$db" --csv --model yen2014; quiet
[[ $(wc -l <"$tmp/out") == 51 ]] || fail "not a heading and a row for each of 10 cases and 5 predictors"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["predictor"] == "optimum" && ($at["kept"] != 1 || $at["exact"] != 1) { bad = 1 }
    $at["predictor"] == "default" && ($at["gain"] != 0 || $at["n"] != $at["default_n"]) { bad = 1 }
    $at["predictor"] == "search" && ($at["kept_once"] != 1 || $at["kept"] > 1) { bad = 1 }
    $at["runs"] != 5 { bad = 1 }
    $at["predictor"] == "default" && $at["price"] != 0 { bad = 1 }
    $at["predictor"] == "search" && ($at["search_price"] != 1 || $at["price"] != $at["default_n"]) { bad = 1 }
    $at["predictor"] == "yen2014" && !($at["price"] > 0) { bad = 1 }
    $at["predictor"] == "yen2014" && !($at["ipc_error"] > 0 && $at["kept"] <= 1) { bad = 1 }
    END { exit bad }' "$tmp/out" || fail "a row is not what its predictor makes of it"
# An effort pays for what it has simulated: more than a window's, a pilot of every degree the most. (With
# sanitizers not once more: the text above has had these fits.)
if [[ ! $sanitized ]]; then
    t 0 compare --all --db "$db" --csv --model bottleneck; quiet
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { w[$at["predictor"]] = $at["answer_warp_insts"] }
        $at["predictor"] == "thorough" && !(w["window"] < w["quick"] && w["quick"] < w["thorough"]) { bad = 1 }
        $at["predictor"] == "thorough" { rows++ }
        END { exit bad || rows != 10 }' "$tmp/out" || fail "an effort does not pay for what it simulates"
fi
# The table has the same numbers: IPC at default, optimum, and the model's choice with its price, what it
# keeps and the error of its predicted IPCs; then their geometric means.
t 0 compare --all --db "$db" --model yen2014 -o "$tmp/table"
t 0 compare --all --db "$db" --model yen2014 --csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["l1d_bytes"] == 8192 { ipc[$at["predictor"]] += log($at["ipc"]); n += $at["predictor"] == "yen2014" }
    $at["l1d_bytes"] == 8192 && $at["predictor"] == "yen2014" {
        p = $at["price"]; logs += log(p)
        printf "%s %d %.1f %d %.1f %+.1f %% %d%s %s %.1f %% %.0f %%\n", $at["target"],
            $at["default_n"], $at["ipc_default"], $at["optimum_n"], $at["ipc_optimum"],
            100 * $at["optimum_gain"], $at["n"], $at["exact"] ? "*" : "", sprintf(p < 0.1 ? "%.3f" : "%.2f", p),
            100 * $at["kept"], 100 * $at["ipc_error"] }
    END { p = exp(logs / n)
          printf "geometric mean %.1f %.1f %s\n", exp(ipc["default"] / n), exp(ipc["optimum"] / n),
              sprintf(p < 0.1 ? "%.3f" : "%.2f", p) }' "$tmp/out" >"$tmp/want"
awk '/^yen2014, 8 KB$/ { on = 1; next } !NF { on = 0 } !on { next }
    /^geometric/ { print $1, $2, $3, $4, $7; next }
    /:/ { n = split($0, w, " "); for (i = 1; i <= 13; i++) printf "%s%s", w[i], i < 13 ? " " : "\n" }' \
    "$tmp/table" >"$tmp/have"
diff "$tmp/want" "$tmp/have" || fail "the table does not say what the CSV does"
# What limits a model: by application the least that it keeps, least first, as the CSV has it.
cp "$tmp/out" "$tmp/csv"
t 0 compare --all --explain --db "$db" --model yen2014; shows "What limits each"; shows "bound"
awk '/^yen2014$/ { on = 1; getline; next } !NF { on = 0 } on { print $1, $2 }' "$tmp/out" >"$tmp/have"
[[ $(wc -l <"$tmp/have") == 5 ]] || fail "not a line for each application"
sort -k2,2n -s "$tmp/have" | cmp -s - "$tmp/have" || fail "what is kept least is not first"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["predictor"] == "yen2014" { logs[$at["target"]] += log($at["kept"]); n[$at["target"]]++ }
    END { for (t in logs) printf "%s %.1f\n", t, 100 * exp(logs[t] / n[t]) }' "$tmp/csv" | sort >"$tmp/want"
diff "$tmp/want" <(sort "$tmp/have") || fail "what limits a model is not of what it keeps"
t 2 compare vecadd --explain; says "--fit-gpus go with --all"
t 0 compare --all --fit-gpus all --db "$db" --model yen2014; shows "fitted to the other applications on all GPUs"
t 2 compare --all --fit-gpus none --db "$db"; says '--fit-gpus wants same, other or all, not "none"'
t 2 compare --fit-gpus all vecadd; says "go with --all"
t 2 compare --all --explain --csv; says "--explain prints a table"
t 2 compare --warp-schedulers gto,lrr vecadd --explain; says "not degrees"

t 0 compare --all --db "$db" --json --model yen2014 -o "$tmp/all.json"
for key in predictors metrics cases predicted_ipc captured price answer_seconds; do
    grep -q "\"$key\"" "$tmp/all.json" || fail "the JSON has no \"$key\""
done

# A figure for each of Yen's two suites and each L1D size that is there.
if command -v gnuplot >/dev/null; then
    t 0 compare --all --db "$db" "${few[@]}" --plots "$tmp/figures"
    says "not drawn: 16 KB (Figure 14), 32 KB (Figure 15), 128 KB (Figure 17): the profile has no run of bfs, euler, "
    says "Figure 22): the profile has no run of rodbfs, gaussian, hotspot, nw, pathfinder, srad_v2 there, on yen2014 at size small"
    cmp -s "$tmp/out" "$tmp/text" || fail "with --plots the table is another"
    [[ $(cd "$tmp/figures" && echo *.svg) == "figure-13.svg figure-16.svg figure-18.svg figure-21.svg" ]] ||
        fail "not the figures of 8 and 64 KB: $(ls "$tmp/figures")"
    # Of a profile without any of their applications: an error, and no empty folder.
    for table in runs samples; do
        "$mdpredict" export $table --db "$db" | awk -F, 'NR == 1 || $4 == "vecadd:small"' >"$tmp/vecadd.csv"
        t 0 import $table "$tmp/vecadd.csv" --db "$tmp/vecadd.db"
    done
    t 1 compare --all --db "$tmp/vecadd.db" --plots "$tmp/nothing"; says "no figure can be drawn"
    [[ ! -e $tmp/nothing ]] || fail "an empty folder was left"
    grep -q '<svg' "$tmp/figures/figure-13.svg" || fail "figure-13.svg is no SVG"
    # Above the bars an n of one digit each, two applications (bfs, nbf) of every predictor; means have none.
    grep -oE '>[0-9 ]+</tspan>' "$tmp/figures/figure-13.svg" | tr -dc '0-9\n' | sort | uniq -c >"$tmp/labels"
    [[ $(grep -cE '[0-9]{3,}$' "$tmp/labels") == 0 ]] || { cat "$tmp/labels"; fail "figure-13.svg has a label that is no n"; }
    grep -q '^nbf,1.0,8,' "$tmp/figures/figure-13.csv" || fail "nbf is not in Figure 13"
else
    echo "NOT RUN: no gnuplot"
fi
mkdir "$tmp/empty"
program=$(command -v "$mdpredict")
PATH=$tmp/empty "$program" compare --all --db "$db" --plots "$tmp/none" >"$tmp/out" 2>"$tmp/err" &&
    fail "without gnuplot it made figures"
says gnuplot-nox

# What is missing is named; a wrong command line too.
awk -F, '!($3 == 8192 && $4 == "nbf:small" && $9 == 2)' "$tmp/runs.csv" >"$tmp/gap.csv"
t 0 export samples --db "$db" -o "$tmp/samples.csv"
t 0 import runs "$tmp/gap.csv" --db "$tmp/gap.db"
t 0 import samples "$tmp/samples.csv" --db "$tmp/gap.db"
t 1 compare --all --db "$tmp/gap.db"; says "nbf:small on yen2014 with 8192 bytes of L1D: n = 2"
awk -F, '!($3 == 8192 && $4 == "nbf:small" && $9 >= 6)' "$tmp/runs.csv" >"$tmp/top.csv"
t 0 import runs "$tmp/top.csv" --db "$tmp/top.db"
t 0 import samples "$tmp/samples.csv" --db "$tmp/top.db"
t 1 compare --all --db "$tmp/top.db"; says "nbf:small on yen2014 with 8192 bytes of L1D: n = 6, 7, 8 was not run"
t 1 compare --all --db "$tmp/nosuch.db"; says nosuch.db
t 1 compare --all --db "$db" --plots "$tmp/text"; says text
t 2 compare; says "--all"
t 2 compare --all vecadd; says "--all"
t 2 compare --all -g park2015; says "--all"
t 2 compare vecadd --db "$db"; says "--all"
t 2 compare --all --db "$db" --model oracle; says oracle
exit $bad
