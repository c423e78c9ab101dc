#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# The manual pages: one for the program and for each command, with every option of it, and no errors of layout.
. tests/cli/lib.bash
command -v help2man >/dev/null || { echo "NOT RUN: there is no help2man here"; exit 0; }
ln -s "$(realpath "$mdpredict")" "$tmp/mdpredict"
scripts/man.sh "$tmp" 1.2 || fail "man.sh: exit code $?"
grep -q '^.SH "EXIT STATUS"' "$tmp/man/mdpredict.1" || fail "no exit codes"
grep -q 'MDPREDICT_DATA' "$tmp/man/mdpredict.1" || fail "no environment"
commands=$("$mdpredict" --help | sed -n 's/^  \([a-z]*\)  *[^ ].*/\1/p')
[[ $(wc -w <<<"$commands") -ge 14 ]] || fail "commands: $commands"
for c in $commands; do
    page=$tmp/man/mdpredict-$c.1
    grep -q "mdpredict.-$c (1)" "$tmp/man/mdpredict.1" || fail "mdpredict.1 does not name $c"
    grep -q "^mdpredict-$c .. " "$page" || fail "$c: no name"
    for option in $("$mdpredict" help "$c" | sed -n 's/^ \{2,6\}\(-., \)\?--\([a-z0-9-]*\).*/\2/p'); do
        grep -qF -- "${option//-/\\-}" "$page" || fail "$page has no --$option"
    done
done
if command -v man >/dev/null; then
    for page in "$tmp"/man/*.1; do
        warnings=$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings=w -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
        [[ -z $warnings ]] || fail "$(basename "$page"): $warnings"
    done
fi
exit "$bad"
