#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# libcuda.so.1 exports every call that the headers declare, by its name or by _v2 and the like, and
# does not merely say of it that it is not supported.
. tests/cli/lib.bash
. tests/cuda/lib.bash

nm -D --defined-only "$lib/libcuda.so.1" | awk '{ print $3 }' | sed 's/@.*//' | sort -u >"$tmp/names"
grep -oh 'rt_unsupported("cu[^"]*' "${lib%/cuda}/gen/unsupported.c" | cut -d'"' -f2 | sort -u >"$tmp/refused"
[[ $(wc -l <"$tmp/refused") -ge 100 ]] || fail "only $(wc -l <"$tmp/refused") calls are refused"
comm -23 "$tmp/names" "$tmp/refused" | sed 's/_v[0-9]*$//' | sort -u >"$tmp/there"
grep -oh '^CUresult cu[A-Za-z0-9]*' sim/frontend/cuda*.h | cut -d' ' -f2 | sort -u >"$tmp/declared"
[[ $(wc -l <"$tmp/declared") -ge 70 ]] || fail "the headers declare $(wc -l <"$tmp/declared") calls"
comm -13 "$tmp/there" "$tmp/declared" >"$tmp/missing"
[[ ! -s $tmp/missing ]] || fail "not exported: $(tr '\n' ' ' <"$tmp/missing")"

exit "$bad"
