#!/bin/bash
# What the predicted degrees are worth where no coefficient was set: every bundled workload, with other
# inputs, on GPUs and settings that the bundled profile does not have, each degree simulated, and once or
# twice more, perturbed. One line a setting and a bar; exit code 1 if one is short.
#   scripts/held_out.sh          at small size, four settings
#   scripts/held_out.sh medium   at medium size, one setting: half an hour on two cores
# MDPREDICT: the program to use; PERTURBED: how many perturbed runs (0: chance has its part).
set -euo pipefail
cd "$(dirname "$0")/.."
mdpredict=${MDPREDICT:-./mdpredict}

settings=(
    "-g awatramani2015 --seed 2"
    "-g yen2014 --seed 3 --set warp_scheduler=lrr --set cores=24 --set l1d.mshrs=64"
    "-g kayiran2013-mesh56 --seed 4"
    "-g park2015 --seed 5 --set l1d.size=49152 --set l1d.ways=6 --set cores=8"
)
size=${1:-small} perturbed=${PERTURBED:-2}
if [[ $size == medium ]]; then
    perturbed=${PERTURBED:-1}
    settings=("-g awatramani2015 --seed 6")
fi
workloads=(data/workloads/*/)
workloads=("${workloads[@]%/}")
workloads=("${workloads[@]##*/}")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

for i in "${!settings[@]}"; do
    read -ra setting <<<"${settings[$i]}"
    "$mdpredict" compare "${workloads[@]/%/:$size}" "${setting[@]}" --perturbed "$perturbed" --csv -o "$tmp/$i.csv"
done
printf '%s\n' "${settings[@]}" | awk -F, '
function bar(name, measured, relation, wanted) {
    ok = relation == ">=" ? measured >= wanted : measured <= wanted
    bad += !ok
    printf "%-50s %8.4g %%   wanted %s %g %%  %s\n", name, measured, relation, wanted, ok ? "ok" : "short"
}
function add(of, kept, error) {
    logs[of] += log(kept); errors[of] += error
    if (n[of]++ == 0 || kept < worst[of]) { worst[of] = kept; at[of] = $1 }
}
FILENAME == "-" { setting[files = FNR] = $0; next }
FNR == 1 { file++; for (i = 1; i <= NF; i++) column[$i] = i; next }
{
    gain = $column["ipc_optimum"] / $column["ipc_default"] - 1
    got = $column["ipc_chosen"] / $column["ipc_default"] - 1
    add(file, $column["kept"], $column["ipc_error"]); add(0, $column["kept"], $column["ipc_error"])
    if (gain <= 0.01 && -got > loss) loss = -got
    if (gain > 0.05) { captured += got; all += gain }
} END {
    for (i = 1; i <= files; i++)
        printf "%-80s kept %6.2f %%  worst %5.1f %% (%s)  IPC error %4.1f %%\n", setting[i],
            100 * exp(logs[i] / n[i]), 100 * worst[i], at[i], 100 * errors[i] / n[i]
    bar("held-out inputs: kept of the optimum, quick", 100 * exp(logs[0] / n[0]), ">=", 99)
    bar("held-out inputs: kept, worst, quick", 100 * worst[0], ">=", 93)
    bar("held-out inputs: loss where nothing is to be gained", 100 * loss, "<=", 1)
    bar("held-out inputs: gain captured, of more than 5 %", 100 * captured / all, ">=", 95)
    bar("held-out inputs: mean error of predicted IPC, every n", 100 * errors[0] / n[0], "<=", 8)
    exit bad > 0
}' - "$tmp"/*.csv
