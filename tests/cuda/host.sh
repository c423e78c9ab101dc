#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# mdpredict COMMAND -- PROGRAM without a CUDA tool: host.c registers committed PTX as compilers do.
. tests/cli/lib.bash
. tests/cuda/lib.bash

cc=${CC:-gcc}
"$cc" -g -I. -DPTX='"tests/cuda/host.ptx"' -o "$tmp/host" tests/cuda/host.c "$lib/libcudart.so.13" ||
    fail "host.c does not compile"

# The runtime linked into the program: its functions are replaced at start, whatever their size.
# Those here end the program when they are entered.
"$cc" -g -c -I. -DPTX='"tests/cuda/host.ptx"' -o "$tmp/host.o" tests/cuda/host.c
nm -u "$tmp/host.o" | awk '$2 ~ /^(__)?cuda/ { print "__attribute__((aligned(16))) void " $2 "(void) { abort(); }" }' >"$tmp/calls"
{ echo "#include <stdlib.h>"; cat "$tmp/calls"; } >"$tmp/runtime.c"
[[ $(wc -l <"$tmp/calls") -gt 5 ]] || fail "the program calls no runtime"
for how in -pie -no-pie; do
    "$cc" $how -O1 -fPIC -o "$tmp/linked_in" "$tmp/host.o" "$tmp/runtime.c" ||
        fail "host.c does not link with a runtime of its own"
    t 0 run --json -- "$tmp/linked_in" compute; shows '"launches": 3,'
done

# Every command; the program runs once, its results are checked by itself.
t 0 run --json -- "$tmp/host" compute
shows '"launches": 3,'
shows '"detailed": 2,' # scalars 3, 0.5, and 0.5 again
shows '"repeated": 1,'
shows '"kernel": "scale"'
t 0 run -n 2 --json -- "$tmp/host" compute; shows '"n": 2,'
for policy in static dyncta lcs online; do
    t 0 run --cta-scheduler $policy --json -- "$tmp/host" compute; shows '"detailed": 2,'; quiet
done
t 0 run --functional -- "$tmp/host" compute
t 0 sample -- "$tmp/host" compute; shows "chosen n"; shows "price "; shows "bound by"; shows "at the limit"
[[ $(awk '/chosen n/ { print "answer" } /3 launches of/ { print "counts" } / price / { print "price" }' "$tmp/out" | xargs) == "answer counts price" ]] ||
    fail "the answer is not the first thing that sample prints"
t 0 sample --counters --effort window -- "$tmp/host" compute; shows "one CTA alone on one core"; shows "set by"
t 0 sample --model yen2014 --explain -- "$tmp/host" compute; shows "dr_inc"; shows "How to get n = "
t 0 sample --explain --json -- "$tmp/host" compute; shows '"predicted_ipc_low"'; shows '"how"'
shows '"dynamic_shared_bytes"'
t 0 sample --json --effort window --max-insts 9 -- "$tmp/host" compute; shows '"full_warp_insts"'; shows '"window_insts": 1'
t 0 search -j 2 --json -- "$tmp/host" compute; shows '"optimum_n"'

# Schedulers reach the program's process, by option and by list.
cycles() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "cycles") c = i } NR == 2 { print $c }' "$tmp/out"; }
t 0 run --csv -n 2 --warp-scheduler gto -- "$tmp/host" compute; gto=$(cycles)
t 0 run --csv -n 2 --warp-scheduler lrr -- "$tmp/host" compute; lrr=$(cycles)
[[ $gto != "$lrr" ]] || fail "gto and lrr take a program the same $gto cycles"
t 0 search --json --warp-scheduler lrr --cta-scheduler static -- "$tmp/host" compute; shows '"optimum_n"'
t 2 run --warp-scheduler lr -- "$tmp/host" compute; says "did you mean lrr"
t 2 search --cta-scheduler statik -- "$tmp/host" compute; says "did you mean static"
t 0 compare --csv --warp-schedulers gto,lrr --cta-schedulers static,n=2,optimum -- "$tmp/host" compute
[[ $(wc -l <"$tmp/out") == 19 ]] || fail "not a heading, 6 runs and 12 means"
shows "$tmp/host compute,yen2014,lrr/n=2,lrr,n=2,"
t 0 compare --warp-schedulers gto,lrr -- "$tmp/host" compute; shows "geometric mean"
t 2 compare --warp-schedulers gto,lrr --runs "$tmp/x.csv" -- "$tmp/host" compute; says "for targets, not for programs"
t 2 compare --warp-schedulers gto,lrr --suite yen -- "$tmp/host" compute; says "for targets, not for programs"

