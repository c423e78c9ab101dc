#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# Tables and bars keep to the width of the terminal; what goes elsewhere is not cut.
. tests/cli/lib.bash
export LC_ALL=C.UTF-8

if ! command -v script >/dev/null; then
    echo "NOT RUN: there is no script, which makes a terminal"
    exit 0
fi
on_terminal() { # COLUMNS ARGUMENT...: what stands on such a terminal
    local columns=$1
    shift
    script -qec "stty cols $columns; '$mdpredict' $* 2>/dev/null" /dev/null </dev/null | tr -d '\r' >"$tmp/out"
    [[ -s $tmp/out ]] || fail "$*: nothing on a terminal"
}
# Of tables and bars; sentences go on in the next line of the terminal.
widest() { while IFS= read -r line; do echo "${#line}"; done < <(grep -v ": n = \|scheduler cycles;\|^Price: " "$tmp/out") | sort -n | tail -1; }
for columns in 60 80 120; do
    for command in "run vecadd" "search vecadd" "compare vecadd" "list workloads" "list parameters" "list keys" \
        "list schedulers" "run vecadd --hot" "sample vecadd" "sample vecadd --explain" \
        "sample vecadd --counters" "disasm vecadd --phases --points" "figure --list"; do
        on_terminal "$columns" "$command"
        [[ $(widest) -le $columns ]] || { cat "$tmp/out"; fail "$command: $(widest) of $columns columns"; }
        grep -q ' $' "$tmp/out" && fail "$command: blanks at the end of a line"
    done
done
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
