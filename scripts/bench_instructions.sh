#!/bin/bash
# Host instructions for each simulated warp instruction, which no other load on the machine changes:
# scripts/bench_instructions.sh MDPREDICT REFERENCE_DIR [KERNEL...]. Counted by perf where the machine
# has its counters, else by callgrind; loading the program and its data is in it.
set -euo pipefail
mdpredict=$1 reference=$2
shift 2
[[ $# -gt 0 ]] || set -- vecadd mmtile csr divtail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# count COMMAND...: its instructions on stdout; what it prints goes to $work/out.
count() {
    if perf stat -e instructions:u true 2>&1 | grep -q '[0-9] *instructions'; then
        perf stat -x, -e instructions:u -o "$work/perf" "$@" >"$work/out"
        awk -F, '/instructions/ { print $1 }' "$work/perf"
    else
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>"$work/log" >"$work/out"
        awk '/Collected/ { print $NF }' "$work/log"
    fi
}

printf '\nhost instructions a warp instruction  1 core  15 cores\n'
for kernel; do
    printf '%-36s' "$kernel, n = 4"
    for cores in 1 15; do
        insts=$(count "$mdpredict" run "$reference/$kernel/launch.cfg" -g gpgpusim321 \
            --set cores=$cores -n 4 --csv)
        warp_insts=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "warp_insts") c = i }
                              NR == 2 { print $c }' "$work/out")
        printf '%8d' $((insts / warp_insts))
    done
    echo
done
