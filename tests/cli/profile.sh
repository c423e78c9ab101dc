#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# profile: what is recorded is not run again; killed at any point it loses no finished run.
. tests/cli/lib.bash
db=$tmp/p.db
args=(vecadd --l1d "8,16,32" -j 2)

t 0 profile "${args[@]}" --db "$tmp/whole.db"; says "samples: 3 done"; says "runs: 24 done"
t 0 export --db "$tmp/whole.db"; quiet
mv "$tmp/out" "$tmp/whole.csv"
[[ $(wc -l <"$tmp/whole.csv") == 25 ]] || fail "not a heading and a row for each of 24 runs"
t 0 profile "${args[@]}" --db "$tmp/whole.db"; says "runs: 0 done"
t 0 export samples --db "$tmp/whole.db"
[[ $(wc -l <"$tmp/out") == 4 ]] || fail "not a heading and a row for each of 3 samples"

# Killed again and again, when two more runs are recorded: every start goes on where the last one was.
rows() { "$mdpredict" export --db "$db" 2>/dev/null | tail -n +2 | wc -l; }
have=0
for ((kills = 0; kills < 3; kills++)); do
    nice -n 19 "$mdpredict" profile "${args[@]}" -j 1 --db "$db" 2>/dev/null & # slowly: it is watched meanwhile
    while kill -0 $! 2>/dev/null && (($(rows) < have + 2)); do :; done
    kill -KILL $! 2>/dev/null || break # on a busy machine it may get done between two looks
    wait $! 2>/dev/null
    now=$(rows)
    ((now >= have + 2)) || fail "kill $kills: $now runs are recorded, after $have"
    have=$now
done
((kills > 0)) || fail "it was never killed"
t 0 profile "${args[@]}" --db "$db"; says "done"
t 0 export --db "$db"
cmp -s "$tmp/out" "$tmp/whole.csv" || fail "resumed after $kills kills, the profile differs"

# Several processes make one file, at the same time: each goes its way, and nothing is there twice.
for round in 1 2 3 4; do
    rm -f "$tmp/race.db"
    for process in 1 2 3 4; do
        "$mdpredict" profile vecadd --samples -j 1 --db "$tmp/race.db" 2>"$tmp/race.$process" ||
            touch "$tmp/race.failed" &
    done
    wait
    [[ ! -e $tmp/race.failed ]] || { cat "$tmp"/race.?; fail "round $round: one of 4 processes failed"; break; }
done
t 0 export samples --db "$tmp/race.db"
[[ $(wc -l <"$tmp/out") == 2 ]] || fail "4 processes did not leave one sample"

# What was exported is a profile again; export knows of no difference, and profile runs nothing anew.
t 0 export samples --db "$tmp/whole.db" -o "$tmp/samples.csv"
t 0 import runs "$tmp/whole.csv" --db "$tmp/again.db"; quiet
t 0 import samples "$tmp/samples.csv" --db "$tmp/again.db"; quiet
t 0 profile "${args[@]}" --db "$tmp/again.db"; says "samples: 0 done"; says "prices: 3 done"; says "runs: 0 done"
t 0 export --db "$tmp/again.db"
cmp -s "$tmp/out" "$tmp/whole.csv" || fail "runs that were exported, imported and exported differ"
t 1 import samples "$tmp/whole.csv" --db "$tmp/again.db"; says "no column"
"$mdpredict" import runs <(cat "$tmp/whole.csv") --db "$tmp/pipe.db" || fail "a pipe was not imported"
t 0 export --db "$tmp/pipe.db"
cmp -s "$tmp/out" "$tmp/whole.csv" || fail "what came through a pipe differs"
t 1 import samples "$tmp/whole.csv" --db "$tmp/none.db"; [[ ! -e $tmp/none.db ]] || fail "a failed import left a database"
sed '1s/$/,more/; 2,$s/$/,1/' "$tmp/whole.csv" >"$tmp/more.csv"
t 1 import runs "$tmp/more.csv" --db "$tmp/none.db"; says "more.csv:1: this version of mdpredict has no column \"more\""
# What can't be is told with its line, and leaves no database.
awk -F, -v OFS=, 'NR == 3 { $15 = -5 } 1' "$tmp/whole.csv" >"$tmp/bad.csv"
t 1 import runs "$tmp/bad.csv" --db "$tmp/none.db"; says "bad.csv:3: cycles is -5; a whole number from 1 on is wanted"
sed '2s/[^,]*$/oops/' "$tmp/samples.csv" >"$tmp/bad.csv"
t 1 import samples "$tmp/bad.csv" --db "$tmp/none.db"; says 'bad.csv:2: pilot_miss_rate: at most 64 numbers are wanted, not "oops"'
[[ ! -e $tmp/none.db ]] || fail "a failed import left a database"
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "part") part = i } NR == 2 { $part = 1 } 1' \
    "$tmp/samples.csv" >"$tmp/second.csv"
