#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# On a terminal a program's long launch says how far it is, behind what the program has written.
. tests/cli/lib.bash
. tests/cuda/lib.bash

if ! command -v script >/dev/null; then
    echo "NOT RUN: there is no script, which makes a terminal"
    exit 0
fi
"${CC:-gcc}" -g -I. -DPTX='"tests/cuda/long.ptx"' -o "$tmp/long" tests/cuda/long.c "$lib/libcudart.so.13" -L"$lib" -l:libcuda.so.1 ||
    fail "long.c does not compile"
esc=$'\033'
# It has to last longer than the second after which progress is shown: a search of eight degrees with fewer rounds,
# all slower code with fewer still.
for how in run "search -j 1"; do
    rounds=$([[ $how == run ]] && echo 30000 || echo 4000)
    [[ ! $sanitized ]] || rounds=$((rounds / 4))
    script -qec "TERM=xterm '$mdpredict' $how -- '$tmp/long' $rounds" /dev/null </dev/null | tr -d '\r' >"$tmp/out"
    grep -q "^half $esc"'7.*launch 0: long_one  [1-9][0-9]* %, [0-9.]* [a-z]* left.*'"$esc"'8.*'"$esc"'\[Kwhole$' "$tmp/out" ||
        { head -c 2000 "$tmp/out" | cat -v; fail "$how: no progress"; }
    [[ $how == run ]] || continue
    script -qec "TERM=dumb '$mdpredict' $how -- '$tmp/long' $rounds" /dev/null </dev/null | tr -d '\r' >"$tmp/out"
    grep -q "^half whole$" "$tmp/out" || fail "$how: progress on a dumb terminal"
done
t 0 run -- "$tmp/long" $((${#sanitized} ? 1000 : 12000))
quiet; shows "half whole"
exit "$bad"
