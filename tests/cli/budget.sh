#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# sample --budget: wherever it ends the answer, that is no worse than a window's.
. tests/cli/lib.bash
# The best of nbf is n = 2, 2.5 times as fast as the default; a window says so, and so does every pilot.
for budget in 0.001 0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.45 0.5 100; do
    t 0 sample nbf --budget $budget --json; quiet
    [[ $(json chosen_n) == 2 ]] || fail "with $budget s n = $(json chosen_n) is chosen"
done
[[ $(json pilot_warp_insts) -gt 0 ]] || fail "100 s leave no room for a pilot"
t 0 sample nbf --budget 0.001; quiet
tr -s ' \n' ' ' <"$tmp/out" | grep -q "more than the budget of 0.001 s, which ends simulations alone" || fail "it is not said"
grep -q "pilots" "$tmp/out" && fail "a pilot was begun when the budget was spent"
t 0 sample nbf --budget 100; quiet
grep -q budget "$tmp/out" && fail "a budget is told that was not spent"
exit $bad