# `list keys` has every key of a program's sample, and of a program no other.
t 0 sample --json -- "$tmp/host" compute
grep -oE '^ *"[a-z_0-9]+":' "$tmp/out" | tr -d ' ":' | grep -vE '^(execution|pilots|runs|other)_seconds$' | sort -u >"$tmp/printed"
t 0 list keys --csv
cut -d, -f2 "$tmp/out" | sort -u >"$tmp/listed"
grep ',program$' "$tmp/out" | cut -d, -f2 | sort -u >"$tmp/of_program"
[[ $(wc -l <"$tmp/of_program") -gt 15 ]] || fail "list keys has none of programs"
comm -23 "$tmp/printed" "$tmp/listed" >"$tmp/missing"
comm -13 "$tmp/printed" "$tmp/of_program" >>"$tmp/missing"
[[ ! -s $tmp/missing ]] || fail "list keys and sample -- PROGRAM differ: $(xargs <"$tmp/missing")"
t 0 compare --csv -- "$tmp/host" compute
[[ $(wc -l <"$tmp/out") == 2 ]] || fail "compare --csv is not a heading and a row a kernel"

# Wrong arguments. (Exit code 1: it launches nothing.)
"$cc" -g -I. -o "$tmp/arguments" tests/cuda/arguments.c "$lib/libcudart.so.13" || fail "arguments.c does not compile"
t 1 run -- "$tmp/arguments"; says passed

# Which launches are simulated in detail.
t 0 run --json --anew 1 -- "$tmp/host" compute; shows '"detailed": 3,'
t 0 run --json --max-launches 1 -- "$tmp/host" compute; shows '"detailed": 1,'
t 0 run --json --launch 2 -- "$tmp/host" compute; shows '"detailed": 1,'; shows '"executed": 2,'
for n in 0 3 5; do
    t 0 run --json --launch $n -- "$tmp/host" reset; shows '"detailed": 1,'; shows '"executed": 5,'
done
t 0 run --json --kernel sca -- "$tmp/host" compute; shows '"detailed": 2,'
# A choice that nothing fits is an error; what was done is in the report all the same.
t 1 run --json --launch 6 -- "$tmp/host" reset; shows '"detailed": 0,'; says "there is no launch 6; they are 0 to 5"
shows '"missing": "there is no launch 6'
for how in run sample search compare "run --functional"; do
    # shellcheck disable=SC2086 # a command and its option
    t 1 $how --json --kernel nothing -- "$tmp/host" compute; shows '"detailed": 0,'; shows '"launches": 3,'
    says "no kernel has 'nothing' in its name; those launched: scale"
done
t 1 run --json --launch 0 --kernel k1 -- "$tmp/host" names; says "launch 0 was not measured: it is of no kernel"

# What is rejected for its shape is told once a kernel; it costs neither report nor exit code.
t 0 run -- "$tmp/host" rejected; shows "3 launches of scale rejected: invalid configuration argument (grid 0x1x1)"
[[ $(grep -c "of scale rejected" "$tmp/out") == 1 ]] || fail "rejected launches are told more than once"
t 0 sample --json -- "$tmp/host" rejected; shows '"reason": "invalid configuration argument (grid 0x1x1)"'
[[ $(json rejected.0.launches rejected.0.kernel | xargs) == "3 scale" ]] || fail "not 3 rejected launches of scale"
t 0 run --csv -- "$tmp/host" rejected; says "3 launches of scale rejected: "
t 1 run -- "$tmp/host" "all rejected"; says "no launch succeeded: 1 launch of scale rejected: "

