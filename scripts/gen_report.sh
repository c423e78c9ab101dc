#!/bin/sh
# Writes, as C, the parts of a page in their order (cli/page.h): scripts/gen_report.sh FILE... >report.c
# What a FILE is its name says: head.html, *.css, body.html, *.js, LICENSE.*. Each is embedded as it is.
set -eu

echo '#include "cli/page.h"'
i=0
for f in "$@"; do
    case $f in
    *.js) kind=SCRIPT ;;
    *.css) kind=STYLE ;;
    */LICENSE.*) kind=LICENCE ;;
    *head.html) kind=HEAD ;;
    *) kind=BODY ;;
    esac
    if [ $kind = SCRIPT ] && grep -qi -e '</script' -e '<!--' "$f"; then
        echo "$f: would end the element that it stands in" >&2
        exit 1
    fi
    printf '\n__asm__(".pushsection .rodata\\n"\n'
    printf '        "page_part_%d: .incbin \\"%s\\"\\n"\n' $i "$f"
    printf '        ".byte 0\\n"\n        ".popsection\\n");\n'
    printf 'extern const char page_part_%d[] __attribute__((visibility("hidden")));\n' $i
    rows="${rows-}    {PAGE_$kind, \"$f\", page_part_$i},
"
    i=$((i + 1))
done
printf '\nconst struct page_part page_parts[] = {\n%s    {.name = NULL},\n};\n' "$rows"
