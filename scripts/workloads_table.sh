#!/bin/bash
# Makes the tables of data/workloads/README.md: simulates every workload at every degree on yen2014
# with 8, 16 and 32 KB of L1D and on kayiran2013, at size SIZE (medium). An hour of a core.
#   scripts/workloads_table.sh [SIZE]
# What was simulated is kept in build/workloads/, a database a workload and version of its sources:
# stop it at any time, start it again, and only what is missing runs. After a change of the simulator
# all begins anew, unless KEEP=1 says that the change cannot show.
set -euo pipefail
cd "$(dirname "$0")/.."

size=${1:-medium}
kept=build/workloads/$size
readme=data/workloads/README.md
mkdir -p "$kept"

names() { ./mdpredict list --csv | awk -F, '$1 == "workloads" { print $2 }'; }

# All that is counted with as many CTAs as fit, on each GPU, behind a column l1d_bytes.
most_of() {
    local setting gpu bytes head=1
    for setting in yen2014:8192 yen2014:16384 yen2014:32768 kayiran2013:32768; do
        gpu=${setting%:*} bytes=${setting#*:}
        ./mdpredict run "$1" -g "$gpu" --set "l1d.size=$bytes" --csv |
            awk -v bytes="$bytes" -v head="$head" \
                'NR > 1 { print bytes "," $0 } NR == 1 && head { print "l1d_bytes," $0 }'
        head=0
    done
}

version_of() { # of what lies under these paths
    git ls-files -z "$@" | xargs -0 cat | sha1sum | cut -c1-12
}
sources_of() { # a workload's folder, the shared headers that it includes, and their sources
    local header
    echo "data/workloads/$1"
    gcc -I. -MM "data/workloads/$1/$1.c" | grep -o 'data/workloads/[a-z_]*[.]h' | sort -u |
        while read -r header; do
            echo "$header"
            echo "${header%.h}.c"
        done
}

simulator=$(version_of base sim data/gpus)
if [[ -z ${KEEP:-} && -e $kept/simulator && $(<"$kept/simulator") != "$simulator" ]]; then
    rm -rf "$kept"
    mkdir -p "$kept"
fi
echo "$simulator" >"$kept/simulator"

runs=() most_runs=()
for w in $(names); do
    mapfile -t sources < <(sources_of "$w")
    db=$kept/$w-$(version_of "${sources[@]}")
    target=$w:$size
    echo "$target" >&2
    ./mdpredict profile --no-samples --l1d 8,16,32 --db "$db.db" "$target"
    ./mdpredict profile --no-samples -g kayiran2013 --db "$db.db" "$target"
    ./mdpredict export --db "$db.db" -o "$db.csv"
    runs+=("$db.csv")
    [[ -e $db.most.csv ]] || most_of "$target" >"$db.most.csv.new"
    [[ -e $db.most.csv ]] || mv "$db.most.csv.new" "$db.most.csv"
    most_runs+=("$db.most.csv")
done
awk 'FNR > 1 || NR == 1' "${runs[@]}" >"$kept/runs.csv"
awk 'FNR > 1 || NR == 1' "${most_runs[@]}" >"$kept/most.csv"
build/bench/workloads_table "$kept/runs.csv" "$kept/most.csv" data/papers data/workloads/remarks.csv >"$kept/tables.md"

# The kernels: shapes on kayiran2013, program points on park2015.
./mdpredict list workloads -g kayiran2013 --csv >"$kept/kernels.csv"
for w in $(names); do
    ./mdpredict disasm "$w" --points -g park2015 --csv |
        awk -v w="$w" '{ print (NR > 1 ? w : "workload") "," $0 }'
done | awk 'NR == 1 || !/^workload,/' >"$kept/points.csv"
{ echo && build/bench/kernels_table "$kept/kernels.csv" "$kept/points.csv" data/papers; } >>"$kept/tables.md"

# Between the two marks stands what was made last.
awk -v tables="$kept/tables.md" '
    /^<!-- made by / { print; while ((getline line < tables) > 0) print line; skip = 1 }
    /^<!-- end -->/ { skip = 0 }
    !skip || /^<!-- end/ { if (!/^<!-- made by /) print }' "$readme" >"$kept/README.md"
cmp -s "$kept/README.md" "$readme" || cp "$kept/README.md" "$readme"
