#!/bin/bash
# The tables of docs/keys.md that say what `sample --json` prints, from the program's own:
# scripts/keys_table.sh [README] writes them anew between the marks; --check README says whether it would
# change anything.
set -euo pipefail
mdpredict=${MDPREDICT:-./mdpredict}
check=
[[ ${1:-} != --check ]] || { check=yes && shift; }
readme=${1:-docs/keys.md}

# A table for each value of the column "of".
tables() {
    "$mdpredict" list keys --csv | awk "$(<scripts/csv.awk)"'
        function title(of) {
            if (of == "answer") return "Of the whole application"
            if (of == "price") return "What that cost"
            if (of == "sample") return "Of each kernel, or each group of its launches: the sample that models read"
            if (of == "record") return "... and beside it: of what it is, and what it cost"
            if (of == "program") return "Of a program (`sample -- ./app`), beside these: of the whole, and of each kernel"
            if (of == "explain") return "In `explain`, by n"
            if (of == "occupancy") return "In `occupancy`"
            if (of == "statistic") return "Of `run` and `search`, and arrays by n of them in `degrees` of `compare`"
            if (of == "command") return "Of single commands"
            if (of == "other") return "Of other commands"
            return "... of the model `" of "`"
        }
        NR == 1 { next }
        { fields($0) }
        field[5] != of { of = field[5]; printf "\n%s:\n\n| key | unit | meaning |\n| --- | --- | --- |\n", title(of) }
        { printf "| `%s` | %s | %s |\n", field[2], field[3], field[4] }'
    echo
}
new=$(mktemp)
trap 'rm -f "$new"' EXIT
awk '/^<!-- keys: / { print; exit } { print }' "$readme" >"$new"
tables >>"$new"
awk '/^<!-- end of keys -->/ { on = 1 } on { print }' "$readme" >>"$new"
if [[ $check ]]; then
    diff "$readme" "$new" || { echo "$readme: run scripts/keys_table.sh" >&2 && exit 1; }
else
    cat "$new" >"$readme"
fi
