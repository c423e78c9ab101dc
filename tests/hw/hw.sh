#!/bin/bash
# shellcheck disable=SC1091,SC2154,SC2046 # lib.bash is sourced and sets variables; names are words
# mdpredict-hw on the front end as its CUDA driver: the same program, and the same library calls, as
# on a machine with a GPU; events tell simulated time.
. tests/cli/lib.bash

hw=${mdpredict%/*}/mdpredict-hw
driver=${mdpredict%/*}/libcuda.so.1
run() { # EXIT-CODE ARGUMENT...: stdout and stderr go to $tmp
    local want=$1 got=0
    shift
    "$hw" "$@" >"$tmp/out" 2>"$tmp/err" || got=$?
    [[ $got == "$want" ]] || fail "mdpredict-hw $*: exit code $got, expected $want: $(cat "$tmp/err")"
}

# Held to n CTAs a core by shared memory, a kernel takes as long as with -n: cycles at 1400 MHz.
# 49152 bytes hold n CTAs of b bytes and no more from b = floor(49152 / (n + 1)) + 1 on.
run 0 -d "$driver" -r 2 vecadd:small
[[ $(head -1 "$tmp/out") == gpu,workload,size,kernel,threads,n,n_max,dynamic_shared_bytes,launches,ms ]] ||
    fail "heading: $(head -1 "$tmp/out")"
[[ $(wc -l <"$tmp/out") == 9 ]] || fail "vecadd: not a row for each of 8 degrees"
for n in 1 2 5 8; do
    cycles=$("$mdpredict" run vecadd -n $n --csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "cycles") c = i }
        NR == 2 { print $c }')
    shared=$((n < 8 ? 49152 / (n + 1) + 1 : 0))
    want=$(awk -v c="$cycles" 'BEGIN { printf "%.6f", c / 1.4e6 }')
    got=$(awk -F, -v n=$n '$6 == n { printf "%s %.6f", $1 " " $4 " " $5 " " $7 " " $8 " " $9, $10 }' "$tmp/out")
    [[ $got == "mdpredict yen2014 kernel_vec_add 64 8 $shared 1 $want" ]] ||
        fail "n = $n: $got, expected 64 threads, 8 at most, $shared bytes, 1 launch, $want ms"
done

# Another GPU, and what it changes: at most 3 CTAs, rows for 1 to 3.
MDPREDICT_GPU=kayiran2013 MDPREDICT_SET="max_ctas=3 cores=2" run 0 -d "$driver" -r 1 vecadd:small
[[ $(cut -d, -f6 "$tmp/out" | tr '\n' ' ') == "n 1 2 3 " ]] || fail "max_ctas=3: $(cat "$tmp/out")"

# Every workload's host code runs through the driver, and its results are right.
MDPREDICT_SET=max_ctas=1 MDPREDICT_FUNCTIONAL=1 run 0 -d "$driver" -r 1 \
    $("$mdpredict" list workloads --csv | awk -F, 'NR > 1 && !seen[$2]++ { print $2 ":small" }')
for w in data/workloads/*/; do
    grep -q ",$(basename "$w"),small," "$tmp/out" || fail "no row for $w"
done

# What is missing is said; one bad name does not keep the others from running.
run 1 -d no/such/library.so vecadd
grep -q "no CUDA driver: no/such/library.so" "$tmp/err" || fail "missing driver: $(cat "$tmp/err")"
run 1 -d libm.so.6 vecadd
grep -q "libm.so.6 has no cuInit" "$tmp/err" || fail "wrong driver: $(cat "$tmp/err")"
run 1 -d "$driver" -r 1 nosuch vecadd:small
grep -q 'no workload called "nosuch"' "$tmp/err" || fail "unknown workload: $(cat "$tmp/err")"
grep -q "kernel_vec_add" "$tmp/out" || fail "the other workload did not run"
run 1 -d "$driver" vecadd:huge
grep -q "no size 'huge'" "$tmp/err" || fail "unknown size: $(cat "$tmp/err")"
MDPREDICT_GPU=nosuch run 1 -d "$driver" vecadd
grep -q "no GPU named 'nosuch'" "$tmp/err" || fail "unknown GPU: $(cat "$tmp/err")"
run 2 --repeats 0
run 0 --help
grep -q -- --carveout "$tmp/out" || fail "no help"
exit "$bad"
