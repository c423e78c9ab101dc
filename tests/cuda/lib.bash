# Sourced after lib.bash of tests/cli: where the CUDA library is, and what it needs around it.
# shellcheck disable=SC2034,SC2154 # those who source this use them and set others
lib=$(dirname "$mdpredict")/cuda
[[ -e $lib/libcudart.so.13 ]] || lib=build/cuda
# Built with sanitizers: their runtime has to come first in the user's program, too, which was built
# without; what the program never frees is its own affair.
if [[ $sanitized ]]; then
    cat >"$tmp/mdpredict" <<END
#!/bin/sh
export ASAN_OPTIONS=detect_leaks=0:handle_segv=0:handle_abort=0
export TSAN_OPTIONS=handle_segv=0:handle_abort=0
export LD_PRELOAD=$runtime
exec "$(realpath "$mdpredict")" "\$@"
END
    chmod +x "$tmp/mdpredict"
    mdpredict=$tmp/mdpredict
fi
