#!/bin/bash
# shellcheck disable=SC1091,SC2016,SC2154 # lib.bash is sourced and sets variables; ` in single quotes is text
# The page of data/results/, from tables and runs made up here.
. tests/cli/lib.bash

bench=${mdpredict%/*}/bench/schedulers
cat >"$tmp/tables.cfg" <<'EOF'
tables = (
  { name = "one"; title = "Figure 1"; note = "A note."; base = "gto"; shows = ("normalised", "util");
    runs = ( { args = "-g yen2014 x y --warp-schedulers gto,lrr"; } ); },
  { name = "two"; title = "Figure 2"; base = "gto"; shows = ("normalised", "mf_latency/base"); means = true;
    runs = ( { setting = "8 KB"; args = "a"; }, { setting = "16 KB"; run = "park b"; } ); },
  { name = "three"; title = "Figure 3"; },
  { name = "four"; title = "Figure 4"; },
  { name = "five"; title = "Figure 5"; shows = ("n"); runs = ( { args = "a"; } ); }
);
EOF
cat >"$tmp/one.csv" <<'EOF'
setting,target,combination,n,n_max,cycles,thread_insts,ipc,util
,x,gto,1,1,10,100,10,0.5
,x,lrr,1,1,5,100,20,0.25
,y,gto,1,1,10,100,10,1
,y,lrr,1,1,2,100,80,0.75
EOF
# 8 KB: 20 / 10 and 40 / 5 are 2 and 8, geometric mean 4; latencies 3 / 2 and 6 / 1: 1.5 and 6, mean 3.
cat >"$tmp/two.csv" <<'EOF'
setting,target,combination,n,n_max,cycles,thread_insts,ipc,mf_latency
8 KB,x,gto,1,1,1,10,10,2
8 KB,x,lrr,1,1,1,20,20,3
8 KB,y,gto,1,1,1,5,5,1
8 KB,y,lrr,1,1,1,40,40,6
16 KB,x,gto,1,1,1,10,10,2
16 KB,x,lrr,1,1,1,5,5,2
EOF
printf 'setting,target,combination,n,ipc\n,x,gto,3,1\n,y,gto,2,1\n' >"$tmp/five.csv"
printf 'a,b\n1,two words\n' >"$tmp/three.csv"
cat >"$tmp/papers.csv" <<'EOF'
table,setting,target,combination,column,value,where
one,,y,lrr,normalised,7.5,"Somebody, page 3"
one,,geometric mean,lrr,normalised,1.25,page 4
one,,,,,lrr wins,page 5
two,8 KB,geometric mean,lrr,mf_latency/base,0.67,page 6
EOF
printf 'table,target,combination,remark\none,y,lrr,"y is small, and fits"\n' >"$tmp/remarks.csv"

"$bench" list "$tmp/tables.cfg" >"$tmp/out" || fail "list"
shows "one	-	compare	-	util	-g yen2014 x y --warp-schedulers gto,lrr"
shows "two	16 KB	run	-	mf_latency	park b"
shows "five	-	compare	-	-	a"
[[ $(wc -l <"$tmp/out") == 4 ]] || fail "not a line a comparison"

"$bench" page "$tmp" "$tmp/papers.csv" >"$tmp/out" || fail "page"
shows "## Figure 1"
shows '[one.csv](one.csv). A note. Divided by `gto`.'
shows '| application | gto: normalised | lrr: normalised | gto: util | lrr: util |'
shows '| x | 1.000 | 2.000 | 0.500 | 0.250 |'
shows '| y | 1.000 | 8.000 (paper: 7.5) | 1.000 | 0.750 |'
shows '| geometric mean | 1.000 | 4.000 (paper: 1.25) |'
shows '| arithmetic mean | 1.000 | 5.000 | 0.750 | 0.500 |'
shows '* The paper: lrr wins (page 5)'
shows '* y: y is small, and fits'
shows '| setting | gto: normalised | lrr: normalised | gto: mf_latency/base | lrr: mf_latency/base |'
shows '| 8 KB | 1.000 | 4.000 | 1.000 | 3.000 (paper: 0.67) |'
shows '| 16 KB | 1.000 | 0.500 | 1.000 | 1.000 |'
shows '| x | 3 |'
shows '| arithmetic mean | 2.500 |'
shows '| a | b |'
shows '| 1 | two words |'
shows 'Not made yet: `make schedulers`.'

sed -i 's/"normalised", "util"/"normalised\/gto"/' "$tmp/tables.cfg"
"$bench" list "$tmp/tables.cfg" >"$tmp/out" 2>"$tmp/err" && fail "a bad column was taken"
says 'tables.cfg:2: "normalised/gto": a column, or COLUMN/base'
"$bench" list data/results/tables.cfg >"$tmp/out" || fail "the tables that are committed"

exit "$bad"