# A kernel that is given up has a row and a line; the others are measured. So has one that is cut.
for how in run "run --functional" search; do
    # shellcheck disable=SC2086 # a command and its option
    t 1 $how --json --max-cycles 100000 -- "$tmp/host" more; shows '"missing": "1 launch of spin [32x1x1] abandoned: '
    says "still running"; says "1 launch of spin [32x1x1] abandoned"
    [[ $(json kernels.0.launches kernels.0.abandoned kernels.1.kernel kernels.1.launches kernels.1.abandoned | xargs) == "3 0 spin 0 1" ]] ||
        fail "$how: not 3 launches of scale and none of spin"
done

# search at n is what run -n is: the launches are tried out on copies of the same memory. Those behind
# the first find caches that another degree filled, and all rows of DRAM closed.
same() {
    t 0 search --json "${@:2}" -- "$tmp/host" compute
    ipc=$(json kernels.0.ipc.1)
    t 0 run -n 2 --json "${@:2}" -- "$tmp/host" compute
    own=$(json kernels.0.ipc)
    awk -v a="$ipc" -v b="$own" -v most="$1" 'BEGIN { d = a / b - 1; exit !(d < most && d > -most) }' ||
        fail "${*:2}: search has IPC $ipc at n = 2, run has $own"
}
same 1e-9 --launch 0
same 0.02

# Launches with the same scalars that use memory in unlike ways: a sample each, and each is simulated.
# What stands for all with the first alone is n = 4, which keeps 38 %.
"$cc" -g -I. -DPTX='"tests/cuda/unlike.ptx"' -o "$tmp/unlike" tests/cuda/unlike.c "$lib/libcudart.so.13" ||
    fail "unlike.c does not compile"
unlike() { # DETAILED REPEATED GROUPS LINES...
    local detailed=$1 repeated=$2 groups=$3
    shift 3
    t 0 compare --json "${options[@]}" -- "$tmp/unlike" 30 "$@"; quiet
    [[ $(json detailed repeated 'kernels.0.groups.#' | xargs) == "$detailed $repeated $groups" ]] ||
        fail "unlike $*: not $detailed in detail, $repeated repeated, $groups groups"
}
options=()
if [[ ! $sanitized ]]; then # figures
    unlike 2 4 2 1 1 1 64 64 64
    [[ $(json kernels.0.chosen_n kernels.0.optimum_n | xargs) == "2 2" ]] || fail "unlike: n = 2 is not chosen, or not the best"
    # The price of a program is measured beside the search of it.
    json answer_seconds simulation_seconds search_seconds simulation_seconds_estimated | xargs |
        awk '{ exit !($1 > 0 && $2 > 0 && $3 > $2 && $4 == "false") }' || fail "unlike: no price"
    json kernels.0.ipc | tr ' ' '\n' >"$tmp/simulated"
    json kernels.0.predicted_ipc | tr ' ' '\n' >"$tmp/predicted"
    paste "$tmp/simulated" "$tmp/predicted" |
        awk '{ d = $2 / $1 - 1; if (NR == 2 || NR == 8) bad += d < -0.08 || d > 0.08 } END { exit NR != 8 || bad }' ||
        fail "unlike: predicted IPC is far off at the chosen degree or the default, which had pilots"
    unlike 2 4 2 1 64 1 64 1 64
fi
unlike 1 2 1 1 1 1
# Of launches with a single degree those with the same scalars are one, as for `run`; with two they are not.
unlike 1 2 1 1@15 64@15 64@15
unlike 2 1 2 1@30 64@30 64@30
# Of many alike few are looked at: one that is unlike is found all the same.
# shellcheck disable=SC2046 # two words a time
unlike 2 58 2 $(for ((i = 0; i < 60; i++)); do echo $((i < 40 ? 1 : 64))@30; done)
# Those that nobody looks at are told apart by what they execute. Each sixth has ten times the rounds: the first of them
# that is missed is sought, whether or not the others need to be executed at all.
"$cc" -g -I. -DPTX='"tests/cuda/rounds.ptx"' -o "$tmp/rounds" tests/cuda/rounds.c "$lib/libcudart.so.13" ||
    fail "rounds.c does not compile"
