#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# The warp scheduler that CONTRIBUTING.md shows compiles as it is printed, and decides as it is said to.
. tests/cli/lib.bash

awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' CONTRIBUTING.md >"$tmp/lri.c"
[[ $(grep -c . "$tmp/lri.c") -le 34 ]] || fail "the example is longer than a policy of 30 lines"
cat >"$tmp/main.c" <<'C'
#include "lri.c"
#include <stdio.h>
static int used; /* of 4 MSHRs */
int l1_mshrs(const struct l1_cache *c) { (void)c; return 4; }
int l1_mshrs_used(const struct l1_cache *c) { (void)c; return used; }
static int bad;
static void is(const char *what, uint64_t got, uint64_t want)
{
    if (got != want)
        bad |= printf("%s: %llx, not %llx\n", what, (unsigned long long)got, (unsigned long long)want);
}
int main(void)
{
    struct lri st = {{0}};
    static const uint64_t age[MAX_WARPS] = {3, 1, 2};
    struct warp_sets set = {.resident = 7};
    struct sched_view v = {.owned = 7, .age = age, .set = &set, .l1d = (const struct l1_cache *)&st};
    const struct warp_scheduler_ops *o = &warp_scheduler_lri;
    bool again = false;
    is("never issued: the oldest", (uint64_t)o->pick(&st, &v, 7), 1);
    for (v.now = 10; v.now < 12; v.now++)
        o->issued(&st, &v, (int)v.now - 9, NULL); /* 1 at 10, 2 at 11 */
    is("never issued goes first", (uint64_t)o->pick(&st, &v, 7), 0);
    is("then the one that issued earlier", (uint64_t)o->pick(&st, &v, 6), 1);
    o->launch(&st, &v);
    is("a launch begins anew", (uint64_t)o->pick(&st, &v, 7), 1);
    set.cls[CLASS_MEM] = 2;
    used = 3;
    is("an MSHR is free", o->admit(&st, &v, &again), ~0ull);
    is("no need to ask again", again, false);
    used = 4;
    is("none is free", o->admit(&st, &v, &again), ~2ull);
    is("asked again in the next cycle", again, true);
    v.l1d = NULL;
    is("no L1D", o->admit(&st, &v, &again), ~0ull);
    return bad != 0;
}
C
if "${CC:-gcc}" -std=gnu17 -Wall -Wextra -Wshadow -Werror -I. -o "$tmp/policy" "$tmp/main.c" 2>"$tmp/err"; then
    "$tmp/policy" || fail "it decides otherwise"
else
    cat "$tmp/err"
    fail "it does not compile"
fi
exit "$bad"
