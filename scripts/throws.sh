#!/bin/bash
# How much of what degrees differ by is chance: TARGET at every degree, while the stage before each
# memory partition's queue takes up to THROWS (default: 7) cycles less or more, which means nothing to a
# program. A row a latency, IPC by degree; then the means, and what each degree keeps of the best mean.
#   [THROWS=N] scripts/throws.sh TARGET [OPTION of `search`]...
#   scripts/throws.sh spmv --set l1d.size=8192
# MDPREDICT: the program to use. (After Alameldeen and Wood, "Variability in architectural simulations
# of multi-threaded workloads", HPCA 2003, who perturb the latency of misses.)
set -euo pipefail
mdpredict=${MDPREDICT:-./mdpredict} throws=${THROWS:-7}
[[ $# -gt 0 && $1 != -* && $throws =~ ^[0-9]+$ ]] || {
    sed -n '2,9s/^# \?//p' "$0" >&2
    exit 2
}

gpu=() # of the options, those that say which GPU
for ((i = 2; i <= $#; i++)); do
    case ${!i} in
    -g | --gpu | --set) gpu+=("${@:i:2}") ;;
    -g?* | --gpu=* | --set=*) gpu+=("${!i}") ;;
    esac
done
latency=$("$mdpredict" list parameters "${gpu[@]}" | awk '$1 == "partition.rop_latency" { print $2 }')

for ((at = latency > throws ? latency - throws : 0; at <= latency + throws; at++)); do
    "$mdpredict" search "$@" --set partition.rop_latency="$at" --csv |
        awk -F, -v at="$at" 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
            { print at, $column["n"], $column["ipc"] }'
done | awk '
    !($1 in seen) { seen[$1]; latency[++rows] = $1 }
    { ipc[$1, $2] = $3; sum[$2] += $3; most = $2 > most ? $2 : most }
    END {
        printf "%7s", "latency"
        for (n = 1; n <= most; n++) { printf " %8s", "n = " n; best = sum[n] > best ? sum[n] : best }
        for (i = 1; i <= rows; i++) {
            printf "\n%7d", latency[i]
            for (n = 1; n <= most; n++) printf " %8.2f", ipc[latency[i], n]
        }
        printf "\n%7s", "mean"
        for (n = 1; n <= most; n++) printf " %8.2f", sum[n] / rows
        printf "\n%7s", "kept"
        for (n = 1; n <= most; n++) printf " %6.1f %%", 100 * sum[n] / best
        printf "\n"
    }'