t 0 import samples "$tmp/second.csv" --db "$tmp/second.db"; quiet
t 1 fit --from "$tmp/second.db"; says "part 1 of vecadd:small, "; says "is there, but not the one before it"
t 1 compare --all --db "$tmp/second.db"; says "is there, but not the one before it"
t 1 fit --from "$tmp/whole.csv"; says "mdpredict import"
t 2 import runs; t 2 import rows "$tmp/whole.csv"; says "rows"

# A disk that is full: what was recorded stays, and is told; there is room again, and it goes on.
many=("${args[@]}" --perturbed 4) # 120 runs: more than a page of the database
t 0 profile "${args[@]}" --samples --db "$tmp/samples.db"
made profile "${many[@]}" --db "$tmp/many.db"
t 0 export --db "$tmp/many.db"; mv "$tmp/out" "$tmp/many.csv"
if ! fails_in_tsan "a full disk"; then
    room=$((($(wc -c <"$tmp/samples.db") + $(wc -c <"$tmp/many.db")) / 2048)) # KB: the samples and half of the runs
    (trap '' XFSZ; ulimit -f $room; "$mdpredict" profile "${many[@]}" --db "$tmp/full.db" 2>"$tmp/err") &&
        fail "with no room for its runs profile succeeded"
    says "full.db"
    have=$("$mdpredict" export --db "$tmp/full.db" | tail -n +2 | wc -l)
    ((have > 0 && have < 120)) || fail "$have runs fit the full disk, not some of 120"
    says "runs: $have done"
    t 0 profile "${many[@]}" --db "$tmp/full.db"; says "runs: $((120 - have)) done"
    t 0 export --db "$tmp/full.db"
    cmp -s "$tmp/out" "$tmp/many.csv" || fail "after a full disk the profile differs"
fi

# Files that are not ours, or not whole.
head -c 20000 "$tmp/whole.db" >"$tmp/cut.db"
cp "$tmp/whole.db" "$tmp/old.db"
printf '\0\0\0\2' | dd of="$tmp/old.db" bs=1 seek=60 conv=notrunc 2>/dev/null # user_version, in the header
for command in "export --db" "profile vecadd --db" "compare --all --db" "fit --from"; do
    read -ra words <<<"$command"
    t 1 "${words[@]}" "$tmp/cut.db"; says "cut.db: "
    t 1 "${words[@]}" "$tmp/old.db"; says "old.db: schema 2; this version of mdpredict reads schema"
done

# Perturbed runs beside the plain ones: what search says with that latency. More of them are added, none anew.
t 0 profile vecadd --l1d 8 --set cores=2 --perturbed 2 --db "$tmp/perturbed.db"; says "samples: 1 done"; says "runs: 24 done"
t 0 profile vecadd --l1d 8 --set cores=2 --perturbed 3 --db "$tmp/perturbed.db"; says "samples: 0 done"; says "runs: 8 done"
t 0 profile vecadd --l1d 8 --set cores=2 --db "$tmp/perturbed.db"; says "runs: 0 done"
t 0 export --db "$tmp/perturbed.db" -o "$tmp/perturbed.csv"
for by in -1 0 1 2; do
    t 0 search vecadd --set l1d.size=8192 --set cores=2 --set partition.rop_latency=$((120 + by)) --csv
    diff <(awk -F, -v by=$by 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
               $at["perturbation"] == by { print $at["n"], $at["cycles"] }' "$tmp/perturbed.csv") \
        <(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["n"], $at["cycles"] }' "$tmp/out") ||
        fail "perturbed by $by cycles, the runs are not those that search makes"
done
t 0 export samples --db "$tmp/perturbed.db" -o "$tmp/perturbed-samples.csv"
t 0 compare --all --db "$tmp/perturbed.db"; shows "all, one run: 1"; shows "search"
t 0 import runs <(awk -F, '!($9 == 2 && $10 == 1)' "$tmp/perturbed.csv") --db "$tmp/less.db"
t 0 import samples "$tmp/perturbed-samples.csv" --db "$tmp/less.db"
t 1 compare --all --db "$tmp/less.db"; says "n = 2 was not run with perturbation 1; \`mdpredict profile --perturbed K\`"
t 2 profile vecadd --perturbed 9 --db "$tmp/x.db"; says "--perturbed"

