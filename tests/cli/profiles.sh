#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# The committed profile: rows drawn at random, always the same ones, come out again to the bit. They
# are taken out of a copy of it, and `profile`, which runs what is missing, has to put them back.
# Of programs of at most MOST_INSTS warp instructions, which take seconds (`make validate`: of all). With sanitizers
# few rows.
. tests/cli/lib.bash
db=$tmp/p.db seed=20141 most=${MOST_INSTS:-$((1 << 20))}
columns=config,gpu,l1d_bytes,target,seed,numbering,warps,revision

# settings TABLE: what names a run or sample but its kernel: gpu,l1d_bytes,target,n,perturbation (the
# last two: runs alone).
settings() {
    awk -F, -v OFS=, -v runs="$([[ $1 == runs ]] && echo 1)" -v most="$most" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; insts = at[runs ? "warp_insts" : "total_warp_insts"]; next }
        { k = $2 OFS $3 OFS $4 OFS (runs ? $9 OFS $10 : ""); if (!(k in sum)) key[++keys] = k; sum[k] += $insts }
        END { for (i = 1; i <= keys; i++) if (sum[key[i]] <= most) print key[i] }' "data/profiles/$1.csv"
}
# draw COUNT: that many lines of stdin.
draw() {
    awk -v count="$1" -v x="$seed" '{ line[NR] = $0 }
        END { for (; count > 0; count--) {
                  x = (x * 16807) % 2147483647 # Park and Miller
                  print line[1 + x % NR]
              } }' | sort -u
}
# without TABLE: the CSV file less the settings of stdin.
without() {
    awk -F, -v OFS=, -v runs="$([[ $1 == runs ]] && echo 1)" 'NR == FNR { gone[$0]; next }
        FNR == 1 || !(($2 OFS $3 OFS $4 OFS (runs ? $9 OFS $10 : "")) in gone)' - "data/profiles/$1.csv"
}
# perturbed GPU L1D TARGET: how many runs of each degree beside the plain one.
perturbed() {
    awk -F, -v key="$1,$2,$3" '$2 "," $3 "," $4 == key && !($10 in seen) { seen[$10]; n++ }
        END { print n - 1 }' data/profiles/runs.csv
}
# without what depends on the source's revision, or on the host
no_revision() {
    awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) gone[i] = $i == "revision" || $i ~ /_seconds$/ }
        { for (i in gone) if (gone[i]) $i = ""; print }' "$1"
}

# scripts/profile.sh makes what is committed: the same workloads at the same sizes on every GPU.
MDPREDICT=$(realpath "$mdpredict") scripts/profile.sh --list | sort >"$tmp/list"
for table in runs samples prices; do
    for gpu in kayiran2013,32768 park2015,16384 yen2014,{8192,16384,32768,65536,131072}; do
        awk -F, -v gpu="$gpu" '$2 "," $3 == gpu { print $4 }' "data/profiles/$table.csv" | sort -u >"$tmp/made"
        cmp -s "$tmp/list" "$tmp/made" || fail "$table.csv has others on $gpu: $(diff "$tmp/list" "$tmp/made" | head -n 5)"
    done
done

for table in runs samples; do
    [[ $(head -1 "data/profiles/$table.csv") == "$columns",* ]] || fail "$table: other columns"
    settings $table | draw $(($([[ $table == runs ]] && echo 8 || echo 4) / (${#sanitized} ? 4 : 1))) >"$tmp/$table.drawn"
    without $table <"$tmp/$table.drawn" >"$tmp/$table.csv"
    t 0 import $table "$tmp/$table.csv" --db "$db"
done
[[ ! -e data/profiles/prices.csv ]] || t 0 import prices data/profiles/prices.csv --db "$db"
while IFS=, read -r gpu l1d target n by; do
    echo "$target on $gpu, $l1d bytes of L1D, n = ${n:-none: the sample} ${by:+perturbed by $by}"
    args=("$target" -g "$gpu" --l1d $((l1d / 1024)) --db "$db")
    if [[ -n $n ]]; then
        t 0 profile "${args[@]}" --perturbed "$(perturbed "$gpu" "$l1d" "$target")"
    else
        t 0 profile "${args[@]}" --samples; says "samples: 1 done"
    fi
done < <(cat "$tmp/samples.drawn" "$tmp/runs.drawn")
for table in runs samples; do
    t 0 export $table --db "$db"
    cmp -s <(no_revision "$tmp/out") <(no_revision "data/profiles/$table.csv") ||
        fail "data/profiles/$table.csv: \`make profile\` makes another; samples alone: scripts/profile.sh --samples"
    diff <(no_revision "$tmp/out") <(no_revision "data/profiles/$table.csv") | head -4 | cut -c1-300
done
exit $bad