kinds() { # HOW LAUNCHES [ROUNDS]...: launches that are counted to two groups
    local how=$1 launches=$2
    shift 2
    t 0 sample --json -- "$tmp/rounds" "$how" "$@"; quiet
    [[ $(json launches detailed | xargs) == "$launches 2" ]] || fail "rounds $*: not $launches launches, 2 in detail"
    json kernels.0.groups.{0,1}.{launches,total_warp_insts} | xargs
}
# shellcheck disable=SC2046 # a word a time
kinds counts 120 $(for ((i = 0; i < 20; i++)); do echo 20x5 200; done) |
    awk '{ exit !($1 > 95 && $1 < 105 && $3 > 18 && $3 < 22) }' || fail "rounds: far from 100 and 20 launches"
for how in counts known; do
    kinds $how 140 20x40 200x100 | awk '{ exit !($1 > 38 && $1 < 42 && $3 > 98 && $3 < 102) }' ||
        fail "rounds, $how: not 40 and 100 launches"
done
# A run takes one of them for all, as much longer as they execute more: its time and its table agree.
t 0 run --json -- "$tmp/rounds" counts 20x5 200x5; quiet
json kernels.0.{device_cycles,total_thread_insts,ipc,detailed} | xargs |
    awk '{ exit !($4 == 1 && ($1 / ($2 / $3) - 1) ^ 2 < 1e-4) }' || fail "rounds: a time that is not that of its instructions"
# What is seen to be unlike is executed again, on memory as it was: these have consumed what they found. Where no more
# is to be measured that is not kept, and the launch counts as executed.
kinds own 60 20x5 200 20x5 200 20x5 200x8 20x20 200x15 | awk '{ exit !($1 > 33 && $1 < 37 && $3 > 23 && $3 < 27) }' ||
    fail "rounds, own: not 35 and 25 launches"
t 0 sample --json --max-launches 1 -- "$tmp/rounds" own 20 200 20 200 20 200 20 200; quiet
[[ $(json kernels.0.detailed kernels.0.repeated kernels.0.executed | xargs) == "1 3 4" ]] ||
    fail "rounds, own, one measured: $(json kernels.0.detailed kernels.0.repeated kernels.0.executed | xargs)"
# The second time nobody answers: then the next one is looked at.
t 0 sample --json --effort window -- "$tmp/rounds" asks 20x4 200 20 200 20; quiet
[[ $(json kernels.0.detailed kernels.0.repeated kernels.0.executed | xargs) == "2 5 1" ]] ||
    fail "rounds that ask the host: $(json kernels.0.detailed kernels.0.repeated kernels.0.executed | xargs)"
t 0 sample --json -- "$tmp/rounds" asks 20x4 200 20 200 20; shows '"launches": 8,'
[[ $(grep -c "is executed, but not measured" "$tmp/err") == 2 ]] || fail "rounds that ask the host: not one of each kind is tried"
# Launches of one degree whose size is new each time: after 256 of them few are looked at, the others told by what they
# execute. The time is that of all of them, simulated.
"$cc" -g -I. -o "$tmp/sizes" tests/cuda/sizes.c "$lib/libcudart.so.13" || fail "sizes.c does not compile"
t 0 sample --json -- "$tmp/sizes" 400; quiet
[[ $(json kernels.0.detailed) -le 8 ]] || fail "sizes: $(json kernels.0.detailed) launches in detail"
if [[ ! $sanitized ]]; then # figures
    sampled=$(json kernels.0.total_thread_insts kernels.0.predicted_ipc kernels.0.repeated | xargs)
    t 0 run --json --max-launches 0 -- "$tmp/sizes" 400; quiet
    all=$(json kernels.0.total_thread_insts kernels.0.ipc | xargs)
    echo "$all $sampled" | awk '{ exit !($1 == $3 && $4 / $2 > 0.95 && $4 / $2 < 1.05 && $NF > 385) }' ||
        fail "sizes: not as all of them: $all, $sampled"
fi
options=(--max-launches 1) # the second kind is executed, and counted to the first
unlike 1 2 1 1 64 1 64 1
shows '"executed": 2,'
# A launch that has no sample takes as long as the one that has for as many instructions: 120 times.
ipc() { t 0 sample --json "${options[@]}" -- "$tmp/unlike" 30 "$@"; json kernels.0.predicted_ipc.0; }
echo "$(ipc 1@1 1) $(ipc 1@1)" | awk '{ exit !($1 / $2 > 0.99 && $1 / $2 < 1.01) }' ||
    fail "120 CTAs are as fast as one"
