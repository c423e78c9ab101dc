#!/bin/bash
# Program points before merging of the kernels in Park et al., ELF, 2015, Table 2, beside those of the
# bundled kernels that do the same. Prints a table.
set -euo pipefail
cd "$(dirname "$0")/.."
mdpredict=${MDPREDICT:-./mdpredict}
printf '%-22s %6s %6s  %s\n' "paper's kernel" paper ours "our kernel"
tail -n +2 data/papers/park2015-table2.csv | while IFS=, read -r workload ours kernel points; do
    found=$("$mdpredict" disasm "$workload" --points --csv | awk -F, -v k="$ours" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == "program_points") column = i }
        $1 == k { print $column }')
    printf '%-22s %6s %6s  %s\n' "$kernel" "$points" "$found" "$ours"
done
