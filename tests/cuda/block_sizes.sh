#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# Every degree at every block size: launches whose grid follows from the block, programs that are told.
. tests/cli/lib.bash
. tests/cuda/lib.bash

# The best of all that JSON has is what the text says; the 12,001st thread is the last block's only one or so,
# and the file's check holds at every size. 12,288 bytes a CTA fit 4 times into 48 KB, 9,840 are the fewest that
# do not 5 times.
file=tests/data/blocks/launch.cfg
sizes=64,96 rows=17
[[ ! $sanitized ]] || sizes=64 rows=9
t 0 search -j 2 --block-sizes $sizes --csv $file
best=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    !least || $at["cycles"] < least { least = $at["cycles"]; best = $at["block_size"] " " $at["n"] }
    END { print best, least, NR }' "$tmp/out")
[[ $best == "64 4 18629 $rows" ]] || fail "block, n, cycles, rows: $best"
if [[ ! $sanitized ]]; then # the same once more
    t 0 search -j 2 --block-sizes 64 $file
    shows "Best of $file: blocks of 64 threads, n = 4:"; shows "    reread<<<grid, 64, 9840>>>(...);"
    awk '$1 == 64 && $4 == 4 && $5 == 18629 && $6 == "1.000"' "$tmp/out" | grep -q . || fail "no row of the best"
fi
# 18,629 cycles at its own size, as without the option.
t 0 run -n 4 --json $file; shows '"cycles": 18629,'
few=()
[[ ! $sanitized ]] || few=(--set max_ctas=4) # less of the same
t 0 search -j 2 "${few[@]}" --block-sizes 64 --json $file; [[ $(json 3.block_size) == 64 && $(json 3.cycles) == 18629 ]] || fail "JSON"
# A workload that takes any number of warps: the same as that number.
t 0 run --json -n 2 --warps-per-cta 3 vectoradd; cycles=$(json cycles)
t 0 search -j 2 --block-sizes 96 --json vectoradd; [[ $(json 1.cycles) == "$cycles" ]] || fail "3 warps are not 96 threads"

t 1 search --block-sizes 64 tests/data/hot/hot.cfg; says "no launch says \`threads\` in place of \`grid\`"
t 1 search --block-sizes 48 pathfinder; says "48 threads are no multiple of 32"
t 1 search --block-sizes 64 matmul; says "it takes no --block-sizes"
t 2 search --block-sizes 0 $file; says "from 1 to 1024"
t 2 search --block-sizes 64 --db "$tmp/db" $file; says "--block-sizes: without --db"

# A program.
"${CC:-gcc}" -g -I. -DPTX='"tests/data/blocks/reread.ptx"' -o "$tmp/blocks" tests/cuda/blocks.c "$lib/libcudart.so.13" ||
    fail "blocks.c does not compile"
t 0 search -j 2 --block-sizes 64,128 -- "$tmp/blocks"
[[ $(grep -c "^Blocks of" "$tmp/out") == 2 ]] || fail "not two reports"
shows "Best of reread: blocks of 64 threads"; shows "    reread<<<grid, 64, 256>>>(...);"
t 0 search -j 2 --block-sizes 64,128 --json -- "$tmp/blocks"
[[ $(json 0.kernels.0.block_x) == 64 && $(json 1.block_size) == 128 && $(json 1.kernels.0.block_x) == 128 ]] || fail "blocks"
t 0 search -j 2 --block-sizes 64,128 --csv -- "$tmp/blocks"
[[ $(cut -d, -f1,2 "$tmp/out" | tr '\n' ' ') == "block_size,kernel 64,reread 128,reread " ]] || fail "rows"
# Of 1,024 threads one CTA fits, 32 warps; of 192 eight, 48 warps: the report says so, and what the option needs.
MDPREDICT_BLOCK_SIZE=1024 t 0 sample -- "$tmp/blocks"
tr -s '\n ' ' ' <"$tmp/out" | grep -q "search --block-sizes [0-9,]*192[0-9,]*. (of a program that reads MDPREDICT_BLOCK_SIZE)" || fail "no hint"
t 1 search -j 2 --json --block-sizes 128 -- "$tmp/blocks" fixed; says "MDPREDICT_BLOCK_SIZE of the environment"
exit $bad
