#!/bin/bash
# Makes data/profiles/: what every bundled workload does at every degree, on three papers' GPUs, at
# its small size, and what 28 of them do at their medium size, each run some times, perturbed. By the
# prices that it records, that is 1.0 hours of a core at small size and 5.4 at medium; stop it at any
# time and start it again.
# Results of one version of the sources are never mixed with another's.
#   scripts/profile.sh             everything anew
#   scripts/profile.sh --samples   samples and their prices alone: the runs stay as they are committed
#   scripts/profile.sh --list      what it runs, a target a line, and runs nothing
set -euo pipefail
cd "$(dirname "$0")/.."

# Those that were there before the others were bundled. To add one: its name here.
medium=(aes backprop bfs blackscholes cp euler fft gaussian gsim histogram hotspot irreg kmeans lud
    matmul moldyn nbf nw pathfinder pvc rodbfs sgemm spmv srad_v2 sta unstructured vecadd vectoradd)
medium=("${medium[@]/%/:medium}")
if [[ ${1:-} == --list ]]; then
    "${MDPREDICT:-./mdpredict}" list --csv | awk -F, '$1 == "workloads" { print $2 ":small" }'
    printf '%s\n' "${medium[@]}"
    exit
fi

make --no-print-directory -j"$(nproc)" mdpredict >/dev/null
kept=build/profile out=data/profiles
mkdir -p "$kept" "$out"
version=$(git ls-files -z base model/sample.h sim sampler cli/profiler.c data/gpus data/workloads data/coefficients/sampling.cfg |
    xargs -0 cat | sha1sum | cut -c1-12)
db=$kept/${1:---all}-$version.db
one=() # a price is that of a process with one thread: others beside it would be in it
[[ ${1:-} != --samples ]] || one=(-j 1)
if [[ ${1:-} == --samples && ! -e $db ]]; then
    ./mdpredict import runs "$out/runs.csv" --db "$db.new"
    mv "$db.new" "$db"
fi
for setting in "--l1d 8,16,32,64,128" "-g kayiran2013" "-g park2015"; do
    # shellcheck disable=SC2086 # a setting is words
    ./mdpredict profile "${one[@]}" --db "$db" --size small --perturbed 4 $setting
done
for setting in "--l1d 8,16,32,64,128" "-g kayiran2013" "-g park2015"; do
    # shellcheck disable=SC2086
    ./mdpredict profile "${one[@]}" --db "$db" --perturbed 1 $setting "${medium[@]}"
done
for table in runs samples prices; do
    ./mdpredict export "$table" --db "$db" -o "$out/$table.csv"
done
wc -c "$out"/*.csv
