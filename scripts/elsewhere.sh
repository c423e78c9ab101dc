#!/bin/bash
# What the predicted degrees are worth where no coefficient was set: every bundled workload at its small
# size, with other inputs, on GPUs and settings that the bundled profile does not have, each degree
# simulated. One line a bar; exit code 1 if one is short. MDPREDICT: the program to use.
set -euo pipefail
cd "$(dirname "$0")/.."
mdpredict=${MDPREDICT:-./mdpredict}

workloads=(aes backprop bfs blackscholes cp euler fft gaussian gsim histogram hotspot irreg kmeans lud matmul
    moldyn nbf nw pathfinder pvc rodbfs sgemm spmv srad_v2 sta unstructured vecadd vectoradd)
settings=(
    "-g awatramani2015 --seed 2"
    "-g yen2014 --seed 3 --set warp_scheduler=lrr --set cores=24 --set l1d.mshrs=64"
    "-g kayiran2013-mesh56 --seed 4"
    "-g park2015 --seed 5 --set l1d.size=49152 --set l1d.ways=6 --set cores=8"
)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

for i in "${!settings[@]}"; do
    read -ra setting <<<"${settings[$i]}"
    "$mdpredict" compare "${workloads[@]}" "${setting[@]}" --csv -o "$tmp/$i.csv"
    awk -F, -v setting="${settings[$i]}" 'NR > 1 {
        n++; logs += log($10); error += $12
        if (n == 1 || $10 < worst) { worst = $10; at = $1 }
    } END {
        printf "%-80s kept %6.2f %%  worst %5.1f %% (%s)  IPC error %4.1f %%\n", setting, 100 * exp(logs / n),
            100 * worst, at, 100 * error / n
    }' "$tmp/$i.csv"
done
awk -F, '
function bar(name, measured, relation, wanted) {
    ok = relation == ">=" ? measured >= wanted : measured <= wanted
    bad += !ok
    printf "%-50s %8.4g %%   wanted %s %g %%  %s\n", name, measured, relation, wanted, ok ? "ok" : "short"
}
FNR > 1 {
    n++; logs += log($10); error += $12
    if (n == 1 || $10 < worst) worst = $10
    if ($9 <= 1.01 * $8 && 1 - $7 / $8 > loss) loss = 1 - $7 / $8
    if ($9 > 1.05 * $8) { got += $7 / $8 - 1; had += $9 / $8 - 1 }
} END {
    bar("elsewhere: kept of the optimum, no refinement", 100 * exp(logs / n), ">=", 98)
    bar("elsewhere: kept, worst, no refinement", 100 * worst, ">=", 90)
    bar("elsewhere: loss where nothing is to be gained", 100 * loss, "<=", 1)
    bar("elsewhere: gain captured, of more than 5 %", 100 * got / had, ">=", 90)
    bar("elsewhere: mean error of predicted IPC, every n", 100 * error / n, "<=", 8)
    exit bad > 0
}' "$tmp"/*.csv
