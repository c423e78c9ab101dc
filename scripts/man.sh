#!/bin/bash
# Manual pages from what --help says, by help2man: BUILD/man/mdpredict.1, and mdpredict-COMMAND.1 for each command.
#   scripts/man.sh BUILD VERSION
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 version=$2
rm -rf "$build/man"
if ! command -v help2man >/dev/null; then
    echo "man.sh: there is no help2man here: no manual pages are made" >&2
    exit 0
fi
mkdir -p "$build/man"
program=$(realpath "$build/mdpredict")
# help2man runs one word, and names the page after it: the command goes between the program and --help.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
page() { # NAME COMMAND FURTHER-OPTION...
    printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$program" "$2" >"$folder/$1"
    chmod +x "$folder/$1"
    help2man --no-info --section=1 --manual="User commands" --source="mdpredict $version" \
        --version-string="$version" "${@:3}" --output="$build/man/$1.1" "$folder/$1"
}
page mdpredict '' --include=docs/man/mdpredict.h2m
"$program" help | sed -n 's/^  \([a-z]*\)  *[^ ].*/\1/p' >"$build/man/commands"
commands=()
while read -r c; do
    commands+=("$c")
    help=$("$program" help "$c" | sed -n '3s/\.$//p')
    page "mdpredict-$c" "$c" --include=docs/man/command.h2m --name="${help,}"
done <"$build/man/commands"
rm "$build/man/commands"
{
    echo '.SH "SEE ALSO"'
    printf '.BR mdpredict\\-%s (1),\n' "${commands[@]}" | sed '$s/,$//'
} >>"$build/man/mdpredict.1"
