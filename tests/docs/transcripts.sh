#!/bin/bash
# shellcheck disable=SC1091,SC2016,SC2154 # lib.bash is sourced and sets variables; what is quoted is Markdown
# What the manual shows of commands is what they print (scripts/transcripts.sh), but for host seconds.
. tests/cli/lib.bash
. tests/cuda/lib.bash

nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
if [[ -x $nvcc ]]; then
    printf '#!/bin/sh\nunset LD_PRELOAD\nexec "%s" "$@"\n' "$nvcc" >"$tmp/nvcc" # no sanitizer in the compiler
    chmod +x "$tmp/nvcc"
    export NVCC=$tmp/nvcc
fi
pages=$(grep -l '^```console' docs/*.md README.md)
[[ $pages == *tutorial.md* ]] || fail "the tutorial shows no command"
[[ ! $sanitized ]] || pages=README.md # the same figures: the other run reads every page
# shellcheck disable=SC2086 # a list of words
MDPREDICT=$mdpredict scripts/transcripts.sh --check $pages || fail "the manual shows something else"
# A page that shows other figures, or a command that fails, is found.
printf '```console\n$ ./mdpredict list efforts | head -1\n  window    simulates nothing\n```\n' >"$tmp/wrong.md"
MDPREDICT=$mdpredict scripts/transcripts.sh --check "$tmp/wrong.md" >/dev/null && fail "a wrong output passes"
printf '```console\n$ ./mdpredict run none\n```\n' >"$tmp/fails.md"
MDPREDICT=$mdpredict scripts/transcripts.sh --check "$tmp/fails.md" >"$tmp/out" && fail "a command that fails passes"
shows "exit code 1: ./mdpredict run none"
MDPREDICT=$mdpredict scripts/transcripts.sh "$tmp/wrong.md" || fail "transcripts.sh"
grep -q "window .*one CTA" "$tmp/wrong.md" || fail "the output is not put right"
exit "$bad"
