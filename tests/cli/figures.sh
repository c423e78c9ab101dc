#!/bin/bash
# shellcheck disable=SC1091,SC2016,SC2154 # lib.bash is sourced and sets variables; ` in single quotes is text
# mdpredict figure, of tables and papers that are made up here.
. tests/cli/lib.bash
data=$(pwd)/data
mdpredict=$(realpath "$mdpredict")
mkdir -p "$tmp/data/results" "$tmp/data/papers"
results=$tmp/data/results
cp -r "$data/gpus" "$data/coefficients" "$tmp/data/"
export MDPREDICT_DATA=$tmp/data
cat >"$results/tables.cfg" <<'END'
labels = { util = "share of the cycles"; RACT = "active"; };
names = ( ["lrr", "round robin"] );
tables = (
  { name = "one"; title = "Figure 1"; note = "A note."; says = "Ours agrees."; minutes = 3.5; base = "gto"; shows = ("normalised", "util");
    runs = ( { args = "-g yen2014 x y --warp-schedulers gto,lrr"; } ); },
  { name = "two"; title = "Figure 2"; base = "gto"; shows = ("normalised", "mf_latency/base"); means = true;
    runs = ( { setting = "8 KB"; args = "a"; }, { setting = "16 KB"; run = "park b"; } ); },
  { name = "three"; title = "Figure <3>"; shows = ("b"); },
  { name = "stack"; title = "Figure 4"; plot = "stack"; shows = ("RACT", "util"); runs = ( { args = "a"; } ); },
  { name = "lines"; title = "Figure 5"; plot = "lines"; base = "n=1"; shows = ("normalised", "cycles"); size = "small";
    runs = ( { args = "-g yen2014 --set cores=2 vecadd --cta-schedulers n=1,n=2,n=3"; } ); },
  { name = "suite"; title = "Figure 6"; size = "small"; shows = ("n");
    runs = ( { run = "awatramani -g yen2014 -n 1 --warp-scheduler lrr"; } ); },
  { name = "long"; title = "Figure 9"; },
  { name = "made"; title = "Figure 8"; shows = ("ipc"); runs = ( { args = "-g yen2014 build/schedulers/none/launch.cfg"; } ); },
  { name = "many"; title = "Figure 11"; base = "lrr/static"; shows = ("normalised");
    runs = ( { setting = "a"; args = "-g yen2014 --set cores=2 --suite park --warp-schedulers lrr,gto --cta-schedulers static,dyncta,optimum"; },
             { setting = "b"; args = "-g park2015 v --warp-schedulers gto --cta-schedulers static"; } ); },
  { name = "legend"; title = "Figure 10"; plot = "lines"; base = "n=1"; shows = ("normalised"); runs = ( { args = "a"; } ); },
  { name = "wide"; title = "Figure 7"; base = "gto"; shows = ("normalised"); runs = ( { args = "a"; } ); }
);
END
cat >"$results/one.csv" <<'END'
setting,target,combination,n,n_max,cycles,thread_insts,ipc,util
,x:medium,gto,1,1,10,100,10,0.5
,x:medium,lrr,1,1,5,100,20,0.25
,y,gto,1,1,10,100,10,1
,y,lrr,1,1,2,100,80,0.75
END
# 8 KB: 20 / 10 and 40 / 5 are 2 and 8, geometric mean 4; latencies 3 / 2 and 6 / 1: 1.5 and 6, mean 3.
cat >"$results/two.csv" <<'END'
setting,target,combination,n,n_max,cycles,thread_insts,ipc,mf_latency
8 KB,x,gto,1,1,1,10,10,2
8 KB,x,lrr,1,1,1,20,20,3
8 KB,y,gto,1,1,1,5,5,1
8 KB,y,lrr,1,1,1,40,40,6
16 KB,x,gto,1,1,1,10,10,2
16 KB,x,lrr,1,1,1,5,5,2
END
printf 'setting,target,combination,RACT,util\n,x,gto,0.25,0.5\n,y,gto,0.5,1\n' >"$results/stack.csv"
# 80 applications, each with a bar and a gap: more than fit into one panel.
{
    echo setting,target,combination,ipc,n_max,thread_insts
    for i in {1..80}; do printf ',w%d,gto,1,4,1000000000\n,w%d,lrr,2,4,1000000000\n' "$i" "$i"; done
    echo ',w80,optimum,2,4,1000000000'
} >"$results/wide.csv"
{
    echo 'kernel,here: points'
    for i in {1..40}; do echo "k$i,$i"; done
} >"$results/long.csv"
{
    echo setting,target,combination,ipc
    for name in mmmm1 mmmm2 mmmm3 mmmm4; do echo ",$name,n=1,1"; echo ",$name,n=2,2"; done
} >"$results/legend.csv"
printf 'a,b,c\n<two> words,1,2\n' >"$results/three.csv"
cat >"$tmp/data/papers/schedulers.csv" <<'END'
table,setting,target,combination,column,value,where
one,,y,lrr,normalised,7.5,"Somebody, page 3"
one,,geometric mean,lrr,normalised,1.25,page 4
one,,,,,lrr wins,page 5
two,8 KB,geometric mean,lrr,mf_latency/base,0.67,page 6
stack,,x,gto,RACT,0.3,page 7
wide,,arithmetic mean,lrr,normalised,2.5,page 8
END
printf 'table,target,combination,remark\none,y,lrr,"is small, and fits"\n' >"$results/remarks.csv"

