#include "bench/bar.h"

#include <stdbool.h>
#include <stdio.h>

int bar(const char *name, double measured, const char *relation, double wanted, const char *unit)
{
    const bool ok = relation[0] == '<' ? measured <= wanted : measured >= wanted;
    const double scale = *unit == '%' ? 100 : 1;
    printf("%-52s %10.4g %-2s  wanted %s %g%s%s  %s\n", name, measured * scale, unit, relation,
           wanted * scale, *unit ? " " : "", unit, ok ? "ok" : "short");
    return !ok;
}
