#!/bin/bash
# What the manual has from the program: scripts/docs.sh writes the pages of docs/reference/ and the tables of
# docs/keys.md, data/schema.json and data/coefficients/sampling.cfg anew, from the program's own tables, and what the pages show of commands
# (scripts/transcripts.sh).
# scripts/docs.sh FOLDER writes the reference pages there, and nothing else.
# shellcheck disable=SC2016 # what is in single quotes is awk's, or Markdown
set -euo pipefail
cd "$(dirname "$0")/.."
mdpredict=${MDPREDICT:-./mdpredict}
pages=${1:-docs/reference}
mkdir -p "$pages"

head_of() {
    printf '# %s\n\nMade by `make docs` from the program'"'"'s own tables; do not edit.\n' "$1"
}

# table TOPIC COLUMN=HEADING...: a table of what `list TOPIC --csv` prints, those columns of it.
table() {
    local topic=$1
    shift
    "$mdpredict" list "$topic" --csv | awk "$(<scripts/csv.awk)"'
        BEGIN { for (i = 1; i < ARGC; i++) { eq = index(ARGV[i], "="); want[i] = substr(ARGV[i], 1, eq - 1)
                    head = head " " substr(ARGV[i], eq + 1) " |"; rule = rule " --- |" }
                columns = ARGC; ARGC = 1 }
        { n = fields($0) }
        NR > 1 { for (i = 1; i <= n; i++) sub(/\.0$/, "", field[i]) }
        NR == 1 { for (i = 1; i <= n; i++) at[field[i]] = i; printf "\n|%s\n|%s\n", head, rule; next }
        { line = "|"
          for (i = 1; i < columns; i++) {
              if (want[i] == "range") v = field[at["lowest"]] == "" ? field[at["choices"]] : field[at["lowest"]] " to " field[at["highest"]]
              else v = field[at[want[i]]]
              line = line " " (i == 1 ? "`" v "`" : v) " |"
          }
          if (line != before) print line
          before = line }' "$@"
}

commands() {
    head_of "Commands and options"
    printf '\n`mdpredict COMMAND --help` prints each of these.\n\n```\n'
    "$mdpredict" --help
    printf '```\n'
    for c in $("$mdpredict" --help | awk '/^  [a-z]/ { print $1 }'); do
        printf '\n## %s\n\n```\n' "$c"
        "$mdpredict" "$c" --help
        printf '```\n'
    done
}

parameters() {
    head_of "Parameters of a GPU"
    printf '\n`--set NAME=VALUE` changes one; a GPU file sets those that are not at their default\n'
    printf '([describe a GPU](../gpus.md)). `mdpredict list parameters -g GPU` prints the values of a GPU.\n'
    table parameters name=parameter type=type unit=unit range=allowed default=default help=meaning
}

sampling() {
    head_of "Sampling"
    printf '\nThe numbers by which sampling goes: what counts as alike, how much of a launch is simulated, what is taken\n'
    printf 'for steady. They are read from `data/coefficients/sampling.cfg`: to try others, change a copy of the data folder\n'
    printf 'and name that in MDPREDICT_DATA. None is fitted.\n'
    table sampling name=name type=type unit=unit range=allowed default=default help=meaning
}

names() {
    head_of "Names: GPUs, models, efforts, schedulers, workloads"
    printf '\nWhat `-g`, `--model`, `--effort`, `--warp-scheduler`, `--cta-scheduler` and TARGET may be.\n'
    printf '\n## GPUs\n' && table gpus name=name help="what it is"
    printf '\n## Models\n' && table models name=name help="how it predicts"
    printf '\nCoefficients: `data/coefficients/NAME.cfg`. How they work: [explanation](../explanation.md).\n'
    printf '\n## Efforts\n' && table efforts name=name value= help="what it does"
    printf '\n## Schedulers\n' && table schedulers name=name value=kind help="what it does (paper)"
    printf '\n[schedulers.md](../schedulers.md) explains each, with its parameters.\n'
    printf '\n## Workloads\n' && table workloads name=name suite=suites value=sizes options="further options" help="what it computes"
    printf '\n[data/workloads/](../../data/workloads/README.md) says what each gains from fewer CTAs.\n'
}

environment() {
    head_of "Exit codes and environment variables"
    table exit-codes name=code help=meaning
    table variables name=variable help=meaning
}

for page in commands parameters sampling names environment; do
    $page >"$pages/$page.md.tmp" && mv "$pages/$page.md.tmp" "$pages/$page.md"
done
if [[ $# == 0 ]]; then
    export MDPREDICT=$mdpredict
    scripts/keys_table.sh
    scripts/sampling_cfg.sh >"$pages/sampling.cfg.tmp" && mv "$pages/sampling.cfg.tmp" data/coefficients/sampling.cfg
    scripts/schema.py "$mdpredict"
    grep -l '^```console' docs/*.md README.md | xargs -r scripts/transcripts.sh
fi
