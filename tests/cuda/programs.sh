#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# CUDA programs of this folder, built with nvcc where it is there, run unmodified; each checks its own
# results. Every compression of PTX, several modules linked with each other, faults.
. tests/cli/lib.bash
. tests/cuda/lib.bash
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
if [[ ! -x $nvcc ]]; then
    echo "NOT RUN: there is no nvcc (tests/cuda/host.sh needs none)"
    exit 0
fi

# compiled PROGRAM ARGUMENT...: nvcc's, in tests/cuda. Most of this test's time is nvcc's, and programs are the same with
# and without sanitizers: they are kept in build/nvcc by what they are made of, unless that is in this run's folder.
kept=build/nvcc
mkdir -p $kept
sources=$({ "$nvcc" --version; cat tests/cuda/*.{cu,cuh,cpp,h}; } | cksum)
compiled() {
    local program=$1 of
    shift
    of=$kept/$program-$(echo "$sources $*" | sha256sum | cut -c1-16)
    [[ ! -e $of ]] || { cp "$of" "$tmp/$program" && return; }
    (cd tests/cuda && "$nvcc" "$@" -o "$tmp/$program") || return
    [[ $* == *"$tmp"* ]] || { cp "$tmp/$program" "$of.$$" && mv "$of.$$" "$of"; }
}
build() { # PROGRAM ARGUMENT...
    compiled "$1" -cudart shared -gencode "arch=compute_${arch:-75},code=compute_${arch:-75}" "${@:2}" >"$tmp/log" 2>&1 ||
        { fail "$1 does not compile"; cat "$tmp/log"; }
}
passes() { # COMMAND... -- PROGRAM ARGUMENT...
    t 0 "$@"
    shows passed
}

build templates -no-compress templates.cu
build symbols -compress-mode=speed symbols.cu
build streams streams.cu
build copies copies.cu
build groups groups.cu
build maths maths.cu
build device_io device_io.cu
build launches launches.cu
build textures textures.cu
build mipmaps mipmaps.cu
build again again.cu
build modules -rdc=true modules_a.cu modules_b.cu
build faults -lineinfo faults.cu
build meet meet.cu
build look_back look_back.cu
build recursion recursion.cu
build tiles -gencode arch=compute_80,code=compute_80 tiles.cu
build async -std=c++17 -gencode arch=compute_90,code=compute_90 async.cu
arch=80 build matrices -std=c++17 matrices.cu
build locks locks.cu
build refused refused.cu
build rejected rejected.cu
build occupancy occupancy.cu
build occupancy80 -gencode arch=compute_80,code=compute_80 occupancy.cu

for p in templates symbols streams copies groups device_io launches textures mipmaps modules meet look_back recursion tiles async matrices locks; do
    passes run -- "$tmp/$p"
    passes run --functional -- "$tmp/$p"
done
passes run --functional -- "$tmp/maths"
for p in groups modules symbols textures; do
    passes sample -- "$tmp/$p"
    passes search -j 2 -- "$tmp/$p"
    passes compare -- "$tmp/$p"
done
passes run -- "$tmp/device_io"
shows "thread 1: 110 36.67 text x 1099511627776"

for kind in bounds misaligned null assert trap host; do
    passes run -- "$tmp/faults" $kind
    says "by thread"
    says "source "
done
passes run -- "$tmp/faults" bounds
says "writes 4 bytes at 0x80000190 in global memory, 0 bytes past the end of buffer"
says "thread (36,0,0) of CTA (1,0,0)"
passes compare -- "$tmp/faults" assert
says "assertion 'threadIdx.x != 5' failed"
shows "1 launch failed: kernel asserts, program.ptx:"

# Occupancy is NVIDIA's, given an NVIDIA GPU: compute capability 7.5 and 8.0. (Exit code 1: nothing is launched.)
granularity=(--set register_granularity=8 --set warp_granularity=4 --set registers=65536)
t 1 run "${granularity[@]}" --set shared_granularity=256 --set max_ctas=16 --set max_threads=1024 \
    --set shared_bytes=65536 -- "$tmp/occupancy"; says passed
t 1 run "${granularity[@]}" --set shared_granularity=128 --set shared_reserved=1024 --set max_ctas=32 \
    --set max_threads=2048 --set shared_bytes=167936 -- "$tmp/occupancy80"; says passed

# What is not supported fails, even where the program does not look.
"$mdpredict" run -- "$tmp/refused" >"$tmp/out" 2>"$tmp/err" && fail "refused: exit code 0"
shows "no result"
says "did not get all that it asked for: kernel reduces uses sured.b.1d.add.u32.trap"
says "mdpredict: kernel reduces uses sured.b.1d.add.u32.trap"; [[ $(cat "$tmp/err") != *_Z* ]] || fail "refused: a name is mangled"

# Launches that are rejected for their shape have a line a kernel, those that are abandoned a row too.
passes run --functional -- "$tmp/rejected"
shows "2 launches of set<int> rejected: invalid configuration argument (grid 0x1x1); invalid configuration argument (block 2048x1x1)"
shows "2 launches of narrow rejected: too many resources requested for launch (block 128x1x1, of 64 threads at most); invalid argument (1073741824 bytes"
t 1 run --json --max-cycles 100000 -- "$tmp/rejected" endless
shows '"missing": "1 launch of endless [32x1x1] abandoned: kernel endless, '
[[ $(json kernels.0.kernel kernels.1.kernel kernels.1.abandoned | xargs -d '\n') == *"endless(int volatile*) 1"* ]] ||
    fail "a kernel that was abandoned has no row"

# A degree at which CTAs wait for others that find no room is none to choose.
passes compare -- "$tmp/meet"
says "all_meet never ends with fewer than 4 CTAs at once"
# A CTA that waits for others cannot be sampled alone, which is found out before it is simulated: a thorough
# answer simulates every degree.
t 0 sample --json --effort thorough -- "$tmp/meet"; says passed
says "mdpredict: all_meet has CTAs that wait for others"
says "all_meet never ends with fewer than 4 CTAs at once"
# Who waits for a lock waits for nobody's work.
! grep -q "one_by_one has CTAs" "$tmp/err" || fail "CTAs that take a lock are searched"
[[ $(json kernels.1.kernel) == one_by_one* && $(json kernels.1.sample.pilot_insts | tr -d '0. ') ]] || fail "one_by_one is not sampled"
sampled=$(json kernels.0.device_cycles)
t 0 run -n 8 --json -- "$tmp/meet"; says passed
[[ $(json kernels.0.cycles) == "$sampled" ]] || fail "meet: the time of a launch at the highest degree"

# Scans that look back: each degree is what `search` finds; a quick answer has a part of it.
t 0 search --json -- "$tmp/look_back"; says passed
searched=$(json kernels.0.optimum_n kernels.1.optimum_n kernels.0.degrees.cycles.{0..7} kernels.1.degrees.cycles.{0..7})
t 0 sample --json --effort thorough -- "$tmp/look_back"; says passed
says "mdpredict: by_number has CTAs that wait for others"; says "mdpredict: by_ticket has CTAs that wait for others"
says "at every degree, as \`search\` does"
[[ $(json kernels.0.chosen_n kernels.0.sample.pilot_cycles.{0..7} | sed 's/\.0$//') == "$(sed -n '1p; 3,10p' <<<"$searched")" ]] ||
    fail "look_back: not what search finds"
# ... of the second one but for what the first has left in L2.
json kernels.1.chosen_n | awk -v is="$(xargs <<<"$searched")" '
    { split(is, c, " "); exit c[10 + $1] > 1.01 * c[10 + c[2]] }' || fail "look_back, by_ticket: not what search finds"
t 0 sample --json -- "$tmp/look_back"; says passed; says "are simulated at some degrees"
json kernels.0.chosen_n kernels.1.chosen_n | xargs | awk -v is="$(xargs <<<"$searched")" '
    { split(is, c, " "); for (k = 0; k < 2; k++) bad = bad || c[2 + 8 * k + $(k + 1)] > 1.1 * c[2 + 8 * k + c[k + 1]] }
    END { exit bad }' || fail "look_back: more than a tenth is lost"
passes sample --effort thorough -- "$tmp/look_back"; shows "by_number"
passes compare -- "$tmp/look_back"; shows "100.0 %"

# Launches whose results are known are not executed: of the first hundred all but one, and one later
# that finds everything as an earlier one did.
t 0 run --functional --json -- "$tmp/again"
shows '"known": 100'
says passed
says xxxxx
# A sequence is known from its third time on: 18 of 20, and once it is another one.
for how in --functional --json; do
    t 0 run "$how" --json -- "$tmp/again" sequence
    [[ $(awk '/"known"/ { sum += $2 } END { print sum }' "$tmp/out") == 36 ]] || fail "$how: not 36 launches are known"
    says passed
done

# Thousands of launches: one is simulated, those like it are executed.
passes run -- "$tmp/launches" 3000
shows "3000 launches of 1 kernel, 1 in detail, 2999 repeated"

# nvcc's default, the runtime linked in: alone, relocatable device code, at a fixed place or not, and
# in a library with a runtime of its own; a library that is loaded later is explained.
static_build() { compiled "$@" >/dev/null 2>&1 || fail "$1 does not build"; }
static_build static symbols.cu
static_build static_pie -Xcompiler -fPIE -Xlinker -pie symbols.cu
static_build static_fixed -Xlinker -no-pie -rdc=true symbols.cu
for p in static static_pie static_fixed; do passes run --functional -- "$tmp/$p"; done
passes run -- "$tmp/static"
static_build libdoubled.so -DLIBRARY -shared -Xcompiler -fPIC runtimes.cu
static_build with_library runtimes.cu -L"$tmp" -ldoubled -Xlinker -rpath="$tmp"
passes run --functional -- "$tmp/with_library"; says "library: passed"; shows "times<2>"; shows "times<3>"
static_build loads_later -DLATER="\"$tmp/libdoubled.so\"" runtimes.cu -ldl
t 1 run --functional -- "$tmp/loads_later"; says "libdoubled.so was loaded after the program had started"
static_build per_thread --default-stream per-thread streams.cu
passes run --functional -- "$tmp/per_thread"
for runtime in static shared; do
    static_build own_streams -cudart $runtime --default-stream per-thread -std=c++17 -gencode arch=compute_75,code=compute_75 own_streams.cu -lcuda
    for how in run "run --functional"; do
        # shellcheck disable=SC2086 # a command and its options
        passes $how -- "$tmp/own_streams"
    done
done
# cuRAND as programs link with it, where the toolkit has it.
if [[ -e $(dirname "$nvcc")/../include/curand.h ]]; then
    static_build random random.cu -lcurand
    passes run -- "$tmp/random"; shows "inside"; shows "1 call of curandGenerateUniform computed by the host"
else
    echo "NOT RUN: random.cu: this toolkit has no cuRAND"
fi
# cuBLASLt likewise: ours is found before the toolkit's.
if [[ -e $(dirname "$nvcc")/../include/cublasLt.h ]]; then
    static_build products products.cu -lcublasLt
    passes run -- "$tmp/products"; shows "expected"; shows "1 call of cublasLtMatmul computed by the host"
else
    echo "NOT RUN: products.cu: this toolkit has no cuBLASLt"
fi
# A program of the driver API alone has nothing of the runtime, although nvcc leaves an empty section.
static_build driver_only -cudart shared -O3 -x cu driver_only.cpp -lcuda
passes run --functional -- "$tmp/driver_only"

# What no library can stand in for is explained.
strip -o "$tmp/stripped" "$tmp/static"
t 1 run -- "$tmp/stripped"; says "its symbols are stripped"; says "nvcc -cudart shared"
(cd tests/cuda && "$nvcc" -cudart shared -gencode arch=compute_80,code=sm_80 -o "$tmp/machine" templates.cu) >/dev/null 2>&1
"$mdpredict" run -- "$tmp/machine" >"$tmp/out" 2>"$tmp/err"
says "holds no PTX"
[[ $(grep -c "holds no PTX, only" "$tmp/err") == 1 ]] || fail "the message is there more than once"
exit "$bad"