# A price goes with each sample: what a sample takes beside pilots, one simulation, and, where one process has
# run every degree, all of these. --prices measures those that are missing, and nothing else.
t 0 export prices --db "$tmp/whole.db" -o "$tmp/prices.csv"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { f = $at["functional_seconds"]; w = $at["window_seconds"]; one = $at["simulation_seconds"] }
    !(f > 0 && w > 0 && one > w && $at["search_seconds"] > 2 * one) { bad = 1 }
    END { exit bad || NR != 4 }' "$tmp/prices.csv" || { cat "$tmp/prices.csv"; fail "not three prices that can be"; }
t 0 import samples "$tmp/samples.csv" --db "$tmp/prices.db"
t 0 profile "${args[@]}" --prices --db "$tmp/prices.db"; says "prices: 3 done"
grep -q "samples\|runs" "$tmp/err" && fail "--prices did more than prices"
t 0 profile "${args[@]}" --prices --db "$tmp/prices.db"; says "prices: 0 done"
t 0 export prices --db "$tmp/prices.db"
awk -F, 'NR > 1 && !($11 > 0 && $12 == 0) { bad = 1 } END { exit bad || NR != 4 }' "$tmp/out" ||
    fail "a search has a price that nobody made"
t 0 export --db "$tmp/prices.db"
[[ $(wc -l <"$tmp/out") == 1 ]] || fail "--prices recorded a run"
t 0 import prices "$tmp/prices.csv" --db "$tmp/prices.db"
t 0 export prices --db "$tmp/prices.db"
cmp -s "$tmp/out" "$tmp/prices.csv" || fail "prices that were exported and imported differ"
t 2 profile vecadd --prices --samples --db "$tmp/x.db"; says "leave out --prices"
# --no-samples: the same runs without samples; samples made afterwards go with them.
t 0 profile "${args[@]}" --no-samples --db "$tmp/runs.db"; says "runs: "
grep -q "samples\|prices" "$tmp/err" && fail "--no-samples did more than runs"
t 0 export --db "$tmp/whole.db" -o "$tmp/runs-whole.csv"
t 0 export --db "$tmp/runs.db"
cmp -s "$tmp/out" "$tmp/runs-whole.csv" || fail "--no-samples recorded other runs"
t 0 profile "${args[@]}" --db "$tmp/runs.db"; says "samples: 3 done"; says "runs: 0 done"
t 2 profile vecadd --no-samples --samples --db "$tmp/x.db"; says "--no-samples records no samples"
t 2 profile vecadd --prices --perturbed 1 --db "$tmp/x.db"; says "--prices has no run"

# What is named twice is run once.
t 0 profile vecadd vecadd:small --l1d 8,16KB,8192B --samples --db "$tmp/t.db"; says "samples: 2 done"

# The command line.
t 0 profile vectoradd --warps-per-cta 4,8 --db "$tmp/w.db"; says "samples: 2 done"
t 1 profile nw --warps-per-cta 4 --db "$tmp/x.db"; says "nw: left out with 4 warps"; says "every workload is left out"
t 1 profile vecadd --order shuffled --db "$tmp/x.db"; says "vecadd: left out"; says "there is nothing to profile"
t 0 profile nw vectoradd --warps-per-cta 4 --db "$tmp/w.db"; says "nw: left out with 4 warps"; says "runs: 0 done"
t 2 profile vecadd --l1d 8,,16 --db "$tmp/x.db"; says "sizes in KB"
t 2 profile vecadd --l1d 0 --db "$tmp/x.db"
t 2 profile vecadd --l1d 7 --db "$tmp/x.db"; says "--l1d 7"
t 2 profile nonesuch --db "$tmp/x.db"; says "nonesuch"
t 2 profile vecadd --size small --db "$tmp/x.db"; says "vecadd:small"
t 2 profile --size huge --db "$tmp/x.db"; says "huge"
[[ ! -e $tmp/x.db ]] || fail "a wrong command line left a database"
t 1 profile vecadd --db /nonexistent/p.db; says "/nonexistent/p.db"
t 1 export --db "$tmp/none.db"; says "none.db"
[[ ! -e $tmp/none.db ]] || fail "export made a database"
t 2 export tables --db "$db"; says "tables"
t 1 export --db "$tmp/whole.csv"; says "not a profile database"
exit $bad
