#!/bin/bash
# Runs every suite, two or more at a time, and says what failed: scripts/run_tests.sh BUILD TEST...
# A TEST is a CUnit binary (its test functions are counted) or a shell script (one test; exit 0 is a
# pass). A line "NOT RUN: why" on standard output says that a test could not do its work: it is
# listed, and not counted as passed. Before the sum it names the tests that took most CPU time. The last line
# is "N passed, N failed".
set -uo pipefail

build=$1
shift
logs=$build/test-logs
rm -rf "$logs"
mkdir -p "$logs"
export MDPREDICT=$build/mdpredict
export LSAN_OPTIONS=suppressions=scripts/lsan.supp:print_suppressions=0

run_one() {
    local test=$2 log
    log=$1/$(echo "$test" | tr / _)
    { TIMEFORMAT='%U %S'; time timeout "${TEST_TIMEOUT:-600}" "$test" >"$log.out" 2>&1 </dev/null; } 2>"$log.seconds"
    local rc=$? passed=0 failed=0 skipped
    if [[ $test == *.sh ]]; then
        [[ $rc == 0 ]] && passed=1 || failed=1
    else
        # CUnit's summary: "tests TOTAL RAN PASSED FAILED INACTIVE"
        read -r passed failed < <(awk '$1 == "tests" && NF == 6 { print $4, $5 }' "$log.out")
        passed=${passed:-0} failed=${failed:-0}
        [[ $rc != 0 && $failed == 0 ]] && failed=1
    fi
    skipped=$(grep -c '^ *NOT RUN:' "$log.out")
    passed=$((passed > skipped ? passed - skipped : 0))
    echo "$passed $failed $skipped $rc $test" >"$log.result"
    if [[ $failed == 0 ]]; then
        echo "ok    $test ($passed$([[ $skipped == 0 ]] || echo ", $skipped not run"))"
    else
        echo "FAIL  $test ($failed failed, exit code $rc)"
    fi
}
export -f run_one
# The longest (and who sleeps) begin first, so that no core waits for the last one; whether they still are, the end of a run shows.
longest='report/page|cuda/programs|t_reference_rows|t_slice|compare_all|t_cta_schedulers|cuda/progress|block_sizes|transcripts|cuda/host|compare_schedulers|t_bundled|cli/fit|/trace|sampler/unlike|cuda/waits|t_pilot|slurm/sweep'
first=() others=()
for test in "$@"; do
    if [[ $test =~ $longest ]]; then first+=("$test"); else others+=("$test"); fi
done
# shellcheck disable=SC2016 # the inner shell expands these
printf '%s\0' "${first[@]}" "${others[@]}" | xargs -0 -n1 -P "$(nproc)" bash -c 'run_one "$0" "$1"' "$logs"

passed=0 failed=0
for result in "$logs"/*.result; do
    [[ -e $result ]] || break
    read -r p f _ _ test <"$result"
    passed=$((passed + p)) failed=$((failed + f))
    if [[ $f != 0 ]]; then
        printf '\n===== %s\n' "$test"
        cat "${result%.result}.out"
    fi
done
grep -h '^ *NOT RUN:' "$logs"/*.out 2>/dev/null | sed 's/^ */!!!!! /'
echo "CPU seconds of the longest, of $(cat "$logs"/*.seconds | awk '{ s += $1 + $2 } END { printf "%.0f", s }') in all:"
for seconds in "$logs"/*.seconds; do
    awk -v test="$(basename "${seconds%.seconds}")" '{ printf "%8.1f  %s\n", $1 + $2, test }' "$seconds"
done | sort -rn | sed -n 1,12p
missing=$(($# - $(find "$logs" -name '*.result' | wc -l)))
[[ $missing == 0 ]] || echo "!!!!! $missing suites gave no result"
failed=$((failed + missing))
echo "$passed passed, $failed failed"
[[ $failed == 0 && $passed -gt 0 ]]
