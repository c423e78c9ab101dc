#!/bin/bash
# shellcheck disable=SC1091,SC2154,SC2086 # lib.bash is sourced and sets variables; commands are words
# Commands, options and exit codes: 0 done, 2 usage, 1 anything else.
. tests/cli/lib.bash

t 0 --help; shows "compare"; quiet
t 0 help; shows "compare"
t 0 --version; shows "mdpredict"
t 0 version; shows "mdpredict"
for c in list run search sample compare trace disasm; do
    t 0 $c --help; shows "Usage: mdpredict $c"; quiet
    t 0 --$c --help; shows "Usage: mdpredict $c"
done

t 2; says "COMMAND"
t 2 runn; says "run"
t 2 --runn vecadd; says "run"
t 2 --json
t 2 run
t 2 run vecadd extra; says "extra"
t 2 run vecadd --jsn; says "json"
t 2 run vecadd -n 0
t 2 run vecadd -n x
t 2 run vecadd -n
t 2 run vecadd -j 2; says "-j"
t 2 run vecadd --json --csv
t 2 run vecadd --interval 1000; says "--interval-out"
t 2 run vecadd --interval 0 --interval-out x
t 2 run vecadd --interval-out -
t 2 run vecadd --functional --interval-out x; says "functional"
t 2 run vecadd --per-core; says "json"
t 2 search vecadd --per-core
t 2 run vecadd --set
t 2 run vecadd --set corse=3; says "cores"
t 2 run vecadd --set cores=0
t 2 run vecadd --set cores=many
t 2 run vecadd --set cores
t 2 run vecadd --set warp_scheduler=magic
t 2 run vecadd --max-cycles -4
t 2 sample vecadd --model oracle; says "models"
t 2 sample vecadd --model segmentd; says "did you mean segmented?"
t 2 sample vecadd --effort quik; says "did you mean quick?"
t 2 sample vecadd --efort quick; says "did you mean --effort?"
t 2 run vecadd --effort quick; says "run does not take --effort"
t 2 sample vecadd --refine 1; says "unknown option --refine"
t 0 list efforts; shows "thorough"; shows "default"
t 0 run vecadd --set l1d.size=32KB --functional; quiet
t 2 list gpsu; says "gpus"
t 1 run vecad; says "vecadd"
t 1 run vecadd:huge; says "huge"
t 1 run vecadd -g nosuch; says "nosuch"
t 1 run /nonexistent/launch.cfg
t 1 sample vecadd --cta 1000000; says "1000000"
t 1 run vecadd --max-cycles 10; says "vecadd"

t 0 list; shows "vecadd"; shows "yen2014"; shows "gto"; quiet
t 0 list parameters --set cores=3; shows "l1d.size"; shows "warp_scheduler"
grep -Eq '^ *cores +3 ' "$tmp/out" || fail "list parameters does not show cores = 3"
t 0 list workloads; shows "matmul_tiled"; shows "memory-intensive"; quiet
# 256 threads of 29 to 32 registers: 32768 / (256 * 32) = 4 CTAs; 2 x 16 x 16 floats: 2048 bytes
grep -Eq 'matmul_tiled +256 +(29|3[012]) +2048 +4 +registers' "$tmp/out" || fail "matmul's row"
t 0 list workloads --csv; shows "topic,name,value,help,suite,class,options,kernel,threads,registers,shared_bytes,n_max,limit"
t 0 list workloads --json; shows '"shared_bytes": 2048'; shows '"vecadd"'
t 0 list workloads --set max_ctas=1 --csv; shows ',1,CTA slots'
# A suite has exactly the workloads that name it, and each has some; one may be in several.
suites=(Kayiran Park Awatramani Yen modern classic)
[[ ! $sanitized ]] || suites=(Awatramani) # more of the same
for suite in "${suites[@]}"; do
    t 0 list workloads --csv --suite "${suite,,}"
    awk -F, 'NR > 1 { print $2 }' "$tmp/out" | sort -u >"$tmp/suite"
    { grep -El "^ *\.suite = .*\b$suite\b" data/workloads/*/*.c || true; } |
        sed 's|.*/||; s|\.c$||' | sort | cmp -s - "$tmp/suite" || fail "suite $suite"
    [[ -s $tmp/suite ]] || fail "suite $suite is empty"
done
t 2 list workloads --suite ken; says 'no workload is in a suite "ken"; suites: Kayiran, Park, Awatramani, Yen, modern, classic'
t 2 list gpus --suite yen; says "--suite goes with "
t 2 compare --suite yen nbf; says "name TARGETs or a --suite"
t 2 compare --suite ye; says 'no workload is in a suite "ye"'
t 2 compare; says "compare wants TARGET..., --suite NAME or --all"
t 2 compare --size big vecadd; says "'vecadd' has no size 'big'"
t 2 compare --size medium vecadd:small; says '--size is for bundled workloads that name none, not for "vecadd:small"'
t 2 profile --suite yen nbf; says "name workloads or a --suite"
t 2 profile --suite ye; says 'no workload is in a suite "ye"'
[[ $sanitized ]] || { t 0 compare --size medium vecadd --effort window --csv; shows "vecadd:medium"; } # half a million instructions
t 0 list models --json; shows '"yen2014"'
t 0 list gpus --csv; shows "topic,name,value,help"
t 0 disasm vecadd; shows "ld.global"; quiet

exit "$bad"
