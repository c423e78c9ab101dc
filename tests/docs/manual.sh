#!/bin/bash
# shellcheck disable=SC1091,SC2016,SC2086,SC2154 # lib.bash is sourced and sets variables; names without spaces
# The manual says what is so: generated pages are the program's, links lead somewhere, the README is short.
. tests/cli/lib.bash

# -- generated pages
MDPREDICT=$mdpredict scripts/docs.sh "$tmp/reference" || fail "scripts/docs.sh"
for page in "$tmp"/reference/*; do
    diff "docs/reference/${page##*/}" "$page" || fail "docs/reference/${page##*/} is not the program's: run make docs"
done
[[ $(ls "$tmp/reference") == $'commands.md\nenvironment.md\nnames.md\nparameters.md\nsampling.md' ]] || fail "not five pages"
diff data/coefficients/sampling.cfg <(MDPREDICT=$mdpredict scripts/sampling_cfg.sh) || fail "sampling.cfg is not the program's: run make docs"
[[ $(grep -c '^| `' "$tmp/reference/sampling.md") == $("$mdpredict" list sampling | wc -l) ]] || fail "a row of sampling is missing"
[[ $(grep -c '^| `' "$tmp/reference/parameters.md") == $("$mdpredict" list parameters | wc -l) ]] || fail "a parameter is missing"
grep -q '^| `cores` | integer |  | 1 to 256 | 15 | cores |$' "$tmp/reference/parameters.md" || fail "cores is not as declared"
for command in $("$mdpredict" --help | awk '/^  [a-z]/ { print $1 }'); do
    grep -q "^Usage: mdpredict $command " docs/reference/commands.md || fail "$command is not in the reference"
done
# Every variable of the environment that the sources read is in the list, and no other but nvcc's and what
# programs of users read.
read_by_sources=$(git grep -hoE 'getenv\("[A-Z_]+"' -- '*.c' ':!tests' | sed 's/.*("//; s/"//' | sort -u)
listed=$("$mdpredict" list variables | awk '{ print $1 }' | grep -vE "NVCC_APPEND_FLAGS|MDPREDICT_BLOCK_SIZE" | sort -u)
[[ $read_by_sources == "$listed" ]] || fail "read: ${read_by_sources//$'\n'/ }; listed: ${listed//$'\n'/ }"
t 0 list exit-codes; [[ $(awk 'NF { print $1 }' "$tmp/out" | tr -d '\n') == 012 ]] || fail "not three exit codes"

# -- links: FILE.md -> (target) or (target#heading), as GitHub makes the names of headings
headings() {
    awk '/^```/ { code = !code } !code && /^#/' "$1" | sed -E 's/^#+ +//; s/`//g' | tr '[:upper:]' '[:lower:]' |
        sed -E 's/[^a-z0-9 _-]//g; s/ /-/g'
}
pages=$(git ls-files --cached --others --exclude-standard '*.md')
links=0
while IFS=: read -r page link; do
    link=${link#*](} link=${link%)}
    target=${link%%#*}
    links=$((links + 1))
    [[ $link != http*://* ]] || continue
    file=$page
    [[ ! $target ]] || file=$(dirname "$page")/$target
    [[ -e $file ]] || { fail "$page: no file $target"; continue; }
    [[ $link != *#* || $file != *.md ]] || headings "$file" | grep -qxF "${link#*#}" || fail "$page: no heading ${link#*#} in $file"
done < <(awk '/^```/ { code = !code } FNR == 1 { code = 0 } !code { print FILENAME ":" $0 }' $pages |
    sed -E 's/`[^`]*`//g' | grep -oE '^[^:]*:|\]\([^) ]+\)' | awk '/:$/ && !/^\]/ { page = $0; next } { print page $0 }')
[[ $links -gt 100 ]] || fail "only $links links were found"
for page in docs/*.md docs/reference/*.md; do
    [[ $page == docs/README.md ]] || grep -qF "(${page#docs/})" docs/README.md || fail "docs/README.md does not name ${page#docs/}"
done

# -- length
[[ $(wc -l <README.md) -lt 150 ]] || fail "README.md has $(wc -l <README.md) lines, not under 150"
[[ $(LC_ALL=C.UTF-8 wc -L <README.md) -le 120 ]] || fail "README.md has lines of more than 120 columns"
for readme in $(git ls-files '*/README.md' ':!data' ':!docs'); do
    [[ $(wc -l <"$readme") -lt 60 ]] || fail "$readme has $(wc -l <"$readme") lines, not under 60"
done
exit "$bad"
