#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# Families of the driver's and the runtime's functions, a C program each that checks itself.
. tests/cli/lib.bash
. tests/cuda/lib.bash

build() { # NAME
    "${CC:-gcc}" -g -I. -DPTX="\"tests/cuda/$1.ptx\"" -o "$tmp/$1" "tests/cuda/$1.c" "$lib/libcudart.so.13" -L"$lib" -l:libcuda.so.1 -lm ||
        fail "$1.c does not compile"
}

# Libraries of kernels, pools of memory.
build library
for how in run "run --functional" "compare -j 2"; do
    # shellcheck disable=SC2086 # a command and its options
    t 0 $how -- "$tmp/library"; shows passed; shows "scaled [1x1x1]"
done

# Graphs by hand and by capture; cooperative launches.
build graphs
for how in run "run --functional" sample "search -j 2"; do
    # shellcheck disable=SC2086 # a command and its options
    t 0 $how -- "$tmp/graphs"; shows passed; shows "times [1x1x1]"; shows "meet [32x1x1]"
done
# 30 CTAs on 15 cores: there are two on each, whatever is asked for, and no degree is tried below.
t 0 run -n 1 --json -- "$tmp/graphs" 30; shows '"n": 2,'; shows '"detailed": 1,'
t 0 run -n 3 --json -- "$tmp/graphs" 30; shows '"n": 3,'
# No policy keeps CTAs back that others wait for.
for policy in dyncta lcs online; do
    t 0 run -n 4 --json --cta-scheduler $policy -- "$tmp/graphs" 60; shows '"n": 4,'; shows '"detailed": 1,'
done
t 0 search --json -- "$tmp/graphs" 30
json kernels.0.ipc | tr ' ' '\n' | sort -u | awk 'END { exit NR != 1 }' || fail "degrees of a cooperative launch differ"
t 0 compare --json -- "$tmp/graphs" 30
json kernels.0.device_cycles kernels.0.default_cycles | xargs | awk '{ exit $1 != $2 }' || fail "a cooperative launch takes what its pilot says, not what the search found"
json answer_parts.runs_seconds | awk 'END { exit $1 != 0 }' || fail "the search is part of a cooperative launch's answer"
t 0 sample --json -- "$tmp/graphs" 30; shows '"detailed": 1,'; says "launch 0 is cooperative: all its CTAs are on the cores at once"
says "it is simulated at n = 2"
t 0 sample --json --effort window -- "$tmp/graphs" 30; says "what one of them does is predicted at n = 2; how long it waits is not known"
[[ $(json pilot_warp_insts) == 0 ]] || fail "a cooperative launch: a window has $(json pilot_warp_insts) instructions of pilots"

# Kernels that wait for the host, for copies, for other streams' kernels; for nobody.
build waits
for how in run "run --functional" sample "search -j 2"; do
    # shellcheck disable=SC2086 # a command and its options
    t 0 $how -- "$tmp/waits"; shows passed; shows "await [32x1x1]"
    # shellcheck disable=SC2086
    t 1 $how --json -- "$tmp/waits" never; says "passed"
    says "never ends: all threads that are left wait, as this one does here, for memory that nobody is left to write"
    says "in kernel await, program.ptx line 14"
done
for how in run "run --functional"; do
    # shellcheck disable=SC2086
    t 0 $how --json -- "$tmp/waits" leave; shows '"launches": 1,'
done

# Kernels that launch kernels: each is a row, and is measured as those that the host launches.
build nested
for how in run "run --functional" sample "search -j 2" "compare -j 2"; do
    # shellcheck disable=SC2086 # a command and its options
    t 0 $how -- "$tmp/nested"; shows passed; shows "tree [2x1x1]"; shows "sum [4x4x4]"
done
t 0 run --json -- "$tmp/nested"
json launches | grep -qx 48 || fail "launches of nested: not 48"
# Launches that are seen to be unlike too late are told of once a kernel, and counted.
t 0 sample -- "$tmp/nested"; says "2 more launches of tree are executed, but not measured, for the same reason"
[[ $(grep -c "seen too late" "$tmp/err") == 1 ]] || fail "nested: not told once a kernel"

