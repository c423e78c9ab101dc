#!/bin/bash
# shellcheck disable=SC1091,SC2016,SC2154 # lib.bash sets variables; ` and $ in single quotes are text
# The table of what workloads do, from runs made up here.
. tests/cli/lib.bash

table=${mdpredict%/*}/bench/workloads_table
mkdir "$tmp/papers"
cat >"$tmp/papers/applications.csv" <<'EOF'
workload,paper,report,where
toy,Yen,"grows, with n",Table 1
toy,Park,"says ""fast""",Table 2
toy,Kayiran,Type-X; small,Table II
toys,Kayiran,Type-M,Table II
toys,Yen,another one,Table 3
EOF
cat >"$tmp/papers/yen2014-table5.csv" <<'EOF'
workload,ctas,miss_rate,dram_reads_per_cta
toy,1,0.41,72.94
toy,2,0.40,71.12
other,1,0.5,1.0
EOF
echo workload,report >"$tmp/remarks.csv"
echo 'toy,a remark' >>"$tmp/remarks.csv"

# Two kernels: their counters are summed. At n = 1: 6400 + 3200 instructions in 100 + 60 cycles, IPC
# 60; at n = 2: 9600 in 200, 48: the gain is 25 %. L1D at n = 2: 30 + 20 misses of 100 + 100.
cat >"$tmp/runs.csv" <<EOF
config,gpu,l1d_bytes,target,revision,n,kernel,n_max,cycles,thread_insts,ctas,l1d_accesses,l1d_misses,dram_reads
0,yen2014,8192,toy:small,ab12,1,a,2,100,6400,10,100,20,30
0,yen2014,8192,toy:small,ab12,1,b,1,60,3200,10,100,10,10
0,yen2014,8192,toy:small,ab12,2,a,2,120,6400,10,100,30,50
0,yen2014,8192,toy:small,ab12,2,b,1,80,3200,10,100,20,10
1,kayiran2013,32768,toy:small,ab12,1,a,1,100,6400,10,100,0,0
2,yen2014,16384,toy:small,ab12,1,a,1,100,6400,10,100,0,0
EOF
# With as many CTAs as fit: the class follows from C_idle (X above 20 %), else from RACT (C above 66 %).
cat >"$tmp/most.csv" <<EOF
l1d_bytes,target,gpu,working_set_lines,RACT,C_idle
8192,toy:small,yen2014,7,0.6,0.1
16384,toy:small,yen2014,7,0.8,0.2
32768,toy:small,kayiran2013,7,0.79,0.2003
EOF
"$table" "$tmp/runs.csv" "$tmp/most.csv" "$tmp/papers" "$tmp/remarks.csv" >"$tmp/out" || fail "exit code $?"
shows 'revision ab12.'
shows '| `toy:small` | `yen2014` | 8 KB | 2 | 48.0 | 1 | 60.0 | +25 % | 0.60 | 0.25 | M | Yen: grows, with n; Park: says "fast"; Kayiran: Type-X; small. a remark |'
shows '|  | `yen2014` | 16 KB | 1 | 64.0 | 1 | 64.0 | +0 % | 0.80 | 0.00 | C |  |'
shows '|  | `kayiran2013` | 32 KB | 1 | 64.0 | 1 | 64.0 | +0 % | 0.79 | 0.00 | X |  |'
# (30 + 10) / 200 reads an access, 40 / 20 a CTA; at n = 2 60 / 200 and 60 / 20.
shows 'Of 1 applications that Kayiran et al. class, 1 are of the paper'\''s type'
shows '| `toy:small` | 1 | 0.41 | 0.20 | 72.94 | 2.0 | 7 |'
shows '| `toy:small` | 2 | 0.40 | 0.30 | 71.12 | 3.0 | 7 |'
[[ $(grep -c toy:small "$tmp/out") == 3 ]] || fail "not a row a setting and a growth row a degree"
"$table" "$tmp/none.csv" "$tmp/most.csv" "$tmp/papers" >/dev/null 2>"$tmp/err" && fail "a missing file is not noticed"
says none.csv
"$table" "$tmp/runs.csv" "$tmp/most.csv" "$tmp/none" >/dev/null 2>"$tmp/err" && fail "missing papers are not noticed"
says none/applications.csv

# Kernels beside the papers: Park has three of toy's, Kayiran's N is 4; the second kernel is in no paper.
cat >"$tmp/kernels.csv" <<EOF
name,kernel,threads,registers,shared_bytes,n_max
toy,first,64,20,128,8
toy,second,32,10,0,6
solo,only,256,9,0,4
EOF
printf 'workload,kernel,program_points\ntoy,first,5\ntoy,second,2\nsolo,only,1\n' >"$tmp/points.csv"
printf 'workload,kernel,paper_kernel,points\ntoy,first,kernel1,9\ntoy,-,kernel2,3\ntoy,-,kernel3,3\n' >"$tmp/papers/park2015-table2.csv"
printf 'workload,n,where\ntoy,4,III\n' >"$tmp/papers/kayiran2013-n.csv"
"${table%/*}/kernels_table" "$tmp/kernels.csv" "$tmp/points.csv" "$tmp/papers" >"$tmp/out" || fail "exit code $?"
shows '| `toy` | 2; paper: 3 | `first` | 64 | 20 | 128 | 8 | 4 | 5 | 9 | kernel1 |'
shows '| | | `second` | 32 | 10 | 0 | 6 |  | 2 |  |  |'
shows '| `solo` | 1 | `only` | 256 | 9 | 0 | 4 |  | 1 |  |  |'

# The committed table is of the same simulator as the committed profile: what both have is the same.
awk -F, 'FNR == NR && FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    FNR == NR && $at["perturbation"] != 0 { next }
    FNR == NR { k = $at["target"] " " $at["gpu"] " " $at["l1d_bytes"] / 1024 " " $at["n"]
                insts[k] += $at["thread_insts"]; cycles[k] += $at["cycles"]; next }
    !/^\|.*KB/ { next }
    { split($0, cell, / *\| */); gsub(/`/, "")
      if (cell[2] != "") target = substr(cell[2], 2, length(cell[2]) - 2)
      for (i = 5; i <= 7; i += 2) {
          k = target " " substr(cell[3], 2, length(cell[3]) - 2) " " cell[4] + 0 " " cell[i]
          if (!(k in cycles)) continue
          seen++
          if (sprintf("%.1f", insts[k] / cycles[k]) != cell[i + 1])
              print "FAIL: " k ": IPC " cell[i + 1] " in the table, " insts[k] / cycles[k]
      } }
    END { if (seen < 100) print "FAIL: only " seen + 0 " cells were compared" }' \
    data/profiles/runs.csv data/workloads/README.md >"$tmp/differ"
[[ ! -s $tmp/differ ]] || { cat "$tmp/differ"; fail "make workloads-table"; }
exit "$bad"
