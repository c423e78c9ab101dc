#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# Tables and bars keep to the width of the terminal; what goes elsewhere is not cut.
. tests/cli/lib.bash
export LC_ALL=C.UTF-8

if ! command -v script >/dev/null; then
    echo "NOT RUN: there is no script, which makes a terminal"
    exit 0
fi
widths=(60 80 120)
[[ ! $sanitized ]] || widths=(60) # where most is cut and wrapped
for columns in "${widths[@]}"; do
    for command in "run vecadd" "search vecadd" "compare vecadd" "list workloads" "list parameters" "list keys" \
        "list schedulers" "list gpus" "list models" "list efforts" "list variables" "list exit-codes" list \
        "run vecadd --hot" "run tests/data/hot/hot.cfg --source tests/data/hot/hot.cu" \
        "run vecadd --functional" "sample vecadd" "sample vecadd --explain" "sample backprop --effort window --explain" \
        "sample vecadd --counters" "disasm vecadd --phases --points" "figure --list" "figure k1" "figure y13" \
        "figure p-points" "figure k-parameters" "figure k-systems" --help "compare --help" "run --help" "fit --help" \
        "compare vecadd --warp-schedulers gto,lrr --cta-schedulers static,n=2,optimum" \
        "compare vecadd vectoradd --effort window" "search vecadd --perturbed 2" \
        "trace vecadd -o $tmp/file" "fit --model yen2014 --from data/papers/yen2014-series.csv --hold pipe_fits"; do
        fits "$columns" "$command"
    done
done
# Numbers stay whole: all of a table without a terminal stand on a narrow one too.
for command in "search vecadd" "figure k1" "compare vecadd --cta-schedulers static,n=2"; do
    # shellcheck disable=SC2086 # several words
    t 0 $command
    grep -oE '[0-9]+\.[0-9]+' "$tmp/out" | sort -u >"$tmp/numbers"
    [[ $(wc -l <"$tmp/numbers") -gt 1 ]] || fail "$command: no numbers"
    on_terminal 60 "$command"
    grep -oE '[0-9]+\.[0-9]+' "$tmp/out" | sort -u | comm -23 "$tmp/numbers" - >"$tmp/cut"
    [[ ! -s $tmp/cut ]] || fail "$command: on 60 columns there is no $(xargs <"$tmp/cut")"
done
# A column that stands below another part of the table takes no room from that part: of 60 columns 28 are left for this one.
on_terminal 60 "figure --list"
grep -q "  Kayiran, Figure 1: one CTA,$" "$tmp/out" || fail "figure --list: columns are narrower than there is room: $(sed -n 2p "$tmp/out")"
on_terminal 60 disasm vecadd --phases
grep -q "^        // phase 1" "$tmp/out" || fail "disasm: no remark below its instruction" # what finds no room behind its instruction is below
on_terminal 60 "sample vecadd --counters"
grep -q "^    of these, misses$" "$tmp/out" || { cat "$tmp/out"; fail "sample: no help below a counter"; }
on_terminal 60 search vecadd
shows mf_latency # in the part below
on_terminal 60 "search vecadd -o $tmp/file; echo done"
grep -q "dram_reads  mf_latency" "$tmp/file" || fail "a file is as wide as the terminal"
t 0 search vecadd
shows "dram_reads  mf_latency" # not a terminal: whole
COLUMNS=60 t 0 search vecadd
shows "dram_reads  mf_latency"
exit "$bad"
