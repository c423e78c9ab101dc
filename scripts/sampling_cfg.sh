#!/bin/bash
# Prints data/coefficients/sampling.cfg as the program's table has it; `make docs` writes it.
set -euo pipefail
cd "$(dirname "$0")/.."
cat <<'TEXT'
# Made by `make docs` from the table in sampler/sampling.h: the numbers by which sampling goes, read
# whenever something is sampled. `mdpredict list sampling` prints them with what each may be. None is
# fitted. Each was set while looking at pilots of the bundled applications and at CUDA programs by
# others: policies, not properties of an application. The samples of the bundled profile go by these.
TEXT
data=$(mktemp -d) # with none of the rows, so that the table's defaults are printed
trap 'rm -rf "$data"' EXIT
mkdir "$data/coefficients"
: >"$data/coefficients/sampling.cfg"
MDPREDICT_DATA=$data "${MDPREDICT:-./mdpredict}" list sampling --csv | awk "$(<scripts/csv.awk)"'
    { n = fields($0) }
    NR == 1 { for (i = 1; i <= n; i++) at[field[i]] = i; next }
    { split(field[at["name"]], name, ".")
      if (name[1] != group) { if (group) print "};"; print name[1] " = {"; group = name[1] }
      unit = field[at["unit"]]; value = field[at["default"]]
      if (field[at["type"]] == "integer") sub(/\.0$/, "", value)
      printf "    %-12s = %s;  # %s%s\n", name[2], value, unit == "" ? "" : unit ": ", field[at["help"]] }
    END { print "};" }'
