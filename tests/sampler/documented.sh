#!/bin/bash
# shellcheck disable=SC1091,SC2016,SC2154 # lib.bash is sourced and sets variables
# docs/keys.md has the program's own tables of the keys of sample --json. (That `list keys` names
# each that is printed, and no other, is a test of tests/cli/t_json.c.)
. tests/cli/lib.bash

MDPREDICT=$mdpredict scripts/keys_table.sh --check docs/keys.md || fail "the tables of keys are not the program's"
sed 's/^| `chosen_n`.*//' docs/keys.md >"$tmp/README.md"
MDPREDICT=$mdpredict scripts/keys_table.sh --check "$tmp/README.md" >/dev/null 2>&1 && fail "a table that lacks a key passes"
MDPREDICT=$mdpredict scripts/keys_table.sh "$tmp/README.md"
cmp -s docs/keys.md "$tmp/README.md" || fail "writing the tables anew gives others"
[[ $(grep -c '^| `' docs/keys.md) -ge 90 ]] || fail "there are hardly any keys"
exit "$bad"
