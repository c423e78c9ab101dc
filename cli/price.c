#include "cli/price.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "base/wrap.h"

static double seconds_of(const struct timeval *t)
{
    return (double)t->tv_sec + 1e-6 * (double)t->tv_usec;
}

double price_clock(void)
{
    struct timespec own;
    struct rusage children;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
    getrusage(RUSAGE_CHILDREN, &children);
    return (double)own.tv_sec + 1e-9 * (double)own.tv_nsec + seconds_of(&children.ru_utime) +
           seconds_of(&children.ru_stime);
}

void price_add(struct price *p, const char *name, double seconds)
{
    BUG_ON(p->parts == PRICE_PARTS - 1, "more than %d parts of a price", PRICE_PARTS);
    p->part[p->parts++] = (struct price_part){.name = name, .seconds = seconds};
}

void price_add_common(struct price *p, const char *name, double seconds)
{
    price_add(p, name, seconds);
    p->common += seconds;
}

/* Parts are measured by the clocks of threads, which may run ahead of that of the process by a
 * tick. */
void price_end(struct price *p, double since)
{
    double known = 0;
    p->answer = price_clock() - since;
    for (int i = 0; i < p->parts; i++)
        known += p->part[i].seconds;
    p->answer = fmax(p->answer, known);
    p->part[p->parts++] = (struct price_part){.name = "other", .seconds = p->answer - known};
    p->common += p->answer - known;
    p->simulation += p->simulation > 0 ? p->common : 0;
    p->search += p->search > 0 ? p->common : 0;
}

void price_estimate(struct price *p, double seconds, int n_max)
{
    p->simulation = p->warp_insts > 0 ? seconds * p->full_warp_insts / p->warp_insts : 0;
    p->search = p->simulation * n_max;
    p->estimated = p->search_estimated = true;
}

const struct price_key price_keys[] = {
    [PRICE_KEY_ANSWER] = {"answer_seconds", "s",
                          "CPU time of everything that the answer needed, the whole process"},
    [PRICE_KEY_SIMULATION] =
        {"simulation_seconds", "s",
         "CPU time of one simulation at the default degree, as a process of its own"},
    [PRICE_KEY_ESTIMATED] = {"simulation_seconds_estimated", "",
                             "true: by the speed of what was simulated; false: measured"},
    [PRICE_KEY_SEARCH] = {"search_seconds", "s",
                          "CPU time of simulating every degree, likewise (compare)"},
    [PRICE_KEY_PARTS] =
        {"answer_parts", "s",
         "object: what answer_seconds is the sum of, by name; the rest is other_seconds"},
    {NULL}};

void price_output(struct output *out, const struct price *p)
{
    output_real(out, price_keys[PRICE_KEY_ANSWER].name, p->answer, NULL);
    output_real(out, price_keys[PRICE_KEY_SIMULATION].name, p->simulation, NULL);
    output_bool(out, price_keys[PRICE_KEY_ESTIMATED].name, p->estimated);
    if (out->format != FORMAT_JSON) /* a row has no room for it */
        return;
    output_object(out, price_keys[PRICE_KEY_PARTS].name);
    for (int i = 0; i < p->parts; i++) {
        char *key = xasprintf("%s_seconds", p->part[i].name);
        output_real(out, key, p->part[i].seconds, NULL);
        free(key);
    }
    output_up(out);
}

void price_output_search(struct output *out, const struct price *p)
{
    output_real(out, price_keys[PRICE_KEY_SEARCH].name, p->search, NULL);
}

#define SHORT 16
/* Two digits, of what is large all before the point. */
static const char *short_text(double v, char out[SHORT])
{
    snprintf(out, SHORT, v < 10 ? "%.2g" : v < 100 ? "%.1f" : "%.0f", v);
    return out;
}

/* "2.1 times one simulation at the default degree (0.31 s, estimated)" */
static char *beside(const struct price *p, const char *what, double seconds, bool estimated)
{
    char times[SHORT], of[SHORT];
    if (seconds <= 0)
        return xasprintf("what %s takes is not known", what);
    return xasprintf("%s times %s (%s s, %s)", short_text(p->answer / seconds, times), what,
                     short_text(seconds, of), estimated ? "estimated" : "measured");
}

#define PART_ROOM 48

/* "window 0.001 s", as many as fit into a line; those that took no time are left out. */
static void print_parts(FILE *out, const struct price *p, int indent)
{
    int at = 0;
    for (int i = 0; i < p->parts; i++) {
        char text[PART_ROOM];
        const int wide =
            snprintf(text, sizeof text, "%s %.3f s", p->part[i].name, p->part[i].seconds);
        if (p->part[i].seconds < 0.0005)
            continue;
        if (at > 0 && at + 2 + wide < wrap_width(WRAP_SCREEN))
            at += fprintf(out, ", %s", text);
        else
            at = fprintf(out, "%s%*s%s", at ? ",\n" : "", indent, "", text);
    }
    fputs(at ? "\n" : "", out);
}

/* Of something tiny a search simulates less than the window and the measurement of the memory do.
 */
static void print_insts(FILE *out, const struct price *p, int indent)
{
    const double one = p->simulation - p->common,
                 degrees = one > 0 ? (p->search - p->common) / one : 0;
    if (p->full_warp_insts <= 0)
        return;
    if (degrees > 0 && !p->searched && p->warp_insts > degrees * p->full_warp_insts)
        wrap_field(out, "", indent,
                   "%.0f warp instructions in detail; `search` is cheaper here: it has %.0f",
                   p->warp_insts, degrees * p->full_warp_insts);
    else
        wrap_field(out, "", indent, "%.0f warp instructions in detail, %.3g %% of one simulation's",
                   p->warp_insts, 100 * p->warp_insts / p->full_warp_insts);
}

void price_print(FILE *out, const struct price *p, int indent)
{
    char *one = beside(p, "one simulation at the default degree", p->simulation, p->estimated);
    char *all = beside(p, "the exhaustive search", p->search, p->search_estimated);
    char answer[SHORT];
    wrap_field(out, "price", indent, "%s s of CPU time", short_text(p->answer, answer));
    if (p->budget > 0 && p->answer > p->budget)
        wrap_field(out, "", indent,
                   "more than the budget of %g s, which ends simulations alone: the program is "
                   "executed, and windows are taken, in any case",
                   p->budget);
    wrap_field(out, "", indent, "%s", one);
    wrap_field(out, "", indent, "%s", all);
    free(one);
    free(all);
    print_parts(out, p, indent);
    print_insts(out, p, indent);
}
