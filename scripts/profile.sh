#!/bin/bash
# Makes data/profiles/: what every bundled workload does at every degree, on three papers' GPUs, at
# its small size and at its medium size, each run some times, perturbed. Some nine hours of a core; stop
# it at any time and start it again.
# Results of one version of the sources are never mixed with another's.
#   scripts/profile.sh             everything anew
#   scripts/profile.sh --samples   samples and their prices alone: the runs stay as they are committed
set -euo pipefail
cd "$(dirname "$0")/.."

make --no-print-directory -j"$(nproc)" mdpredict >/dev/null
kept=build/profile out=data/profiles
mkdir -p "$kept" "$out"
version=$(git ls-files -z base model/sample.h sim sampler cli/profiler.c data/gpus data/workloads |
    xargs -0 cat | sha1sum | cut -c1-12)
db=$kept/${1:---all}-$version.db
if [[ ${1:-} == --samples && ! -e $db ]]; then
    ./mdpredict import runs "$out/runs.csv" --db "$db.new"
    mv "$db.new" "$db"
fi
for size in small medium; do
    perturbed=4
    [[ $size == small ]] || perturbed=1
    args=(--db "$db" --size "$size" --perturbed "$perturbed")
    ./mdpredict profile "${args[@]}" --l1d 8,16,32,64,128
    ./mdpredict profile "${args[@]}" -g kayiran2013
    ./mdpredict profile "${args[@]}" -g park2015
done
for table in runs samples prices; do
    ./mdpredict export "$table" --db "$db" -o "$out/$table.csv"
done
wc -c "$out"/*.csv