# As text.
t 0 figure one; quiet
shows "## Figure 1"
shows 'A note. Divided by `gto`.'
shows '| application | gto: normalised | lrr: normalised | gto: util | lrr: util |'
shows '| x:medium | 1.000 | 2.000 | 0.500 | 0.250 |'
shows '| y | 1.000 | 8.000 (paper: 7.5) | 1.000 | 0.750 |'
shows '| geometric mean | 1.000 | 4.000 (paper: 1.25) |'
shows '| arithmetic mean | 1.000 | 5.000 | 0.750 | 0.500 |'
shows '* The paper: lrr wins (page 5)'
shows '* y: is small, and fits'
shows '* Ours agrees.'
t 0 figure two; quiet
shows '| setting | gto: normalised | lrr: normalised | gto: mf_latency/base | lrr: mf_latency/base |'
shows '| 8 KB | 1.000 | 4.000 | 1.000 | 3.000 (paper: 0.67) |'
shows '| 16 KB | 1.000 | 0.500 | 1.000 | 1.000 |'
t 0 figure three; shows '| <two> words | 1 | 2 |'

# The list: what is there, what it takes.
t 0 figure --list; quiet; shows "Figure 6"; shows "to be made"
needs() { grep -qE "^$1 .*  $2\$" "$tmp/out" || fail "the list says of $1: $(grep "^$1 " "$tmp/out")"; }
needs one "yen2014; x, y; gto, round robin"
needs lines "yen2014; vecadd; 1 to 3 CTAs"
needs suite "yen2014; suite awatramani; round robin"
needs made "yen2014; launch file"
needs three "scripts/schedulers.sh three"
needs many "2 GPUs; suite park, v; 6 schedulers; 2 settings"
mkdir "$tmp/empty"
(PATH=$tmp/empty "$mdpredict" figure --list) >"$tmp/out"; shows "gnuplot (Debian: gnuplot-nox), which is not installed here."
t 0 figure --list --csv
grep -q '^one,there,1,3.5,[^,]*,Figure 1,"-g yen2014 x y' "$tmp/out" || fail "the list has no line of one"
grep -q '^suite,to be made,1,0.0,0.0,Figure 6,' "$tmp/out" || fail "the list has no line of suite"

# 160 runs of 10^9 thread instructions, and a best n of four: half a minute each.
grep -q '^wide,there,1,0.0,82.0,Figure 7,' "$tmp/out" || fail "wide takes another time: $(grep ^wide "$tmp/out")"
t 0 figure --list; shows "about 82"

