# Sourced by the shell tests of the command line: run a command, look at exit code, stdout, stderr.
# shellcheck disable=SC2034 # bad is what the scripts exit with
set -uo pipefail
mdpredict=${MDPREDICT:-./mdpredict}
tools=$(dirname "$mdpredict")/tests/tools
[[ -x $tools/json ]] || tools=build/tests/tools
# Not empty: built with sanitizers (their libraries), several times slower. Such a run looks for wrong accesses: what
# only counts more of the same, or looks at figures once more, a test may leave to the other run; it says so there.
sanitized=$(ldd "$mdpredict" 2>&1 | grep -oE 'lib(a|t|ub)san\.so' | sort -u | xargs)
runtime=$(for name in $sanitized; do "${CC:-gcc}" -print-file-name="$name"; done | paste -sd:)
# fails_in_tsan WHAT: this is a run under ThreadSanitizer, whose own library fails at WHAT, which is told.
fails_in_tsan() {
    [[ $sanitized == *libtsan* ]] || return 1
    echo "NOT RUN: $1: ThreadSanitizer's library fails there"
}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad=0

fail() {
    echo "FAIL: $*"
    bad=1
}

# t CODE ARGS...: runs mdpredict; its output is in $tmp/out and $tmp/err.
t() {
    local want=$1 got
    shift
    timeout "${COMMAND_TIMEOUT:-120}" "$mdpredict" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    got=$?
    [[ $got == "$want" ]] || { fail "mdpredict $*: exit code $got, not $want"; cat "$tmp/err"; }
    # Whatever goes wrong: results on stdout or a message on stderr, never both, never neither; but
    # a run that was stopped, found not all that was asked for, or found races, shows what it had.
    if [[ $want != 0 ]]; then
        [[ -s $tmp/out ]] && ! grep -qE "stopped|missing|[rR]aces" "$tmp/out" && fail "mdpredict $*: failed, yet wrote to stdout"
        [[ -s $tmp/err ]] || fail "mdpredict $*: failed without a message"
    fi
}

# made ARGS...: as t 0, of what is only a test's input: by the same program without sanitizers, where that is built.
made() {
    local mdpredict=$mdpredict plain=build/mdpredict
    [[ ! $sanitized || ! -x $plain || $("$plain" --version) != $("$mdpredict" --version) ]] || mdpredict=$plain
    t 0 "$@"
}

# says TEXT: the last run's stderr holds it; shows TEXT: its stdout does.
says() { grep -qF -- "$1" "$tmp/err" || { fail "stderr does not say: $1"; cat "$tmp/err"; }; }
shows() { grep -qF -- "$1" "$tmp/out" || { fail "stdout does not show: $1"; head -20 "$tmp/out"; }; }
# Nothing on stderr but how far the work is, which a slow machine's log says after a minute.
quiet() {
    ! grep -vqE "^mdpredict: [^ ].*  ([0-9]+ %, [0-9.]+ (s|min|h) left|started [0-9.]+ (s|min|h) ago)(  .*)?$" "$tmp/err" || { fail "stderr is not empty"; cat "$tmp/err"; }
}
# json PATH...: what stands there in the last run's stdout, a line each (tests/tools/json.c).
json() { "$tools/json" "$@" "$tmp/out" || fail "no $*"; }

# on_terminal COLUMNS ARGUMENT...: runs mdpredict on a terminal of so many columns; what stands there is in
# $tmp/out. `script` makes the terminal.
on_terminal() {
    local columns=$1
    shift
    LC_ALL=C.UTF-8 script -qec "stty cols $columns; '$mdpredict' $* 2>/dev/null" /dev/null </dev/null | tr -d '\r' >"$tmp/out"
    [[ -s $tmp/out ]] || fail "$*: nothing on a terminal"
}
# Columns of the widest line of the last run.
widest() { LC_ALL=C.UTF-8 wc -L <"$tmp/out"; }
# fits COLUMNS ARGUMENT...: no line is wider than such a terminal, none ends in blanks; nothing is coloured, so that
# NO_COLOR need not be looked for.
fits() {
    on_terminal "$@"
    [[ $(widest) -le $1 ]] || { cat "$tmp/out"; fail "${*:2}: $(widest) of $1 columns"; }
    ! grep -q $'\033\\[[0-9;]*m' "$tmp/out" || fail "${*:2}: colours, which nothing has"
    ! grep -q ' $' "$tmp/out" || fail "${*:2}: blanks at the end of a line"
}
