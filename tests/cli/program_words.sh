#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# A program, a script or source where a TARGET is wanted: the message says what to type. --build.
. tests/cli/lib.bash
. tests/cuda/lib.bash

printf '#!/bin/sh\necho hello\n' >"$tmp/script"
chmod +x "$tmp/script"
echo 'print("hello")' >"$tmp/x.py"
cat >"$tmp/app.cu" <<'END'
#include <cstdio>
__global__ void twice(int *x) { *x *= 2; }
int main(int argc, char **argv)
{
    int *d, h = 21;
    cudaMalloc(&d, 4);
    cudaMemcpy(d, &h, 4, cudaMemcpyHostToDevice);
    twice<<<1, 1>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("%d %s passed\n", h, argc > 1 ? argv[1] : "");
}
END
for command in run sample search compare; do
    t 2 $command "$tmp/script"; says "$tmp/script is a program, which stands after --; type: mdpredict $command -- $tmp/script"
    t 2 $command "$tmp/x.py" 8; says "type: mdpredict $command -- python3 $tmp/x.py 8"
    t 2 $command "$tmp/app.cu"; says "type: mdpredict $command --build $tmp/app.cu"
done
t 2 run "$mdpredict" list a b; says "which stands after --; type: mdpredict run -- "; says " list a b"
t 2 run sh -- x; says "name a TARGET or, after --, a program"
t 2 run sh script; says "type: mdpredict run -- sh script"
(cd "$tmp" && "$(realpath "$OLDPWD/$mdpredict" 2>/dev/null || realpath "$mdpredict")" run script 2>err)
says "type: mdpredict run -- ./script"
t 2 run -- "$tmp/x.py"; says "type: mdpredict run -- python3 $tmp/x.py"
t 2 run -- "$tmp/app.cu" 5; says "type: mdpredict run --build $tmp/app.cu 5"
t 0 run vecadd # a bundled workload, whatever PATH has

t 2 run --build; says "--build wants a CUDA source file"
t 1 run --build "$tmp/none.cu"; says "none.cu: No such file"
printf '#!/bin/sh\nexit 3\n' >"$tmp/bad"
chmod +x "$tmp/bad"
NVCC=$tmp/bad t 1 run --build "$tmp/app.cu"; says "$tmp/bad could not compile it"
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
if [[ -x $nvcc ]] && fails_in_tsan "nvcc"; then
    :
elif [[ -x $nvcc ]]; then
    export TMPDIR=$tmp/build
    mkdir "$TMPDIR"
    printf '#!/bin/sh\nunset LD_PRELOAD\nexec "%s" "$@"\n' "$nvcc" >"$tmp/nvcc" # no sanitizer in the compiler
    chmod +x "$tmp/nvcc"
    export NVCC=$tmp/nvcc
    t 0 run --build "$tmp/app.cu"; shows "42  passed"; shows "twice [1x1x1]"; shows "$tmp/app.cu on yen2014: 1 launch of 1 kernel,"
    t 0 sample --build -- "$tmp/app.cu" -v; shows "42 -v passed"
    [[ -z $(ls "$TMPDIR") ]] || fail "the program is left behind"
else
    echo "NOT RUN: there is no nvcc"
fi
exit "$bad"