options=() # What is known is neither measured nor counted as that.
ipc 1@1 1 1 1 >/dev/null; shows '"detailed": 2,'; shows '"repeated": 2,'
t 0 sample --explain -- "$tmp/unlike" 30 1 64; shows "2 launches of 1 kernel, 2 in detail"
# A window tells less than pilots do, and says what is left open.
t 0 sample --json --effort window -- "$tmp/unlike" 30 16
json kernels.0.predicted_ipc_{low,high} | xargs >"$tmp/window"
t 0 sample --json --effort window -- "$tmp/unlike" 30 32
open=$(json 'kernels.0.undecided.#')
((open > 0)) || fail "a window alone leaves no degree open"
if [[ ! $sanitized ]]; then # figures
    t 0 sample --json --effort thorough -- "$tmp/unlike" 30 16
    json kernels.0.predicted_ipc_{low,high} | xargs | cat "$tmp/window" - |
        awk -v n="$(json kernels.0.chosen_n)" '{ wide[NR] = log($(n + 8) / $n) }
            END { exit !(NF == 16 && NR == 2 && wide[2] < wide[1] / 1.5) }' ||
        fail "where a pilot was, the interval is as wide as that of a window alone"
    t 0 sample --json --effort thorough -- "$tmp/unlike" 30 32
    [[ $open -gt $(json 'kernels.0.undecided.#') ]] || fail "a window alone leaves no more degrees open"
fi
t 0 sample --effort window -- "$tmp/unlike" 30 32; shows "Open: of stray, n = "

# One simulation is what `run` simulates: two of three launches that are alike, since scalars differ;
# and executing the third.
t 0 sample --json -- "$tmp/host" compute
json simulation_seconds answer_parts.other_seconds kernels.0.functional_seconds warp_insts window_seconds pilot_seconds run_seconds kernels.0.total_warp_insts | xargs |
    awk '{ part = ($1 - $2 - $3 / 3) * $4 / ($5 + $6 + $7) / $8; exit !(part > 0.6666 && part < 0.6667) }' ||
    fail "one simulation is not two launches of three"
# A thorough answer simulates the degrees that may be the best, as search does.
t 0 sample --effort thorough --json -- "$tmp/unlike" 30 64
[[ $(json run_warp_insts) -gt 0 ]] || fail "a thorough answer simulated nothing"
if [[ ! $sanitized ]]; then # figures
    n=$(json kernels.0.chosen_n)
    told=$(json "kernels.0.predicted_ipc.$((n - 1))")
    t 0 search --json -- "$tmp/unlike" 30 64
    [[ $(json kernels.0.optimum_n) == "$n" ]] || fail "a thorough answer is not the best"
    awk -v a="$told" -v b="$(json "kernels.0.ipc.$((n - 1))")" 'BEGIN { exit !(a > 0.99 * b && a < 1.01 * b) }' ||
        fail "what was simulated is predicted to be $told"
fi

# How long a program is, is known when it has ended. The pilots of nine kinds of launches, each short,
# together stay within what a program of over a million warp instructions has for them; and so do those of
# one kind that is launched nine times, of which a simulation simulates the first.
coefficient() { awk -v name="$1" '$1 == name { print $3 + 0 }' data/coefficients/pilots.cfg; }
budget=$(coefficient budget)
pilots() { # LINES...: warp instructions of pilots, of one launch of each kind, and of all
    local i paths=()
    t 0 sample --model yen2014 --json -- "$tmp/unlike" 24 "$@"; quiet
    for ((i = 0; i < $(json 'kernels.0.groups.#'); i++)); do
        paths+=("kernels.0.groups.$i.total_warp_insts" "kernels.0.groups.$i.launches")
    done
    json pilot_warp_insts full_warp_insts "${paths[@]}" | xargs |
        awk '{ for (i = 3; i < NF; i += 2) all += $i / $(i + 1); print $1, all, $2 }'
}
programs=("32@120 32@112 32@104 32@96 32@88 32@80 32@72 32@64 32@56" "32 32 32 32 32 32 32 32 32")
orders=("32 32@90 32@90 32@90 32@90 32@90 32@90 32@90 32@90" "32@90 32@90 32@90 32@90 32@90 32@90 32@90 32@90 32")
[[ ! $sanitized ]] || { unset "programs[1]" "orders[0]"; } # more of the same
for lines in "${programs[@]}"; do
    # shellcheck disable=SC2086 # one word a launch
    pilots $lines | awk -v most="$budget" '{ exit !($3 > 1e6 && $1 < most * $2) }' ||
        fail "pilots of $lines: $(json pilot_warp_insts) warp instructions"
