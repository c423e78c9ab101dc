#!/bin/bash
# What the manual shows of commands is what they print. In a page's blocks ```console every line that begins with
# "$ " is a command, and what follows it is its output.
#   scripts/transcripts.sh PAGE...          runs the commands, and puts their output in the place of the old one
#   scripts/transcripts.sh --check PAGE...  says where it would change: host seconds and temporary folders apart
# The commands run in an empty folder that has mdpredict and the repository's folders. Without nvcc a command with
# --build is not run.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
mdpredict=$(realpath "${MDPREDICT:-./mdpredict}")
check='' bad=0
[[ ${1:-} != --check ]] || { check=yes && shift; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# An empty folder for a page's commands.
folder() {
    rm -rf "$work/at" && mkdir "$work/at"
    ln -s "$mdpredict" "$work/at/mdpredict"
    for d in data docs scripts python; do
        ln -s "$PWD/$d" "$work/at/$d"
    done
}

can_run() { [[ $1 != *--build* ]] || command -v "${NVCC:-nvcc}" >/dev/null || [[ -x /usr/local/cuda/bin/nvcc ]]; }

# The page on stdin with each command's output anew; a command that is not run keeps what stands there.
renew() {
    local line inside='' keep=yes
    while IFS= read -r line; do
        case $line in
            '```console') inside=yes keep=yes ;;
            '```') inside='' keep=yes ;;
        esac
        if [[ $inside && $line == '$ '* ]]; then
            printf '%s\n' "$line"
            keep=yes
            can_run "$line" || { echo "NOT RUN: no nvcc for: ${line#\$ }" >&2; continue; }
            keep=''
            (cd "$work/at" && bash -c "${line#\$ }" 2>&1 </dev/null; echo $? >"$work/code") | sed 's/[[:space:]]*$//'
            [[ $(<"$work/code") == 0 ]] || echo "exit code $(<"$work/code"): ${line#\$ }" >>"$work/failed"
        elif [[ $keep ]]; then
            printf '%s\n' "$line"
        fi
    done
}

# What depends on the host alone.
masked() {
    sed -E 's/[0-9.e+-]+ s\b/N s/g; s/[0-9.]+ times/N times/g; s|/tmp/[A-Za-z0-9./_-]*mdpredict-[A-Za-z0-9]+/|/tmp/|g' "$1"
}

for page in "$@"; do
    folder
    rm -f "$work/failed"
    renew <"$page" >"$work/page" 2>"$work/notes"
    [[ ! -s $work/failed ]] || { sed "s|^|$page: |" "$work/failed" && bad=1; }
    sort -u "$work/notes"
    if [[ ! $check ]]; then
        cmp -s "$work/page" "$page" || cp "$work/page" "$page"
    elif ! diff <(masked "$page") <(masked "$work/page"); then
        echo "$page: a command prints something else now; run \`make docs\`" && bad=1
    fi
done
exit "$bad"
