#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# --html FILE: the page holds the JSON that the command prints, byte for byte, and nothing that a
# browser would load; it goes where -o would. (What a browser shows: tests/report/page.sh.)
. tests/cli/lib.bash

# What stands in the page's element ID, `<` as it was.
element() { sed -n "/<script type=\"application\/json\" id=\"$1\">/,/<\/script>/p" "$2" | sed '1d;$d' | sed 's/\\u003c/</g'; }
# same ARGS...: the page's JSON and the printed one.
same() {
    t 0 "$@" --json --html "$tmp/page.html"
    element result "$tmp/page.html" >"$tmp/result"
    cmp -s "$tmp/result" "$tmp/out" || { fail "mdpredict $*: the page's JSON is not what is printed"; diff "$tmp/result" "$tmp/out" | head -5; }
    [[ $(tail -1 "$tmp/page.html") == "</html>" ]] || fail "mdpredict $*: the page is cut"
}
same run vecadd
same run vecadd -n 2 --interval 100 --per-core
same run vecadd --functional
same search vecadd
same sample vecadd
same sample vecadd --model yen2014
same compare vecadd
same compare vecadd ssc --effort window
same compare vecadd --warp-schedulers gto,lrr --cta-schedulers static,n=2

# Text and CSV are what they are without a page; the page's JSON has what it draws all the same.
t 0 search vecadd; cp "$tmp/out" "$tmp/plain"
t 0 search vecadd --html "$tmp/page.html"; cmp -s "$tmp/out" "$tmp/plain" || fail "--html changes the text"
t 0 search vecadd --csv; cut -d, -f1-9 "$tmp/out" >"$tmp/plain"
t 0 search vecadd --csv --html "$tmp/page.html"; cut -d, -f1-9 "$tmp/out" | cmp -s - "$tmp/plain" || fail "--html changes the CSV"
t 0 sample vecadd --html "$tmp/page.html"; ! grep -q "by what n CTAs" "$tmp/out" || fail "--html explains in text"
element result "$tmp/page.html" >"$tmp/out"; [[ $(json explain.bound.#) == $(json n_max) ]] || fail "no bound for each n"
element about "$tmp/page.html" >"$tmp/out"; [[ $(json command gpu | xargs) == "sample yen2014" ]] || fail "the page does not say how it was made"

t 0 run vecadd --set l1d.size=8192 --warp-scheduler lrr --html "$tmp/page.html"
element about "$tmp/page.html" >"$tmp/out"; [[ $(json set) == "l1d.size=8192 warp scheduler lrr" ]] || fail "the page's GPU: $(json set)"
t 0 run vecadd --html "$tmp/it's <b>.html"
element about "$tmp/it's <b>.html" >"$tmp/out"; [[ $(json command_line) == *"'$tmp/it'\''s <b>.html'"* ]] || fail "the command cannot be pasted: $(json command_line)"

# How many CTAs fit, by each limit: yen2014's 8 slots, 1536 threads and 32768 registers for CTAs of
# 192 threads of 20 registers (6 warps of 640: 3840 a CTA).
t 0 run nbf --json
[[ $(json kernels.0.occupancy.{threads_per_cta,registers_per_thread,fit_slots,fit_threads,fit_registers,fit_shared,limit} | xargs) == "192 20 8 8 8 null CTA slots" ]] ||
    fail "nbf's occupancy is $(json kernels.0.occupancy.{fit_slots,fit_threads,fit_registers,fit_shared} | xargs)"
[[ $(json kernels.0.paste.#) == 0 ]] || fail "a line to paste for the default n"
t 0 run nbf -n 2 --json
[[ $(json kernels.0.paste.0) == "nbf_force<<<grid, block, 16400>>>(...);" ]] || fail "n = 2 of nbf: $(json kernels.0.paste.0)"
json kernels.0.carveout | grep -q PreferredSharedMemoryCarveout || fail "no carve-out"
# Of 128 KB, one CTA alone takes more than half: beyond 48 KB, CUDA wants to be asked first.
t 0 run nbf -n 1 --json --set shared_bytes=131072
[[ $(json kernels.0.paste.0) == "cudaFuncSetAttribute(nbf_force, cudaFuncAttributeMaxDynamicSharedMemorySize, 65552);" &&
    $(json kernels.0.paste.1) == "nbf_force<<<grid, block, 65552>>>(...);" ]] || fail "n = 1 of 128 KB: $(json kernels.0.paste.{0,1})"

# Intervals in JSON are those of the CSV file; without a place for them, there are none.
t 0 run vecadd --interval 100 --interval-out "$tmp/iv.csv" --json
rows=$(($(wc -l <"$tmp/iv.csv") - 1))
[[ $(json intervals.ipc.#) == "$rows" && $(json intervals.every) == 100 ]] || fail "JSON has not the $rows intervals of the CSV"
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } NR > 1 { print $c }' "$tmp/iv.csv"; }
for name in cycle resident_ctas sched_issued ipc; do
    paste <(json "intervals.$name" | tr ' ' '\n') <(column $name) |
        awk '$1 - $2 > 1e-12 * $2 || $2 - $1 > 1e-12 * $2 { bad = 1 } END { exit bad || NR < 10 }' || fail "intervals: $name is not the CSV's"
done
t 2 run vecadd --interval 100; says "--interval wants --interval-out FILE, --html FILE or --json"
t 2 run vecadd --interval 100 --functional --html "$tmp/x.html"; says "no intervals"
t 2 run --interval 100 --html "$tmp/x.html" -- true; says "for targets, not for programs"

# Where it goes: as -o.
t 2 run vecadd --html -; says "--html wants a file"
t 2 run vecadd --html "$tmp/x" -o "$tmp/x"; says "--html and -o are the same file"
t 2 run vecadd --html "$tmp/x" --interval-out "$tmp/x"; says "--html and --interval-out are the same file"
t 2 compare --all --html "$tmp/x"; says "--all goes with"
t 2 list gpus --html "$tmp/x"
t 1 run vecadd --html "$tmp"; says "is a folder"
t 1 run vecadd --html "$tmp/none/x"; says "No such file"
t 1 run vecadd --html /dev/full; says "No space left on device"
[[ ! -e $tmp/x && ! -e $tmp/x.html ]] || fail "a page was written that nobody may have"
cp tests/data/textures/launch.cfg tests/data/textures/*.ptx "$tmp"
for input in "$tmp"/*.cfg "$tmp"/*.ptx; do
    cp "$input" "$tmp/kept"
    t 1 run "$tmp/launch.cfg" --html "$input"; says "is an input of this command"
    cmp -s "$input" "$tmp/kept" || fail "$input was written over"
done
echo old >"$tmp/real"; chmod 640 "$tmp/real"; ln -s real "$tmp/link"
t 0 run vecadd --html "$tmp/link"
[[ -L $tmp/link && $(stat -c %a "$tmp/real") == 640 ]] || fail "a link or a mode was lost"
grep -q '</html>' "$tmp/real" || fail "the file behind the link was not written"
echo old >"$tmp/old.html"
t 1 run no_such_target --html "$tmp/old.html"; [[ $(cat "$tmp/old.html") == old ]] || fail "a failed run has written a page"
t 1 run nbf --max-cycles 500 --html "$tmp/stopped.html"; grep -q '"stopped":' "$tmp/stopped.html" || fail "what was measured has no page"

exit $bad
