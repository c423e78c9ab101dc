#!/bin/bash
# shellcheck disable=SC1091,SC2154,SC2034 # lib.bash is sourced and sets variables; the script reads COMP_*
# Completion, as bash runs it: the script's function gets the words, COMPREPLY is looked at. zsh and fish read their
# scripts where they are there; fish completes as well.
. tests/cli/lib.bash
t 2 completion; says "completion wants SHELL"
t 2 completion bsh; says "did you mean bash, zsh or fish?"
"$mdpredict" completion bash >"$tmp/bash" || fail "no script for bash"
# shellcheck disable=SC1090,SC1091 # made here
. "$tmp/bash"

# offers "WORDS" NAME...: with the cursor behind the last of WORDS (a blank behind it: a new word) each NAME is
# offered; +NAME: nothing else is; !NAME: it is not.
offers() {
    local name
    read -r -a COMP_WORDS <<<"${1//=/ = }"
    [[ $1 != *" " ]] || COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    COMPREPLY=()
    _mdpredict 2>/dev/null
    printf '%s\n' "${COMPREPLY[@]}" | sed 's/ *$//' >"$tmp/reply"
    for name in "${@:2}"; do
        case $name in
        !*) ! grep -qxF -- "${name#!}" "$tmp/reply" || fail "\"$1\" offers ${name#!}" ;;
        +*) [[ $(<"$tmp/reply") == "${name#+}" ]] || fail "\"$1\" offers $(tr '\n' ' ' <"$tmp/reply"), not $name" ;;
        *) grep -qxF -- "$name" "$tmp/reply" || fail "\"$1\" does not offer $name" ;;
        esac
    done
}
offers "mdpredict " run search sample compare list help version completion
offers "mdpredict sam" +sample
offers "mdpredict help sea" +search
offers "mdpredict run --" --gpu --interval-out --help !--effort
offers "mdpredict sample --eff" +--effort
offers "mdpredict sample --effort " quick thorough window !vecadd
offers "mdpredict sample --effort=th" +thorough
offers "mdpredict run -g park" +park2015
offers "mdpredict run --gpu=park" +park2015
offers "mdpredict run --set l1d.siz" +l1d.size=
offers "mdpredict run --set dram.scheduler=" fcfs frfcfs
offers "mdpredict run --warp-scheduler " gto lrr two-level
offers "mdpredict run --set warp_scheduler=cc" +ccws
offers "mdpredict run --cta-scheduler dync" +dyncta
offers "mdpredict sample --model boot" "+"
offers "mdpredict sample --model bott" +bottleneck
offers "mdpredict compare --suite K" +Kayiran
offers "mdpredict compare --size me" +medium
offers "mdpredict fit --method dog" +dogleg
offers "mdpredict run --order re" +renumbered
offers "mdpredict list para" +parameters
offers "mdpredict export " runs samples prices
offers "mdpredict completion f" +fish
offers "mdpredict run vecad" +vecadd
touch "$tmp/gpu.cfg" "$tmp/tool" && chmod +x "$tmp/tool"
offers "mdpredict run -g $tmp/gp" "+$tmp/gpu.cfg"
offers "mdpredict run $tmp/gp" "+$tmp/gpu.cfg"
offers "mdpredict run -n 3 -- $tmp/to" "$tmp/tool"
offers "mdpredict run -- ./app $tmp/gp" "+$tmp/gpu.cfg"

# Every option of every command is offered, and no word that the command does not take.
for c in $("$mdpredict" help | sed -n 's/^  \([a-z]*\)  *[^ ].*/\1/p'); do
    "$mdpredict" help "$c" | sed -n 's/^ \{2,6\}\(-., \)\?--\([a-z0-9-]*\).*/--\2/p' | sort -u >"$tmp/takes"
    offers "mdpredict $c --"
    sort -u "$tmp/reply" | diff "$tmp/takes" - >"$tmp/diff" || fail "$c: $(<"$tmp/diff")"
done

for shell in zsh fish; do
    "$mdpredict" completion $shell >"$tmp/$shell" || fail "no script for $shell"
    ! command -v $shell >/dev/null || $shell -n "$tmp/$shell" || fail "$shell does not read its script"
done
if command -v fish >/dev/null; then
    export HOME=$tmp
    got=$(fish -c "source $tmp/fish; complete -C 'mdpredict sample --effort th'" | cut -f1)
    [[ $got == thorough ]] || fail "fish offers $got"
fi
exit "$bad"
