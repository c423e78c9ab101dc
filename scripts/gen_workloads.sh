#!/bin/sh
# Writes the list of bundled workloads as C: scripts/gen_workloads.sh NAME... >workloads.c
# Each NAME is a folder data/workloads/NAME with NAME.c (defines workload_NAME) and NAME.ptx, whose
# text becomes workload_NAME_ptx.
set -eu

echo '#include "sim/frontend/workload.h"'
for w in "$@"; do
    printf '\n__asm__(".pushsection .rodata\\n"\n'
    printf '        ".global workload_%s_ptx\\n"\n' "$w"
    printf '        "workload_%s_ptx: .incbin \\"data/workloads/%s/%s.ptx\\"\\n"\n' "$w" "$w" "$w"
    printf '        ".byte 0\\n"\n        ".popsection\\n");\n'
    printf 'extern const struct workload workload_%s;\n' "$w"
done
printf '\nconst struct workload *const workloads[] = {\n'
for w in "$@"; do
    printf '    &workload_%s,\n' "$w"
done
printf '    NULL,\n};\n'
