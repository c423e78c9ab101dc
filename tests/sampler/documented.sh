#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# sampler/README.md names every key of sample --json, and no other in the first column of its tables.
. tests/cli/lib.bash
readme=sampler/README.md

t 0 sample backprop --model queueing --json # which knows its error
grep -oE '"[A-Za-z0-9_]+":' "$tmp/out" | tr -d '":' | sort -u >"$tmp/keys"
[[ $(wc -l <"$tmp/keys") -ge 70 ]] || fail "only $(wc -l <"$tmp/keys") keys were found"
while read -r key; do
    grep -qF "\`$key\`" $readme || fail "$readme does not name $key"
done <"$tmp/keys"
sed -n '/^## What/,$s/^| \(`[^|]*\) |.*/\1/p' $readme | grep -oE '[A-Za-z0-9_]+' | sort -u >"$tmp/named"
comm -13 "$tmp/keys" "$tmp/named" >"$tmp/more"
[[ ! -s $tmp/more ]] || fail "$readme names what sample does not print: $(tr '\n' ' ' <"$tmp/more")"
exit "$bad"