done
# What is left goes where it promises most, whichever came first: to the kind that takes most of the time.
for lines in "${orders[@]}"; do
    # shellcheck disable=SC2086 # one word a launch
    pilots $lines >/dev/null
    for i in 0 1; do
        json "kernels.0.groups.$i.launches" "kernels.0.groups.$i.pilot_insts" | xargs |
            awk '{ n = 0; for (i = 2; i <= NF; i++) n += $i > 0; print int($1), n }'
    done | sort -n | xargs >"$tmp/left"
    [[ $(cat "$tmp/left") == "1 2 8 3" ]] || fail "pilots of $lines: launches and pilots of each kind are $(cat "$tmp/left")"
done
# A short one may spend more, as a short target may: what its launches have left open goes on at its end, and
# needs neither the device nor the kernel's module.
read -r within all _ <<<"$(pilots 32)"
awk -v a="$within" -v all="$all" -v least="$budget" -v most="$(coefficient budget_short)" \
    'BEGIN { exit !(a > least * all && a <= most * all) }' || fail "pilots of a short program: $within of $all"
RESET=1 pilots 32 >"$tmp/reset"
[[ $(cut -d' ' -f1 "$tmp/reset") == "$within" ]] || fail "a program that resets the device: $(cat "$tmp/reset"), not $within"
json simulation_seconds answer_seconds | xargs | awk '{ exit !($2 > 1.1 * $1) }' || fail "pilots at the end cost nothing"

# Nothing but allocations can be reached, and the report says what was tried.
for target in 0 1 2 3 4; do
    TARGET=$target t 1 run -- "$tmp/host" hostile; says "no launch succeeded"
    says "writes 1 bytes at 0x"
    says "in kernel poke"
    says "source host.cu:"
done
t 1 run --max-cycles 10000 -- "$tmp/host" endless; says "still running"
t 1 run -- "$tmp/host" unsupported
[[ $(grep -c 'cudaIpcGetMemHandle, which is not supported' "$tmp/err") == 1 ]] ||
    fail "an unsupported function does not name itself once"

grep '^cudaGraphics' cudart/symbols.list >"$tmp/names"
timeout "${COMMAND_TIMEOUT:-120}" "$mdpredict" run -- "$tmp/host" these <"$tmp/names" >"$tmp/out" 2>"$tmp/err"
says "launched no kernel"
[[ $(grep -c 'the program calls cudaGraphics.*, which is not supported' "$tmp/err") == $(wc -l <"$tmp/names") ]] ||
    fail "not every function that is not supported names itself once"

# However the program ends, the result is of all launches that had ended, and no process is left.
alive() { # processes of the program
    readlink /proc/[0-9]*/exe 2>/dev/null | grep -c "^$tmp/host"
}
signals=(abort crash kill touch)
if [[ $sanitized ]]; then
    echo "NOT RUN: touch: AddressSanitizer has its own memory where the device's addresses are"
    signals=(abort crash kill)
fi
for how in "${signals[@]}"; do
    "$mdpredict" run --json -o "$tmp/result" -- "$tmp/host" "$how" >"$tmp/out" 2>"$tmp/err"
    [[ $? == 1 ]] || fail "$how: not exit code 1"
    says "was ended by signal"
    grep -q '"stopped": .*was ended by signal' "$tmp/result" || fail "$how: the result does not say it"
    grep -q '"launches": 3,' "$tmp/result" || fail "$how: the result lacks the launches"
    rm -f "$tmp/result"
