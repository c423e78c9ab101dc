#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# CTA schedulers by name: they are listed, and run, search and compare take them.
. tests/cli/lib.bash
small=(-g yen2014 --set l1d.size=8192)

for name in static dyncta lcs online; do
    t 0 list schedulers
    shows "$name"
done
# cycles TARGET OPTION...: nbf loses most of its time by running all CTAs that fit.
cycles() {
    t 0 run "$1" "${small[@]}" --csv "${@:2}"
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "cycles") c = i } NR == 2 { print $c }' "$tmp/out"
}
if [[ ! $sanitized ]]; then # figures
    few=(--set cores=3 --set partition.count=1) # a launch that lasts, for so many cores
    all=$(cycles nbf "${few[@]}")
    online=$(cycles nbf "${few[@]}" --cta-scheduler online)
    late=$(cycles nbf "${few[@]}" --cta-scheduler online --set online.cost=10000000)
    [[ $online -lt $((all * 8 / 10)) ]] || fail "online: $online cycles of $all"
    [[ $late -gt $((online * 13 / 10)) ]] || fail "a decision that comes too late: $late cycles, else $online"
fi
[[ $(cycles nbf --cta-scheduler dyncta) -ne $(cycles nbf) ]] || fail "dyncta changes nothing"
[[ $(cycles nbf -n 1 --cta-scheduler dyncta) == $(cycles nbf -n 1) ]] || fail "there is one degree to choose from"
t 0 search vecadd -g yen2014 --cta-scheduler lcs
target=nbf
[[ ! $sanitized ]] || target=ssc
t 0 compare --cta-schedulers static,online,dyncta,lcs "$target" "${small[@]}"
shows online
t 2 run nbf --cta-scheduler dynta
says dyncta
t 2 run nbf --set online.model=yen2015
says yen2014
exit "$bad"
