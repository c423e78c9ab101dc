#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# search --db, --shard, profile --shard, merge: parts put together are the whole.
. tests/cli/lib.bash
command -v sqlite3 >/dev/null || fail "no sqlite3 here"
gpu=(--set cores=2)

# without the host's seconds
plain() { grep -v '"host_seconds"' "$1"; }

# Every run of a search is in one of three parts; together they are the search, and nothing runs again.
t 0 search vecadd "${gpu[@]}" --perturbed 1 --json; plain "$tmp/out" >"$tmp/whole"
runs=0
for i in 1 2 3; do
    t 0 search vecadd "${gpu[@]}" --perturbed 1 --shard $i/3 --db "$tmp/$i.db"
    [[ ! -s $tmp/out ]] || fail "a part prints a table"
    runs=$((runs + $(awk '/^runs:/ { print $2 }' "$tmp/err")))
done
[[ $runs == 16 ]] || fail "$runs runs in three parts, not 2 of each of 8 degrees"
t 0 search vecadd "${gpu[@]}" --perturbed 1 --shard 2/3 --db "$tmp/2.db"; says "runs: 0 done"
t 0 merge "$tmp/1.db" "$tmp/2.db" "$tmp/3.db" "$tmp/2.db" --db "$tmp/all.db"; quiet
t 0 search vecadd "${gpu[@]}" --perturbed 1 --shard 1/1 --db "$tmp/all.db"; says "runs: 0 done"
t 0 search vecadd "${gpu[@]}" --perturbed 1 --json --db "$tmp/all.db"; plain "$tmp/out" >"$tmp/merged"
cmp "$tmp/whole" "$tmp/merged" || fail "merged parts are another search"
# Merged again it is the same database; a part of another input is another run.
cp "$tmp/all.db" "$tmp/again.db"
t 0 merge "$tmp/3.db" "$tmp/1.db" --db "$tmp/again.db"
cmp <(sqlite3 "$tmp/all.db" .dump) <(sqlite3 "$tmp/again.db" .dump) || fail "twice is not once"
t 0 search vecadd "${gpu[@]}" --seed 2 --shard 1/1 --db "$tmp/all.db"; says "runs: 8 done"

# What a warp scheduler counts, and kernels of several launches, come back too.
nw=(nw:small -g park2015 --warp-scheduler elf --set cores=2)
[[ ! $sanitized ]] || nw+=(--set max_ctas=2) # less of the same
t 0 search "${nw[@]}" --json; plain "$tmp/out" >"$tmp/whole"
grep -q elf_recalculations_saved "$tmp/whole" || fail "elf counts nothing"
for _ in 1 2; do
    t 0 search "${nw[@]}" --json --db "$tmp/nw.db"
    plain "$tmp/out" | cmp - "$tmp/whole" || fail "with a database nw is another"
done

# Refused by name, and nothing written: another revision, another GPU by that name, another result.
refused() {
    t 1 merge "$tmp/1.db" "$tmp/bad.db" --db "$tmp/none.db"
    says "bad.db: $1"
    [[ ! -e $tmp/none.db ]] || fail "a database was left"
    cp "$tmp/1.db" "$tmp/into.db"
    t 1 merge "$tmp/bad.db" --db "$tmp/into.db"
    cmp -s "$tmp/1.db" "$tmp/into.db" || fail "a refused merge changed the database"
}
cp "$tmp/2.db" "$tmp/bad.db"
sqlite3 "$tmp/bad.db" "UPDATE result SET revision = 'abc'"; refused "made by revision abc of mdpredict"
rm "$tmp/bad.db"
t 0 search vecadd "${gpu[@]}" --set l1d.mshrs=16 --shard 1/8 --db "$tmp/bad.db"
refused "yen2014 is another configuration than in $tmp/1.db: l1d.mshrs = 16, there mshrs = 32"
cp "$tmp/1.db" "$tmp/bad.db"
sqlite3 "$tmp/bad.db" "UPDATE result SET counted = replace(counted, '\"cycles\":', '\"cycles\":1')"
refused "another result than in $tmp/1.db for vecadd:small on yen2014 of n = "
echo text >"$tmp/bad.db"
t 1 merge "$tmp/bad.db" --db "$tmp/none.db"; says "bad.db: not a profile database"
t 1 merge "$tmp/nosuch.db" --db "$tmp/none.db"; says "nosuch.db"
[[ ! -e $tmp/none.db ]] || fail "a database was left"
t 2 merge; says "FILE"

# A result that no search can have written is an error, not a table.
for damage in "'{}'" "'no JSON'" "replace(counted, '\"cycles\":', '\"cycles\":-')" \
    "replace(counted, '\"n_max\":', '\"n_max\":\"')" "replace(counted, '\"launches\":[', '\"launches\":[7,')"; do
    cp "$tmp/all.db" "$tmp/bad.db"
    sqlite3 "$tmp/bad.db" "UPDATE result SET counted = $damage"
    t 1 search vecadd "${gpu[@]}" --db "$tmp/bad.db"; says "recorded by another version"
done

# A profile in parts is that of one process.
t 0 profile vecadd vectoradd --l1d 8,32 --db "$tmp/one.db"
t 0 export --db "$tmp/one.db"; cp "$tmp/out" "$tmp/one.csv"
for i in 1 2; do
    t 0 profile vecadd vectoradd --l1d 8,32 --shard $i/2 --db "$tmp/p$i.db"; says "samples: 2 done"
done
t 0 merge "$tmp/p1.db" "$tmp/p2.db" --db "$tmp/p.db"
t 0 export --db "$tmp/p.db"; cmp "$tmp/out" "$tmp/one.csv" || fail "a profile in parts is another"
t 0 profile vecadd vectoradd --l1d 8,32 --db "$tmp/p.db"; says "samples: 0 done"; says "runs: 0 done"

t 2 search vecadd --shard 1/3; says "with --db FILE"
t 2 search vecadd --shard 4/3 --db "$tmp/x.db"; says "I/N is wanted"
t 2 search vecadd --shard 1/3 --db "$tmp/x.db" --json; says "prints nothing"
t 2 profile vecadd --shard x --db "$tmp/x.db"; says "I/N is wanted"
t 2 search --db "$tmp/x.db" -- true; says "bundled workloads alone"
[[ ! -e $tmp/x.db ]] || fail "a wrong command line left a database"
exit $bad
