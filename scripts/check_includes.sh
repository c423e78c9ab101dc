#!/bin/bash
# Rooms may look down only: a file includes headers of its own room and of those before it in this
# list, and nothing but bench/ those of bench/. Weak symbols, by which a room would call one above it,
# are not allowed. And every header compiles by itself (data/ has headers of CUDA sources, which GCC
# can't read).
set -euo pipefail

rooms=(base include model sim/ptx sim/func sim/mem sim/icnt sim/sm sim/cta sim/gpu sim/frontend
    data/workloads sampler fitter/store fitter/fit fitter/eval program library figure bench cudart cli hw)

git ls-files '*.[chly]' | grep -vE '^(tests|fuzz)/' |
    xargs grep -Hn '^ *# *include *"' | awk -v list="${rooms[*]}" '
    function room(path,    r) {
        for (r = 1; r <= n; r++)
            if (index(path, name[r] "/") == 1)
                return r
        return 0
    }
    BEGIN { n = split(list, name, " ") }
    {
        split($0, part, ":"); file = part[1]
        match($0, /"[^"]*"/); header = substr($0, RSTART + 1, RLENGTH - 2)
        if (!room(file)) { print file ": is in no room"; bad = 1 }
        else if (!room(header)) { print file ":" part[2] ": \"" header "\" is in no room"; bad = 1 }
        else if (room(header) > room(file) || (header ~ /^bench\// && file !~ /^bench\//)) {
            print file ":" part[2] ": " name[room(file)] " must not include " header; bad = 1
        }
    }
    END { exit bad }'

if git grep -nE '__attribute__ *\(\(.*weak|#pragma +weak' -- '*.c' '*.h'; then
    echo "weak symbols: pass what is above a room to it instead" >&2
    exit 1
fi

git ls-files '*.h' ':!data' | xargs -P "$(nproc)" -I{} \
    gcc -std=gnu17 -D_GNU_SOURCE -I. -Wall -Wextra -Wno-unused-function -Werror -fsyntax-only -x c {}
