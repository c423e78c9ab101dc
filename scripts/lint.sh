#!/bin/bash
# Everything that is checked without running: layout, includes, sizes, cppcheck, shell scripts.
# shellcheck disable=SC2317 # the checks are called by name
set -euo pipefail
cd "$(dirname "$0")/.."

bad=0
step() {
    local name=$1
    shift
    if "$@"; then
        echo "lint: $name ok"
    else
        echo "lint: $name FAILED" >&2
        bad=1
    fi
}

formatted() {
    git ls-files '*.c' '*.h' | xargs -P "$(nproc)" -n 20 clang-format --dry-run -Werror
}
short_enough() { # headers of tables alone (opcodes, statistics) are lists, not text to read
    git ls-files '*.c' '*.h' '*.l' '*.y' | grep -v '^tests/' | xargs wc -l |
        awk '$2 != "total" && $1 > 600 { print $2 ": " $1 " lines, at most 600"; bad = 1 } END { exit bad }'
}
cppchecked() {
    mkdir -p build/cppcheck
    git ls-files '*.c' | grep -v '^tests/' |
        cppcheck -q -j "$(nproc)" --std=c11 --cppcheck-build-dir=build/cppcheck --error-exitcode=1 \
            --enable=warning,performance,portability --inline-suppr \
            --suppressions-list=scripts/cppcheck.supp --file-list=- -I. -D_GNU_SOURCE
}
shell_checked() {
    ! command -v shellcheck >/dev/null || git ls-files 'scripts/*.sh' 'tests/*.sh' 'tests/*.bash' .ci/run |
        xargs shellcheck -e SC1091 -e SC2034 # what tests source, they use
}

step "clang-format" formatted
step "includes" scripts/check_includes.sh
step "readmes" scripts/check_readmes.sh
step "file sizes" short_enough
step "cppcheck" cppchecked
step "shell scripts" shell_checked
exit $bad
