#!/bin/bash
# What each scheduler costs the simulator: scripts/bench_schedulers.sh MDPREDICT. CPU time of a
# simulated warp instruction as a multiple of what it takes under gto, the default of the GPU, in one run:
# the least of three of each, taken in turn; parts (+NAME) with gto. Fails when a multiple is above 1.5.
set -euo pipefail
mdpredict=$1 bar=1.5
workloads="kmeans spmv backprop srad_v2"

for round in 1 2 3; do
    for workload in $workloads; do
        "$mdpredict" list --csv | awk -F, '$1 == "schedulers" { print tolower($3), ($2 ~ /^[+]/ ? "gto" : "") $2 }' |
            while read -r kind scheduler; do
                "$mdpredict" run "$workload" "--$kind-scheduler" "$scheduler" --csv |
                    awk -F, -v what="$round $workload $scheduler" '
                        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
                        NR == 2 { print what, $column["host_seconds"] / $column["warp_insts"] }'
            done
    done
done | awk -v bar="$bar" '
    {
        key = $2 " " $3
        if (!(key in least) || $4 < least[key])
            least[key] = $4
        if (!($2 in seen_workload)) { seen_workload[$2]; workload[++workloads] = $2 }
        if (!($3 in seen_scheduler)) { seen_scheduler[$3]; scheduler[++schedulers] = $3 }
    }
    END {
        printf "\n%-18s", "scheduler"
        for (w = 1; w <= workloads; w++)
            printf " %10s", workload[w]
        printf "\n"
        for (s = 1; s <= schedulers; s++) {
            printf "%-18s", scheduler[s]
            for (w = 1; w <= workloads; w++) {
                times = least[workload[w] " " scheduler[s]] / least[workload[w] " gto"]
                printf " %10.2f", times
                if (times > most) { most = times; slowest = scheduler[s] " on " workload[w] }
            }
            printf "\n"
        }
        printf "schedulers: the slowest (%s) takes %.2f times what gto does  wanted <= %.1f  %s\n",
            slowest, most, bar, (most <= bar ? "ok" : "short")
        exit !(most <= bar)
    }'