done
"$mdpredict" run --json -o "$tmp/result" -- "$tmp/host" exit >"$tmp/out" 2>"$tmp/err"
[[ $? == 1 ]] || fail "exit: not exit code 1"
says "ended with exit code 7"
grep -q '"launches": 3,' "$tmp/result" || fail "exit: the result lacks the launches"
t 0 run -- "$tmp/host" _exit
t 0 run -- "$tmp/host" fork
for how in run sample; do
    t 0 $how --json -- "$tmp/host" descriptors; shows '"launches": 6,'
    [[ $how == sample ]] || quiet
done
t 0 run -- "$tmp/host" closed
t 1 run -- "$tmp/host" broken; says "a module of the program holds no code"
t 0 run -- "$tmp/host" names; shows "2 launches of 2 kernels, 2 in detail"
t 0 run --json -- "$tmp/host" environment; shows '"launches": 3,'
for how in wait more; do
    "$mdpredict" run -- "$tmp/host" $how >"$tmp/out" 2>"$tmp/err" &
    us=$!
    sleep 1
    kill -TERM $us
    wait $us
    [[ $? == 1 ]] || fail "terminated: not exit code 1"
    says "was ended by signal 15"; shows "scale [64x1x1]         3"; shows "stopped: "
done
# timeout(1) signals us, and at once us and the program again: the report is there all the same.
for _ in 1 2 3 4; do
    timeout -k 60 1 "$mdpredict" run -- "$tmp/host" wait >"$tmp/twice" 2>"$tmp/err"
    says "was ended by signal 15"
    grep -q "scale \[64x1x1\]         3" "$tmp/twice" || fail "signalled twice: no report"
done
shows "a launch of spin [32x1x1] had not ended when the program did"; shows "spin [32x1x1]          0"
"$mdpredict" run -- "$tmp/host" wait >"$tmp/out" 2>"$tmp/err" &
us=$!
sleep 1
kill -KILL $us
wait $us 2>/dev/null
sleep 0.2
[[ $(alive) == 0 ]] || fail "a process is left behind"

# What the program's process has recorded is looked at as a stranger's.
t 1 run -- "$tmp/host" damage limit; says "records are damaged at byte "; says "occupancy limit is 2147483632, not 0 to 64"
t 1 search -- "$tmp/host" damage limit; says "records are damaged"
t 1 run -- "$tmp/host" damage size; says "a record has 0 bytes, not "

# Programs built with CUDA 10.2, 11, 12 and 13 ask for other names, and structs of other sizes.
version() { # NODE FUNCTION NUMBER BYTES
    echo "$1 { global: *; };" >"$tmp/map"
    echo "int cudaRuntimeGetVersion(void) { return 1; } int $2(void) { return 1; }" |
        "$cc" -w -shared -fPIC -x c - "-Wl,-soname,$1,--version-script=$tmp/map" -o "$tmp/$1"
    "$cc" -DPROPERTIES="$2" -o "$tmp/version" tests/cuda/version.c "$tmp/$1" || fail "$1: version.c does not compile"
    rm "$tmp/$1"
    t 1 run -- "$tmp/version" "$3" "$4"; says "launched no kernel"; says "$3 $4 mdpredict simulated GPU"
}
version libcudart.so.10.2 cudaGetDeviceProperties 10020 712
version libcudart.so.11.0 cudaGetDeviceProperties 11080 728
version libcudart.so.12 cudaGetDeviceProperties_v2 12080 1032
version libcudart.so.13 cudaGetDeviceProperties 13000 1008
# Of 10.2: whole programs, with what a library of that name stands for at link time.
old() { # NAME
    local node=libcudart.so.10.2
    "$cc" -g -c -I. -DPTX='"tests/cuda/host.ptx"' -o "$tmp/old.o" "tests/cuda/$1.c" || fail "$1.c does not compile"
    nm -u "$tmp/old.o" | awk '$2 ~ /^(__)?cuda/ { print "int " $2 "(void) { return 1; }" }' >"$tmp/old.c"
    echo "$node { global: *; };" >"$tmp/map"
    "$cc" -w -shared -fPIC "-Wl,-soname,$node,--version-script=$tmp/map" -o "$tmp/$node" "$tmp/old.c"
    "$cc" -o "$tmp/$1_10" "$tmp/old.o" "$tmp/$node" || fail "$1.c does not link with $node"
    rm "$tmp/$node"
}
old old; t 1 run -- "$tmp/old_10"; says passed
# The same with that runtime linked in, which has no function that came with 11.0.
{
    echo "#include <stdlib.h>"
    { cut -d' ' -f2 "$tmp/old.c"; printf '%s(void)\n' cudaProfilerInitialize __cudaRegisterFatBinary; } |
        sed 's/.*/__attribute__((aligned(16))) void & { abort(); }/'
} >"$tmp/runtime_10.c"
"$cc" -O1 -fPIC -o "$tmp/old_in" "$tmp/old.o" "$tmp/runtime_10.c" || fail "old.c does not link with a runtime of its own"
t 1 run -- "$tmp/old_in"; says passed
old host; t 0 run --json -- "$tmp/host_10" compute; shows '"launches": 3,'
old texref; t 0 run -- "$tmp/texref_10" tests/cuda/texref.ptx; shows passed
"$cc" -g -I. -o "$tmp/texref" tests/cuda/texref.c "$lib/libcudart.so.13" || fail "texref.c does not compile"
t 0 run -- "$tmp/texref" tests/cuda/texref.ptx; shows passed