# Clusters of CTAs with shared memory of each other's.
build clusters
for how in run "run --functional" sample "search -j 2" "run -n 1"; do
    # shellcheck disable=SC2086 # a command and its options
    t 0 $how -- "$tmp/clusters"; shows passed; shows "neighbour [32x1x1]"; shows "pairs [32x1x1]"
    shows "2 launches of neighbour rejected"; shows "(clusters of 3x1x1, grid 16x1x1)"
done
t 0 run --set cores=1 -- "$tmp/clusters" wrong; shows passed
t 0 run --set remote_shared_latency=180 --json -- "$tmp/clusters" wrong; near=$(json kernels.0.cycles)
t 0 run --set remote_shared_latency=380 --json -- "$tmp/clusters" wrong # one atomic, that all wait for
more=$(($(json kernels.0.cycles) - near)); ((more >= 198 && more <= 204)) || fail "an atomic on another CTA's shared memory does not wait for remote_shared_latency"
t 0 sample -- "$tmp/clusters"; says "runs in clusters of 2 CTAs, of which none tells anything alone: all of them are simulated at every degree"; shows "times one simulation"
t 0 sample --json --effort window -- "$tmp/clusters"; says passed; says "clusters of 2 CTAs, of which none tells anything alone: a window has one"
[[ $(json pilot_warp_insts) == 0 ]] || fail "clusters: a window has $(json pilot_warp_insts) instructions of pilots"

# cuBLAS: the host computes, the report counts; what is missing says its name.
build cublas
for how in run "run --functional" sample; do
    # shellcheck disable=SC2086 # a command and its options
    t 0 $how -- "$tmp/cublas"; shows passed; shows "add [1x1x1]"
    shows "2 calls of cublasSaxpy computed by the host: not simulated, no time passes"
    says "cublasCtrsm_v2, which is not supported"
done
t 0 run --json -- "$tmp/cublas"; shows '"function": "cublasDgemmStridedBatched"'
build cublas_matrix
t 0 run -- "$tmp/cublas_matrix"; shows passed; shows "2 calls of cublasStrsmBatched computed by the host"
# cuBLASLt: 17,408 products that its test counts, one of a graph, one without C.
build cublaslt
hows=(run "run --functional" sample)
[[ ! $sanitized ]] || hows=("run --functional" sample) # more of the same
for how in "${hows[@]}"; do
    # shellcheck disable=SC2086 # a command and its options
    t 0 $how -- "$tmp/cublaslt"; shows "17408 products"; shows passed; shows "add [1x1x1]"
    shows "17410 calls of cublasLtMatmul computed by the host: not simulated, no time passes"
    says "cublasLtMatmul with epilogue 130, which is not supported"
    says "cublasLtMatmulAlgoGetHeuristic with epilogue 160 of a matrix by rows, which is not supported"
    says "cublasLtMatmulDescSetAttribute with attribute 17 other than its default, which is not supported"
    says "cublasLtMatrixTransform, which is not supported"
done
# No kernel of its own: a whole answer for `run`, nothing to choose for the others.
build libraries
t 0 run -- "$tmp/libraries"; shows passed; shows "1 call of cublasSscal computed by the host"
for how in sample "search -j 2" "compare -j 2"; do
    # shellcheck disable=SC2086 # a command and its options
    t 1 $how --json -- "$tmp/libraries"
    says "there is nothing to predict: the program launches no kernel of its own"
    shows '"missing": "there is nothing to predict'; [[ $(json host_computed.0.calls) == 1 ]] || fail "no call"
done
"$mdpredict" trace -o "$tmp/trace" -- "$tmp/libraries" >"$tmp/out" 2>"$tmp/err" && fail "an empty trace is no error"
says "launched no kernel"; [[ ! -e $tmp/trace ]] || fail "an empty trace"
t 1 run --json -- "$tmp/libraries" fails; says "ended with exit code 3 before it launched any kernel"

