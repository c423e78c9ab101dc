#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# GPU files that include others: relative to themselves, their own settings last; errors name the file that is wrong.
. tests/cli/lib.bash
mkdir -p "$tmp/a/b"
value() { t 0 list parameters -g "$1" --csv; grep "^parameters,$2," "$tmp/out" | cut -d, -f3; }

cat >"$tmp/a/base.cfg" <<'CFG'
name = "base";
cores = 7;
l1d: { size = 32768; ways = 8; };
CFG
printf '@include "../base.cfg" # the rest as there\n\nl1d: { size = 65536; };\n' >"$tmp/a/b/big.cfg"
printf '/* two of them */ @include "b/big.cfg"\n@include "last.cfg"\ncluster_size = 1;\n' >"$tmp/a/both.cfg"
echo 'cores = 9;' >"$tmp/a/last.cfg"
[[ $(value "$tmp/a/b/big.cfg" cores) == 7 ]] || fail "cores of the included file"
[[ $(value "$tmp/a/b/big.cfg" l1d.size) == 65536 ]] || fail "a setting of the file itself"
[[ $(value "$tmp/a/b/big.cfg" l1d.ways) == 8 ]] || fail "another setting of that group"
[[ $(value "$tmp/a/both.cfg" cores) == 9 ]] || fail "of two files the later one holds"
[[ $(value "$tmp/a/both.cfg" l1d.size) == 65536 ]] || fail "a file that is included by one that is"
(cd "$tmp/a" && "$(realpath "$OLDPWD/$mdpredict" 2>/dev/null || realpath "$mdpredict")" list parameters -g both.cfg >/dev/null) ||
    fail "a file named without a folder"

# wrong TEXT PLACE MESSAGE: both files' errors
wrong() {
    printf '%s' "$1" >"$tmp/a/wrong.cfg"
    t 1 list parameters -g "$tmp/a/wrong.cfg"
    says "$tmp/a/$2"
    says "$3"
}
wrong $'\n@include "nosuch.cfg"\n' "wrong.cfg:2: @include" "No such file"
wrong $'cores = 3;\n@include "base.cfg"\n' "wrong.cfg:2: " "before all settings"
wrong $'@include base.cfg\n' "wrong.cfg:1: " "between quotes"
wrong $'@include "base.cfg\n"' "wrong.cfg:1: " "between quotes"
wrong $'@include ""\n' "wrong.cfg:1: " "between quotes"
wrong $'@insert "base.cfg"\n' "wrong.cfg:1: " "no directive"
wrong $'@include "wrong.cfg"\n' "wrong.cfg:1: " "include itself"
wrong $'@include "b"\n' "b" "directory"
printf '\n\ncores = 1000;\n' >"$tmp/a/range.cfg"
wrong $'@include "range.cfg"\n' "range.cfg:3: " "1..256"
printf '\nkores = 1;\n' >"$tmp/a/unknown.cfg"
wrong $'@include "unknown.cfg"\ncores = 3;\n' "unknown.cfg:2: " "cores"
wrong $'@include "base.cfg"\n\nl1d: { sise = 3; };\n' "wrong.cfg:3: " "size"

# Other files include nothing.
printf '@include "x.cfg"\n' >"$tmp/launch.cfg"
t 1 run "$tmp/launch.cfg"; says "launch.cfg:1: @include"
exit "$bad"