# The driver API.
"$cc" -g -I. -o "$tmp/driver" tests/cuda/driver.c "$lib/libcuda.so.1" || fail "driver.c does not compile"
t 0 run -- "$tmp/driver" tests/cuda/host.ptx; shows passed; says "cuGraphDebugDotPrint, which is not supported"
says "mdpredict: driver asks for what only NVIDIA's own driver has"
# What a runtime asks for that nothing could replace: its symbols are stripped, or it came too late.
cat >"$tmp/static.c" <<'END'
__attribute__((section(".nv_fatbin"))) int fatbin[16] = {1};
__attribute__((section(".nvFatBinSegment"))) void *segment = fatbin;
int cuGetExportTable(const void **table, const void *id);
int ask(void) { const void *table; return cuGetExportTable(&table, "id"); }
END
for how in -s -g; do
    "$cc" $how -shared -fPIC -o "$tmp/library.so" "$tmp/static.c" || fail "library.so: cannot be built"
    echo 'int ask(void); int main(void) { return ask() == 0; }' |
        "$cc" -x c -o "$tmp/user" - -x none "$tmp/library.so" "-Wl,--allow-shlib-undefined" || fail "user: cannot be built"
    t 1 run -- "$tmp/user"
    case $how in
    -s) says "library.so: the CUDA runtime is linked into it (nvcc's default) and its symbols are stripped" ;;
    -g) says "library.so was loaded after the program had started, with a CUDA runtime of its own" ;;
    esac
done
t 0 compare -- "$tmp/driver" tests/cuda/host.ptx; shows passed
"$cc" -g -I. -o "$tmp/driver_calls" tests/cuda/driver_calls.c "$lib/libcuda.so.1" || fail "driver_calls.c does not compile"
t 0 run -- "$tmp/driver_calls" tests/cuda/host.ptx; shows passed
"$cc" -g -I. -o "$tmp/virtual" tests/cuda/virtual.c "$lib/libcuda.so.1" || fail "virtual.c does not compile"
if ! fails_in_tsan "virtual: it reserves addresses"; then
    t 0 run -- "$tmp/virtual" tests/cuda/host.ptx; shows passed
    t 0 sample -- "$tmp/virtual" tests/cuda/host.ptx; shows passed
fi
"$cc" -g -I. -o "$tmp/threads" tests/cuda/threads.c "$lib/libcuda.so.1" -lpthread || fail "threads.c does not compile"
for _ in 1 2 3; do
    t 0 run --functional -- "$tmp/threads" tests/cuda/host.ptx; shows passed
done

# What cannot be run says why.
t 2 run --; says "a program is missing after --"
t 2 run vecadd -- "$tmp/host"; says "after --"
t 2 run --kernel x vecadd; says "--kernel is for a program after --"
t 2 run vecadd --devices 2; says "--devices is for a program after --"
t 1 run -- "$tmp/none"; says "no such program"
t 1 run -- no-such-program-at-all; says "no such program in PATH"
t 1 run -- true; says "launches no kernel"
exit "$bad"
