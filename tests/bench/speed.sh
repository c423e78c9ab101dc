#!/bin/bash
# What `make bench` times: a whole process a row, and it must have succeeded.
set -euo pipefail
speed=$(dirname "$MDPREDICT")/bench/speed
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
fail() {
    echo "$*"
    exit 1
}

# A program that does nothing but note how it was called, and takes some CPU time where n = 8.
cat >"$tmp/program" <<'END'
#!/bin/bash
echo "$*" >>"${0%/*}/calls"
[[ $* != *" -n 8 "* ]] || for ((i = 0; i < 100000; i++)); do :; done
END
chmod +x "$tmp/program"
"$speed" -r -k vecadd data/reference "$tmp/program" >"$tmp/out" || true # the bars are not for it
[[ $(sort -u "$tmp/calls" | wc -l) == 32 ]] || fail "not 32 different runs"
grep -q "^run data/reference/vecadd/launch.cfg .*cores=1 .*l1d.size=16384 .*l2.enabled=false .*warp_scheduler=gto -n 3 " \
    "$tmp/calls" || fail "the row with one core and n = 3 was not run"
grep -q "cores=15 .*l2.enabled=true" "$tmp/calls" || fail "no row was run with the L2"
awk '/ cores n=/ { at = 8 == substr($4, 3); sum[at] += $(NF - 3); rows[at]++ }
     END { exit !(rows[0] + rows[1] == 32 && sum[1] / rows[1] > 5 * sum[0] / rows[0]) }' "$tmp/out" ||
    fail "the seconds are not those of the process: $(cat "$tmp/out")"
awk '$1 == "all" { ok = $2 == 32 && $5 <= $3 && $3 <= $7 } END { exit !ok }' "$tmp/out" ||
    fail "the geometric mean is not between the least and the most"

# Runs that fail are no result.
printf '#!/bin/bash\necho "out of luck" >&2\nexit 1\n' >"$tmp/program"
! "$speed" -k vecadd data/reference "$tmp/program" >"$tmp/out" 2>"$tmp/err" || fail "a failed run was timed"
grep -q "vecadd/launch.cfg failed: out of luck" "$tmp/err" || fail "it does not say why: $(cat "$tmp/err")"
! grep -q faster "$tmp/out" || fail "a failed run was reported"

# The program itself does one row, from its arguments.
"$speed" -k vecadd data/reference "$MDPREDICT" >"$tmp/out" 2>"$tmp/err" || true
[[ ! -s $tmp/err ]] || fail "$(cat "$tmp/err")"
grep -q "geometric mean of rows" "$tmp/out" || fail "no bar is printed"
