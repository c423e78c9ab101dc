#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# Where results go: plain files whole or not at all, with their mode, behind symbolic links; devices,
# FIFOs and descriptors in place; never over an input. What a run that is stopped leaves.
. tests/cli/lib.bash
here=$PWD
[[ $mdpredict == /* ]] || mdpredict=$here/$mdpredict
run=(run vecadd:small -n 2)

# A symbolic link stays one, and what it points to keeps its mode.
echo old >"$tmp/real"; chmod 640 "$tmp/real"
ln -s real "$tmp/link"; ln -s "$tmp/link" "$tmp/chain"
t 0 "${run[@]}" -o "$tmp/chain"; quiet
[[ -L $tmp/chain && -L $tmp/link && -f $tmp/real && ! -L $tmp/real ]] || fail "a link was replaced"
grep -q warp_insts "$tmp/real" || fail "the file behind the links was not written"
[[ $(stat -c %a "$tmp/real") == 640 ]] || fail "the mode was lost"
ln -s nowhere "$tmp/dangling"
t 0 "${run[@]}" -o "$tmp/dangling"; [[ -L $tmp/dangling && -s $tmp/nowhere ]] || fail "a dangling link was replaced"
ln -s loop "$tmp/loop"
t 1 "${run[@]}" -o "$tmp/loop"; says "Too many levels of symbolic links"

# /dev/stdout and descriptors: into what they are, behind what is there already.
{ echo before; "$mdpredict" "${run[@]}" -o /dev/stdout; } >"$tmp/redirected" 2>"$tmp/err"
[[ $(head -1 "$tmp/redirected") == before ]] || fail "/dev/stdout was begun anew"
grep -q warp_insts "$tmp/redirected" || fail "nothing came to /dev/stdout"
[[ -L /dev/stdout ]] || fail "/dev/stdout is no link any more"
"$mdpredict" "${run[@]}" -o /dev/fd/7 7>"$tmp/seven" || fail "/dev/fd/7"
grep -q warp_insts "$tmp/seven" || fail "nothing came to descriptor 7"
"$mdpredict" "${run[@]}" -o /dev/stdout | grep -q warp_insts || fail "/dev/stdout as a pipe"
mkfifo "$tmp/fifo"; cat "$tmp/fifo" >"$tmp/through" &
t 0 "${run[@]}" -o "$tmp/fifo"; wait
grep -q warp_insts "$tmp/through" || fail "nothing came through the FIFO"
t 1 "${run[@]}" -o /dev/full; says "/dev/full: No space left on device"
t 1 "${run[@]}" -o "$tmp"; says "is a folder"

# Never over an input, whatever it is called.
cp tests/data/textures/* "$tmp" 2>/dev/null
for name in "$tmp"/*.cfg "$tmp"/*.ptx; do
    cp "$name" "$tmp/kept"
    t 1 run "$tmp/launch.cfg" -o "$name"; says "is an input of this command"
    cmp -s "$name" "$tmp/kept" || fail "$name was written over"
done
ln -s launch.cfg "$tmp/alias"
t 1 run "$tmp/launch.cfg" -o "$tmp/alias"; says "is an input of this command"
t 0 profile vecadd --samples --db "$tmp/b.db"
t 1 export samples --db "$tmp/b.db" -o "$tmp/b.db"; says "is an input of this command"
t 0 export samples --db "$tmp/b.db"; shows "vecadd"
t 2 run vecadd:small --interval-out "$tmp/x" -o "$tmp/x"; says "--interval-out and -o are the same file"
t 0 trace vecadd:small -o "$tmp/t.trace"
t 1 run "$tmp/t.trace" -o "$tmp/t.trace"; says "is an input of this command"
# What is said of a trace is no part of it.
"$mdpredict" trace vecadd:small -o /dev/stdout 2>"$tmp/err" | cmp -s - "$tmp/t.trace" || fail "another trace on standard output"
says "/dev/stdout: 1 launch"

# A database is a file, whatever its name means to SQLite.
cd "$tmp" || exit 1
t 0 profile vecadd --samples --db :memory:
[[ -s :memory: ]] || fail "the database :memory: is no file"
cd "$here" || exit 1

# A standard output that takes nothing, a limit on the size of files: a message, and nothing left.
for what in --help --version "help run" "list gpus" "run --help"; do
    # shellcheck disable=SC2086
    "$mdpredict" $what >/dev/full 2>"$tmp/err"
    [[ $? == 1 ]] || fail "$what: a full standard output is no error"
    says "No space left on device"
done
mkdir "$tmp/small"
if ! fails_in_tsan "a limit on the size of files"; then
    (ulimit -f 0; "$mdpredict" "${run[@]}" -o "$tmp/small/out") 2>"$tmp/err"
    [[ $? == 1 ]] || fail "a limit on the size of files is no error"
fi
[[ -z $(ls "$tmp/small") ]] || fail "a temporary file is left"

# What was measured until a run was given up or stopped is printed and written; exit code 1.
"$mdpredict" run spmv:small --max-cycles 5000 --json >"$tmp/out" 2>"$tmp/err"
[[ $? == 1 ]] || fail "a run that was given up is no error"
says "--max-cycles"; shows '"stopped": "kernel spmv_jds'; shows '"cycles": 5000,'
"$mdpredict" run spmv:medium --json --interval-out "$tmp/rows" >"$tmp/out" 2>"$tmp/err" &
child=$!
sleep 0.5; kill -TERM $child; wait $child
[[ $? == 1 ]] || fail "a run that was stopped is no error"
says "spmv:medium: stopped by SIGTERM"; shows '"stopped": "spmv:medium: stopped by SIGTERM"'
[[ $(wc -l <"$tmp/rows") -gt 1 ]] || fail "a run that was stopped wrote no intervals"
exit $bad
