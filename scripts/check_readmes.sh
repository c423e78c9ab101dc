#!/bin/bash
# Every room's README has a picture, a line for each file, and fewer than 60 lines. A file is named with
# or without its folder and ending, by a pattern (`cmd_*.c`), or with its folder (`sched/`).
set -euo pipefail
cd "$(dirname "$0")/.."

bad=0
complain() {
    echo "$*"
    bad=1
}

# names README: words that may name files there, a line each.
names() {
    grep -oE '[a-zA-Z_0-9/*]+' "$1" | grep -v '[*][*]' | grep '[a-z]' | sort -u
}

declare -A known
while read -r file; do
    room=${file%/*}
    while [[ ! -f $room/README.md && $room == */* ]]; do room=${room%/*}; done
    readme=$room/README.md
    if [[ ! -f $readme ]]; then
        complain "$file: $room has no README.md"
        continue
    fi
    if [[ -z ${known[$readme]:-} ]]; then
        known[$readme]=$(names "$readme")
        grep -q '^```' "$readme" || complain "$readme: no picture"
        lines=$(wc -l <"$readme")
        ((lines < 60)) || complain "$readme: $lines lines"
    fi
    inside=${file#"$room"/}
    base=${inside##*/}
    base=${base%.*}
    found=0
    while read -r name; do
        # shellcheck disable=SC2053 # names may be patterns
        if [[ $base == ${name##*/} || $name == "${inside%/*}/" ]]; then
            found=1
            break
        fi
    done <<<"${known[$readme]}"
    ((found)) || complain "$readme: nothing on $inside"
done < <(git ls-files --cached --others --exclude-standard '*.c' '*.h' ':!tests' ':!data' ':!docs' ':!include' ':!notebooks')
exit $bad
