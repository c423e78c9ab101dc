#!/bin/bash
# shellcheck disable=SC1091,SC2154,SC2046 # lib.bash is sourced and sets variables; names are words
# mdpredict-hw on the simulated GPU: the same program, and the same library calls, as on a machine
# with a GPU; events tell simulated time.
. tests/cli/lib.bash
hw=${mdpredict%/*}/mdpredict-hw
. tests/cuda/lib.bash

run() { # EXIT-CODE ARGUMENT...: without any GPU; stdout and stderr go to $tmp
    local want=$1 got=0
    shift
    "$hw" "$@" >"$tmp/out" 2>"$tmp/err" || got=$?
    [[ $got == "$want" ]] || fail "mdpredict-hw $*: exit code $got, expected $want: $(cat "$tmp/err")"
}
simulated() { # EXIT-CODE OPTION... -- ARGUMENT...: every launch in detail; the rows go to $tmp/rows
    local want=$1 got=0 options=()
    shift
    while [[ $1 != -- ]]; do
        options+=("$1")
        shift
    done
    shift
    "$mdpredict" run --anew 1 "${options[@]}" -- "$hw" -o "$tmp/rows" "$@" >"$tmp/out" 2>"$tmp/err" || got=$?
    [[ $got == "$want" ]] || fail "mdpredict run ${options[*]} -- mdpredict-hw $*: exit code $got, expected $want: $(cat "$tmp/err")"
}

# Held to n CTAs a core by shared memory, a kernel takes as long as with -n: cycles at 1400 MHz.
# 49152 bytes hold n CTAs of b bytes and no more from b = floor(49152 / (n + 1)) + 1 on.
simulated 0 -- -r 2 vecadd:small
[[ $(head -1 "$tmp/rows") == gpu,workload,size,kernel,threads,n,n_max,dynamic_shared_bytes,launches,ms ]] ||
    fail "heading: $(head -1 "$tmp/rows")"
[[ $(wc -l <"$tmp/rows") == 9 ]] || fail "vecadd: not a row for each of 8 degrees"
for n in 1 2 5 8; do
    cycles=$("$mdpredict" run vecadd -n $n --csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "cycles") c = i }
        NR == 2 { print $c }')
    shared=$((n < 8 ? 49152 / (n + 1) + 1 : 0))
    want=$(awk -v c="$cycles" 'BEGIN { printf "%.6f", c / 1.4e6 }')
    got=$(awk -F, -v n=$n '$6 == n { printf "%s %.6f", $1 " " $4 " " $5 " " $7 " " $8 " " $9, $10 }' "$tmp/rows")
    [[ $got == "mdpredict simulated GPU kernel_vec_add 64 8 $shared 1 $want" ]] ||
        fail "n = $n: $got, expected 64 threads, 8 at most, $shared bytes, 1 launch, $want ms"
done

# Another GPU, and what it changes: at most 3 CTAs, rows for 1 to 3.
simulated 0 -g kayiran2013 --set max_ctas=3 --set cores=2 -- -r 1 vecadd:small
[[ $(cut -d, -f6 "$tmp/rows" | tr '\n' ' ') == "n 1 2 3 " ]] || fail "max_ctas=3: $(cat "$tmp/rows")"

# Every workload's host code runs through the driver, and its results are right.
workloads=(data/workloads/*/)
"$mdpredict" list workloads --csv | awk -F, 'NR > 1 && !seen[$2]++ { print $2 ":small" }' >"$tmp/names"
if [[ $sanitized ]]; then # less of the same
    workloads=(data/workloads/[a-b]*/)
    sed -i '/^[^ab]/d' "$tmp/names"
fi
simulated 0 --functional --set max_ctas=1 -- -r 1 $(cat "$tmp/names")
for w in "${workloads[@]}"; do
    grep -q ",$(basename "$w"),small," "$tmp/rows" || fail "no row for $w"
done

# What is missing is said; one bad name does not keep the others from running.
run 1 -d no/such/library.so vecadd
grep -q "no CUDA driver: no/such/library.so" "$tmp/err" || fail "missing driver: $(cat "$tmp/err")"
run 1 -d libm.so.6 vecadd
grep -q "libm.so.6 has no cuInit" "$tmp/err" || fail "wrong driver: $(cat "$tmp/err")"
simulated 1 -- -r 1 nosuch vecadd:small
grep -q 'no workload called "nosuch"' "$tmp/err" || fail "unknown workload: $(cat "$tmp/err")"
grep -q "kernel_vec_add" "$tmp/rows" || fail "the other workload did not run"
simulated 1 -- vecadd:huge
grep -q "no size 'huge'" "$tmp/err" || fail "unknown size: $(cat "$tmp/err")"
run 1 -d "$lib/libcuda.so.1" vecadd
grep -q "start the program with .mdpredict run" "$tmp/err" || fail "not under mdpredict: $(cat "$tmp/err")"
run 2 --repeats 0
run 0 --help
grep -q -- --carveout "$tmp/out" || fail "no help"
exit "$bad"
