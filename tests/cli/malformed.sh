#!/bin/bash
# shellcheck disable=SC1091,SC2154,SC2086 # lib.bash is sourced and sets variables; commands are words
# Wrong inputs of each kind: one clear error with its place, exit code 1; never a crash or a hang.
. tests/cli/lib.bash

cat >"$tmp/good.ptx" <<'PTX'
.version 6.4
.target sm_35
.address_size 64
.visible .entry fill(.param .u64 p)
{
    .reg .b32 %r<6>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [p];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mad.lo.s32 %r4, %r2, %r3, %r1;
    mul.wide.s32 %rd2, %r4, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r4;
    ret;
}
PTX
# launch PTX BUFFER_BYTES [MORE]: writes $tmp/launch.cfg
launch() {
    cat >"$tmp/launch.cfg" <<CFG
module = "$1";
buffers = ( { name = "out"; bytes = $2; zero = true; } );
launches = ( { kernel = "fill"; grid = [4, 1, 1]; block = [64, 1, 1]; args = ( { buffer = "out"; } ); } );
${3:-}
CFG
}
# try WHAT TEXT: every command that executes fails with exit code 1 and says TEXT.
try() {
    local command
    for command in "run --functional" run sample search compare; do
        t 1 $command "$tmp/launch.cfg"
        says "$2"
        [[ $(wc -l <"$tmp/err") -le 6 ]] || fail "$1, $command: more than one error"
    done
}

launch good.ptx 1024
t 0 run "$tmp/launch.cfg"; quiet
t 0 compare "$tmp/launch.cfg"; quiet

# A check that fails: buffer, index, expected, found.
head -c 1024 /dev/zero >"$tmp/zero.bin"
launch good.ptx 1024 'checks = ( { buffer = "out"; file = "zero.bin"; type = "s32"; tolerance = 0.0; } );'
t 1 run "$tmp/launch.cfg"; says "out"; says "1"

# A kernel that goes wrong: kernel, line, CTA, thread, address.
launch good.ptx 512
try "out of bounds" "good.ptx:15"
says "fill"; says "0x80000200"
sed 's/%r4, 4;/%r4, 3;/' "$tmp/good.ptx" >"$tmp/misaligned.ptx"
launch misaligned.ptx 1024
try "misaligned" "misaligned.ptx:15"
sed 's/    ret;/L:  bra L;/' "$tmp/good.ptx" >"$tmp/loop.ptx"
launch loop.ptx 1024
for command in run "run --functional" search sample compare; do
    t 1 $command "$tmp/launch.cfg" --max-cycles 20000; says "fill"
done

# PTX: file, line, column, the line with a caret.
sed 's/mov.u32 %r1, %tid.x;/mov.u32 %r1 %tid.x;/' "$tmp/good.ptx" >"$tmp/syntax.ptx"
launch syntax.ptx 1024
try "PTX syntax" "syntax.ptx:9"; says "^"
sed 's/mad.lo/frob.lo/' "$tmp/good.ptx" >"$tmp/opcode.ptx"
launch opcode.ptx 1024
try "unknown opcode" "opcode.ptx:12"
launch nosuch.ptx 1024
try "no PTX" "nosuch.ptx"

# Launch files: file and line.
launch good.ptx 1024 'frob = 3;'
try "unknown key" "launch.cfg:4"
launch good.ptx '"many"'
try "wrong type" "launch.cfg:2"
launch good.ptx 1024; sed -i 's/"fill"/"fil"/' "$tmp/launch.cfg"
try "no such kernel" "fil"
launch good.ptx 1024; sed -i 's/grid = \[4/grid = [0/' "$tmp/launch.cfg"
try "empty grid" "launch.cfg:3"
launch good.ptx 1024; sed -i 's/block = \[64/block = [2048/' "$tmp/launch.cfg"
try "huge block" "2048"
echo 'module = ' >"$tmp/launch.cfg"
try "syntax" "launch.cfg:"

# GPU configurations: file and line; contradictions.
launch good.ptx 1024
echo 'corse = 3;' >"$tmp/gpu.cfg"
t 1 run "$tmp/launch.cfg" -g "$tmp/gpu.cfg"; says "gpu.cfg:1"; says "cores"
echo 'cores = "x";' >"$tmp/gpu.cfg"
t 1 run "$tmp/launch.cfg" -g "$tmp/gpu.cfg"; says "gpu.cfg:1"
echo 'l1d : { size = 1000; };' >"$tmp/gpu.cfg"
t 1 run "$tmp/launch.cfg" -g "$tmp/gpu.cfg"; says "gpu.cfg: l1d"
t 1 run "$tmp/launch.cfg" -g "$tmp"
t 1 run "$tmp/launch.cfg" --set max_threads=32; says "threads"

exit "$bad"
