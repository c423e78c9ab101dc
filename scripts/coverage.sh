#!/bin/bash
# Line coverage of every test together, a line a room; fails below 90 % in all.
set -euo pipefail
cd "$(dirname "$0")/.."

build=build/cov
find "$build" -name '*.gcda' -delete 2>/dev/null || true
failed=0
make -s -j"$(nproc)" COV=1 check || failed=1
gcovr --root . --exclude 'tests/|fuzz/|build/' --csv - "$build" |
    awk -F, '
        NR == 1 { next }
        {
            room = $1
            sub(/\/[^\/]*$/, "", room)
            if (room ~ /^data\//) room = "data/workloads"
            if (!(room in all)) order[++rooms] = room
            all[room] += $2; hit[room] += $3; total += $2; covered += $3
        }
        END {
            for (i = 1; i <= rooms; i++)
                printf "%-16s %6d of %6d lines  %5.1f %%\n", order[i], hit[order[i]], all[order[i]],
                    100 * hit[order[i]] / all[order[i]]
            share = total ? 100 * covered / total : 0
            printf "%-16s %6d of %6d lines  %5.1f %%\n", "total", covered, total, share
            exit share < 90
        }' || failed=1
exit $failed
