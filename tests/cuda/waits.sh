#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# Kernels whose CTAs wait for each other: nothing can be said of one alone, so `sample` simulates all
# of them, at some degrees; a thorough one at every degree; a window has one as it runs among the others;
# and says so. With too few at once some never end: those are never advised.
. tests/cli/lib.bash
. tests/cuda/lib.bash

cp tests/cuda/barrier.ptx "$tmp"
chain="{ kernel = \"chain\"; grid = [120, 1, 1]; block = [64, 1, 1];
         args = ( { buffer = \"number\"; }, { buffer = \"done\"; }, { buffer = \"data\"; } ); }"
meet="{ kernel = \"meet\"; grid = [60, 1, 1]; block = [64, 1, 1]; args = ( { buffer = \"count\"; }, { u32 = 60; } ); }"
launch_file() { # NAME LAUNCHES
    cat >"$tmp/$1.cfg" <<END
module = "barrier.ptx";
buffers = ( { name = "number"; bytes = 4; zero = true; }, { name = "done"; bytes = 4; zero = true; },
            { name = "count"; bytes = 4; zero = true; }, { name = "data"; bytes = 38400; zero = true; },
            { name = "much"; bytes = 1966080; zero = true; } );
launches = ( $2 );
END
}
launch_file chain "$chain"
launch_file meet "$meet"
launch_file both "$meet, $chain"
launch_file front "{ kernel = \"front\"; grid = [480, 1, 1]; block = [64, 1, 1];
                   args = ( { buffer = \"count\"; }, { u32 = 40; }, { buffer = \"much\"; } ); }"

same_cycles() { # NAME: of a sample, and of a search in $tmp/cycles
    [[ $(json kernels.0.pilot_cycles | tr ' ' '\n' | head -8 | cut -d. -f1 | xargs) == "$(cat "$tmp/cycles")" ]] ||
        fail "$1: not the cycles that search finds"
}

# What sample says is what search finds: work a cycle, whatever is executed while waiting.
t 0 search --json "$tmp/chain.cfg"
json {0..7}.cycles | xargs >"$tmp/cycles"
one=$(json 7.warp_insts)
best=$(tr ' ' '\n' <"$tmp/cycles" | sort -n | head -1)
n=$(tr ' ' '\n' <"$tmp/cycles" | grep -nx "$best" | head -1 | cut -d: -f1)
jobs_tried=(1 2) ctas_tried=("" "--cta 200")
[[ ! $sanitized ]] || { jobs_tried=(2) ctas_tried=("--cta 200"); } # more of the same
for jobs in "${jobs_tried[@]}"; do
    t 0 sample -j "$jobs" --json --effort thorough "$tmp/chain.cfg"
    says "chain has CTAs that wait for others"; says "simulated at every degree, as \`search\` does"
    [[ $(json chosen_n) == "$n" ]] || fail "chain: n = $(json chosen_n), not $n"
    same_cycles chain
    [[ $(json full_warp_insts) == "$one.0" ]] || fail "chain: one simulation has $(json full_warp_insts) instructions, not $one"
    [[ $(json predicted_miss_rate | tr ' ' '\n' | sort -u) == null ]] || fail "chain: a miss rate that nobody has seen"
    grep -q least_n "$tmp/out" && fail "chain ends at every degree"
    [[ $(json kernels.0.fewest_ctas) == 1.0 ]] || fail "chain waits, and is said not to"
done
t 0 sample --json "$tmp/chain.cfg"; says "chain has CTAs that wait for others"; says "are simulated at some degrees"
[[ $(json chosen_n) == "$n" ]] || fail "chain, quick: n = $(json chosen_n), not $n"
json warp_insts full_warp_insts | xargs | awk '{ exit !($1 < 2.5 * $2) }' || fail "chain, quick: $(json warp_insts) instructions"
t 0 sample --explain "$tmp/chain.cfg"; shows "80 % lie in"; shows "  bound   n = $n: CTAs that wait"
# A window simulates one CTA, and nothing else; and is none of the time for which it waits.
t 0 sample --json --explain --effort window "$tmp/chain.cfg"; says "a window has one as it runs among the others"
[[ $(json pilot_warp_insts) == 0 && $(json kernels.0.window_insts) == 45.0 ]] || fail "chain, window: more than a CTA"
[[ $(json explain.bound.7) == "DRAM bandwidth" ]] || fail "chain, window: bound by $(json explain.bound.7)"
t 0 sample --json --effort window "$tmp/meet.cfg"; says "meet never ends with fewer than 4 CTAs at once"
[[ $(json chosen_n least_n pilot_warp_insts | xargs) == "8 4 0" ]] || fail "meet, window: n = $(json chosen_n), at least $(json least_n)"
t 0 sample --explain --effort window "$tmp/meet.cfg"; shows "never ends"
t 0 sample --explain --counters --effort thorough "$tmp/chain.cfg"; shows "simulated whole at every degree"
grep -qE "nan|inf[^o]" "$tmp/out" && fail "chain: not a number"
t 0 compare "$tmp/chain.cfg"; shows "100.0 %"

# Of a long one a part is simulated, together less than once.
launch_file long "${chain/120/32000}"
sed -i 's/bytes = 38400/bytes = 8192000/' "$tmp/long.cfg"
if [[ ! $sanitized ]]; then # figures
    t 0 sample --json "$tmp/long.cfg"; says "are simulated at some degrees"
    json warp_insts full_warp_insts | xargs | awk '{ exit !($1 < 0.3 * $2) }' || fail "long: $(json warp_insts) instructions of $(json full_warp_insts)"
    # By `search` 3 is the best, 2 takes 2 % longer, 1 7 %, 4 10 %, and 8 more than twice as long.
    [[ $(json chosen_n) -le 3 ]] || fail "long: n = $(json chosen_n)"
fi

# 60 CTAs on 15 cores meet with 4 at once or more.
t 0 search --json "$tmp/meet.cfg"; says "meet.cfg never ends with fewer than 4 CTAs at once on each core"
[[ $(json {0..7}.n | xargs) == "1 2 3 4 5 6 7 8" && $(json '0.kernels.0.n' '3.kernels.0.n' '4.kernels.0.n' | xargs) == "4 4 5" ]] ||
    fail "meet: degrees that never end are not those of 4"
t 0 search "$tmp/meet.cfg"; grep -qE "^ +4 .*optimum" "$tmp/out" || fail "meet: the optimum is not at 4"
t 0 sample --json "$tmp/meet.cfg"; says "meet never ends with fewer than 4 CTAs at once"
[[ $(json chosen_n least_n | xargs) == "8 4" ]] || fail "meet: n = $(json chosen_n), at least $(json least_n)"
t 0 sample --explain "$tmp/meet.cfg"; shows "never ends"
t 1 search --set max_ctas=3 "$tmp/meet.cfg"; says "kernel meet"; says "never ends"
t 1 sample --set max_ctas=3 "$tmp/meet.cfg"; says "never ends"

# Under schedulers, too, an optimum ends; and it is the fastest, whatever is executed while waiting.
t 0 compare --cta-schedulers static,optimum --csv "$tmp/meet.cfg"
[[ $(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 3 { print $at["n"] }' "$tmp/out") == 4 ]] || fail "meet: the optimum is not 4"
t 0 compare --cta-schedulers static,optimum --csv "$tmp/chain.cfg"
awk -F, -v best="$best" -v all="$(cut -d' ' -f8 "$tmp/cycles")" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR == 3 { exit ($at["normalised"] / (all / best) - 1) ^ 2 > 1e-20 }' "$tmp/out" || fail "chain: normalised by what it executes"

# CTAs that use memory unlike the others, and wait for each other alone: all of them, in their order, whichever
# is sampled.
t 0 search --json "$tmp/front.cfg"
[[ $(json 0.least_n) == 3 ]] || fail "front: at least $(json 0.least_n)"
json {0..7}.cycles | xargs >"$tmp/cycles"
all=$(json {0..7}.warp_insts | awk '{ all += $1 } END { print all }')
for cta in "${ctas_tried[@]}"; do
    # shellcheck disable=SC2086 # an option and its argument
    t 0 sample --json --explain --effort thorough $cta "$tmp/front.cfg"; same_cycles "front $cta"
    [[ $(json least_n) == 3 ]] || fail "front $cta: at least $(json least_n)"
    [[ $(json explain.bound.{0,1,7} | xargs) == "never ends never ends DRAM bandwidth" ]] ||
        fail "front $cta: bound by $(json explain.bound)"
    # A slice of the GPU in which some wait for those left out is soon given up.
    json warp_insts | awk -v all="$all" '{ exit !($1 < 1.1 * all) }' || fail "front $cta: $(json warp_insts) instructions, of $all"
done

# A window, too, of a CTA that waits for nobody, and of those before it, which do.
t 0 sample --json --effort window --cta 479 --warm-up 100 "$tmp/front.cfg"; says "front never ends with fewer than 3 CTAs"
[[ $(json least_n pilot_warp_insts | xargs) == "3 0" ]] || fail "front, window: at least $(json least_n)"

# Beside another kernel; within a budget, which leaves open what it leaves out; thorough; without a model.
t 0 sample --json "$tmp/both.cfg"; [[ $(json least_n) == 4 && $(json chosen_n) -ge 4 ]] || fail "both: n = $(json chosen_n)"
t 0 sample --budget 0.001 vecadd; shows "more than the budget of 0.001 s"
t 0 sample --budget 1000 vecadd; grep -q budget "$tmp/out" && fail "a budget that is kept is told of"
t 0 sample --json --budget 0.001 "$tmp/both.cfg"
[[ $(json chosen_n) == 8 && $(json undecided.\#) -gt 0 ]] || fail "both: within nothing, n = $(json chosen_n)"
t 0 sample --explain --model pilots "$tmp/chain.cfg"

# As a program's.
"${CC:-gcc}" -g -I. -DPTX='"tests/cuda/barrier.ptx"' -o "$tmp/barrier" tests/cuda/barrier.c "$lib/libcudart.so.13" ||
    fail "barrier.c does not compile"
# What one simulation takes is estimated from what waiting was simulated, not from what was executed.
t 0 sample -j 1 --json -- "$tmp/barrier" 60
json simulation_seconds answer_parts.other_seconds answer_parts.pilots_seconds kernels.0.sample.launch_warp_insts \
    kernels.0.sample.pilot_insts kernels.0.total_warp_insts | sed 's/^[0. ]* \([1-9][0-9.]*\).*/\1/' | xargs >"$tmp/price"
awk '{ exit !((($1 - $2) / $3 / ($4 / $5) - 1) ^ 2 < 1e-6 && ($4 / $6 - 1) ^ 2 > 0.01) }' "$tmp/price" ||
    fail "barrier: a price of $(cat "$tmp/price")"
# So is its time on the device.
t 0 run -- "$tmp/barrier" 60; grep -o "[0-9.]* ms on the device" "$tmp/out" >"$tmp/time"
t 0 sample --effort thorough -- "$tmp/barrier" 60; shows "$(cat "$tmp/time"), predicted"
grep -q "is not known" "$tmp/out" && fail "barrier: its time has no waiting"
t 0 sample --effort window -- "$tmp/barrier" 60; shows "predicted; how long CTAs wait for others is not known"
t 0 sample --json --effort window -- "$tmp/barrier" 60
[[ $(json kernels.0.chosen_n kernels.0.least_n kernels.0.sample.fewest_ctas pilot_warp_insts | xargs) == "8 4 4.0 0" ]] ||
    fail "barrier, window: n = $(json kernels.0.chosen_n), at least $(json kernels.0.least_n)"
for how in search sample compare; do
    key=ipc
    [[ $how == sample ]] && key=predicted_ipc
    t 0 $how --json -- "$tmp/barrier" 60; says "meet never ends with fewer than 4 CTAs at once"
    [[ $(json kernels.0.chosen_n kernels.0.least_n "kernels.0.$key.#" | xargs) == "8 4 8" ]] || fail "barrier, $how: no advice"
    t 0 $how -- "$tmp/barrier" 60; shows "meet [64x1x1]"
    [[ $how != sample ]] || { shows "bound by"; grep -q "meet.*not known" "$tmp/out" && fail "barrier: bound by nothing"; }
done
# Where that is not proved, a degree that takes 30 times as long counts as one that never ends; not where less was asked for.
for how in search sample; do
    t 0 $how --json --set cores=1 -- "$tmp/barrier" 4 late; says "late never ends with fewer than 4 CTAs at once"
    [[ $(json kernels.0.least_n kernels.0.detailed | xargs) == "4 1" ]] || fail "late, $how: no advice"
done
t 0 search --json --set cores=1 --max-cycles 50000 -- "$tmp/barrier" 4 late
says "is executed, but not measured: at n = 3: kernel late"
exit "$bad"