# Kernels that are compiled while the program runs, for a GPU of hardware: NVRTC's PTX serves, whichever version it is.
for v in 11.2 12 13; do
    echo "libnvrtc.so.$v { global: nvrtc*; };" >"$tmp/map"
    "${CC:-gcc}" -g -DLIBRARY -shared -fPIC -Wl,-soname,libnvrtc.so.$v -Wl,--version-script="$tmp/map" \
        -o "$tmp/libnvrtc.so.$v" tests/cuda/nvrtc.c || fail "nvrtc.c does not compile"
    "${CC:-gcc}" -g -I. -o "$tmp/nvrtc" tests/cuda/nvrtc.c "$tmp/libnvrtc.so.$v" -Wl,-rpath="$tmp" -L"$lib" -l:libcuda.so.1 ||
        fail "nvrtc.c does not compile"
    t 0 run -- "$tmp/nvrtc"; shows passed; shows "set [1x1x1]"
done

# Several devices: a row for each, in JSON too; memory of another one is out of reach without peer access.
"${CC:-gcc}" -g -I. -DPTX='"tests/cuda/graphs.ptx"' -o "$tmp/devices" tests/cuda/devices.c "$lib/libcudart.so.13" ||
    fail "devices.c does not compile"
for how in "run --devices 2" "run --functional --devices 3" "search -j 2 --devices 16"; do
    # shellcheck disable=SC2086 # a command and its options
    t 0 $how -- "$tmp/devices" "${how##* }"; shows passed
    [[ $(awk '$1 == "add" { print $3 }' "$tmp/out" | tr -d '\n') == 01 ]] || fail "$how: rows are not of devices 0 and 1"
done
t 0 run --json --devices 2 -- "$tmp/devices" 2
[[ $(json kernels.0.device)$(json kernels.1.device) == 01 ]] || fail "JSON: not of devices 0 and 1"
t 1 run --json --devices 2 -- "$tmp/devices" 2 stray; says "of device 1, to which there is no peer access"
t 1 run --json -- "$tmp/devices" 2; says "count == n"
t 2 run --devices 17 -- "$tmp/devices"; says "1..16"

# Copies between contexts, of one device and of two. (Exit code 1: nothing is launched.)
build peers
t 1 run -- "$tmp/peers"; says passed
t 1 run --devices 2 -- "$tmp/peers" 2; says passed

# Per-thread default streams.
"${CC:-gcc}" -g -I. -DPTX='"tests/cuda/waits.ptx"' -o "$tmp/per_thread" tests/cuda/per_thread.c "$lib/libcudart.so.13" -lpthread ||
    fail "per_thread.c does not compile"
for how in run "run --functional"; do
    # shellcheck disable=SC2086 # a command and its options
    t 0 $how -- "$tmp/per_thread"; shows passed
done

"${CC:-gcc}" -g -I. -o "$tmp/driver_streams" tests/cuda/driver_streams.c "$lib/libcuda.so.1" -lpthread ||
    fail "driver_streams.c does not compile"
for how in run "run --functional"; do
    # shellcheck disable=SC2086 # a command and its options
    t 0 $how -- "$tmp/driver_streams" tests/cuda/waits.ptx; shows passed
done

# cuRAND: likewise; where the sequence is not cuRAND's, that is said.
build curand
for how in run "run --functional" sample; do
    # shellcheck disable=SC2086 # a command and its options
    t 0 $how -- "$tmp/curand"; shows passed; shows "add [1x1x1]"
    says "cuRAND: numbers of the distribution that is asked for, but not cuRAND's own"
    says "curandGetDirectionVectors32, which is not supported"
done
# Four of words(), two of the graph, one that ends beyond its buffer; not those of host memory.
t 0 run --json -- "$tmp/curand"; shows '"function": "curandGenerate"'
[[ $(json host_computed.0.calls) == 7 ]] || fail "$(json host_computed.0.calls) calls of curandGenerate"
exit "$bad"