# What is missing is made, kept, and not run again; a table as CSV.
cd "$tmp" || exit 1
t 0 figure lines -o "$tmp/lines.csv"; says "its runs are kept in figure-runs.csv"
[[ $(wc -l <"$tmp/lines.csv") == 4 ]] || fail "not a heading and three rows"
[[ $(head -1 "$tmp/lines.csv") == setting,target,combination,n,n_max,cycles,thread_insts,ipc ]] || fail "other columns"
rows=$(wc -l <figure-runs.csv)
t 0 figure lines --runs figure-runs.csv; shows "vecadd:small"
[[ $(wc -l <figure-runs.csv) == "$rows" ]] || fail "what was run is run again"
[[ $(find . -name 'figure-runs.csv.*') == "" ]] || fail "a file was left"
t 0 compare vecadd --set cores=2 --cta-schedulers n=1,n=2,n=3 --csv
for n in 1 2 3; do
    cycles=$(awk -F, -v n="n=$n" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["combination"] == n && $at["target"] ~ /^vecadd/ { print $at["cycles"] }' "$tmp/out")
    grep -q "^,vecadd:small,n=$n,$n,8,$cycles," "$tmp/lines.csv" || fail "n = $n is another run than compare's"
done
t 0 figure suite -o "$tmp/suite.csv"
[[ $(grep -c ':small,lrr,1,' "$tmp/suite.csv") == 5 ]] || fail "not a row for each of a suite"
cp "$tmp/lines.csv" "$results/lines.csv"

# Wrong ones.
t 2 figure; says "--list"
t 2 figure on; says 'did you mean one'
t 2 figure one --list; says "name a figure"
t 2 figure one -o "$tmp/one.jpg"; says ".svg"
t 1 figure three --runs x.csv; says "scripts/schedulers.sh three"
t 1 figure made; says "made is made by \`scripts/schedulers.sh made\`"
t 1 figure one --runs x.csv; says '"x"'
t 1 figure one -o "$tmp/no/one.svg"; says "no/one.svg"
sed 's/"normalised", "util"/"normalised\/gto"/' "$results/tables.cfg" >"$tmp/tables.cfg"
mv "$results/tables.cfg" "$tmp/good.cfg"; cp "$tmp/tables.cfg" "$results/tables.cfg"
t 1 figure one; says 'tables.cfg:4: "normalised/gto": a column, or COLUMN/base'
sed 's/plot = "lines"/plot = "pie"/' "$tmp/good.cfg" >"$results/tables.cfg"
t 1 figure one; says 'plot is "pie": bars, stack or lines'
sed 's/"round robin"\]/"round robin", "x"]/' "$tmp/good.cfg" >"$results/tables.cfg"
t 1 figure one; says 'tables.cfg:2: a combination and its words'
cp "$tmp/good.cfg" "$results/tables.cfg"

# Drawn.
program=$(command -v "$mdpredict")
PATH=$tmp/empty "$program" figure one -o "$tmp/none.svg" >"$tmp/out" 2>"$tmp/err" && fail "without gnuplot it drew"
says gnuplot-nox
[[ ! -e $tmp/none.svg ]] || fail "a file was left"
if command -v gnuplot >/dev/null; then
    for name in one two three stack lines; do
        t 0 figure $name -o "$tmp/$name.svg"; quiet
        grep -q '<svg' "$tmp/$name.svg" || fail "$name.svg is no SVG"
        t 0 figure $name -o "$tmp/again.svg"
        cmp -s "$tmp/$name.svg" "$tmp/again.svg" || fail "$name.svg is another the second time"
    done
    grep -q 'the paper' "$tmp/one.svg" || fail "no mark of the paper's numbers"
    grep -q 'the paper' "$tmp/lines.svg" && fail "a mark of the paper's numbers, which has none"
    grep -q 'the paper: where that part ends' "$tmp/stack.svg" || fail "a stack has no mark of the paper's numbers"
    # In words; gto is the line at 1.
    for text in '>round robin<' '>ipc (gto: 1)<' '>share of the cycles<' '>gto<' '>geometric mean<'; do
        grep -q "$text" "$tmp/one.svg" || fail "one.svg does not say $text"
    done
    grep -q '>active<' "$tmp/stack.svg" || fail "stack.svg does not say what RACT is"
    t 0 figure wide -o "$tmp/wide.svg"
    [[ $(grep -c '>ipc (gto: 1)<' "$tmp/wide.svg") == 2 ]] || fail "wide.svg has not two panels"
    t 0 figure long -o "$tmp/long.svg"
    [[ $(grep -c '>points<' "$tmp/long.svg") == 2 ]] || fail "long.svg has not two panels"
    grep -q '>k40<' "$tmp/long.svg" || fail "long.svg is cut"
    grep -q '>arithmetic mean<' "$tmp/wide.svg" || fail "wide.svg lacks the mean that the paper states"
    grep -q '>arithmetic mean<' "$tmp/two.svg" && fail "two.svg has a mean that nobody states"
    grep -q '>x<' "$tmp/one.svg" || fail "one.svg does not name x"
    # From the end of a name in the legend to the end of the next one are 8.4 pixels, a sample of 42.6, and five
    # letters, which at this size of type are 8.4 pixels each: what is more than 93 is space between them.
    t 0 figure legend -o "$tmp/legend.svg"
    grep -B1 '<text>mmmm[12]</text>' "$tmp/legend.svg" | sed -n 's/.*translate(\([0-9.]*\),.*/\1/p' | xargs |
        awk '{ exit !($2 - $1 > 93 + 12) }' || fail "legend.svg: a name touches the sample before it"
    t 0 figure one -o "$tmp/one.png"
    [[ $(head -c 4 "$tmp/one.png" | tail -c 3) == PNG ]] || fail "one.png is no PNG"
    t 0 figure one -o "$tmp/one.pdf"
    [[ $(head -c 4 "$tmp/one.pdf") == %PDF ]] || fail "one.pdf is no PDF"
    t 0 figure three -o "$tmp/three.html"
    for part in '<svg' '<h1>Figure &lt;3&gt;</h1>' '<td>&lt;two&gt; words</td>'; do
        grep -q "$part" "$tmp/three.html" || fail "three.html has no $part"
    done
    mkdir "$tmp/docs"
    t 0 figure --gallery "$tmp/docs"; quiet
    [[ $(cd "$tmp/docs/figures" && echo *) == "legend.svg lines.svg long.svg one.svg stack.svg three.svg two.svg wide.svg" ]] || fail "other pictures"
    grep -q '!\[Figure 1\](figures/one.svg)' "$tmp/docs/figures.md" || fail "figures.md does not show Figure 1"
    grep -q 'Not made yet: `mdpredict figure suite`' "$tmp/docs/figures.md" || fail "figures.md does not say what is missing"
else
    echo "NOT RUN: no gnuplot"
fi
MDPREDICT_DATA=$data t 0 figure --list --csv
[[ $(awk 'END { print NR - 1 }' "$tmp/out") -ge 39 ]] || fail "the figures that are committed"
exit "$bad"
