#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# sampler/README.md names every key of sample --json, whatever the model and the options, and no other
# in the first column of its tables.
. tests/cli/lib.bash
readme=sampler/README.md

for model in $("$mdpredict" list models --csv | awk -F, 'NR > 1 { print $2 }'); do
    t 0 sample backprop --model "$model" --explain --ctas 2 --json
    cat "$tmp/out" >>"$tmp/all"
done
grep -oE '"[A-Za-z0-9_]+":' "$tmp/all" | tr -d '":' | sort -u >"$tmp/keys"
[[ $(wc -l <"$tmp/keys") -ge 70 ]] || fail "only $(wc -l <"$tmp/keys") keys were found"
while read -r key; do
    grep -qF "\`$key\`" $readme || fail "$readme does not name $key"
done <"$tmp/keys"
sed -n '/^## What/,$s/^| \(`[^|]*\) |.*/\1/p' $readme | grep -oE '[A-Za-z0-9_]+' | sort -u >"$tmp/named"
comm -13 "$tmp/keys" "$tmp/named" >"$tmp/more"
[[ ! -s $tmp/more ]] || fail "$readme names what sample does not print: $(tr '\n' ' ' <"$tmp/more")"
exit "$bad"
