#include "cli/price.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/wrap.h"
#include "cli/keys.h"

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

void price_add(struct price *p, enum price_of of, double seconds)
{
    BUG_ON(p->parts == PRICE_COUNT, "a price has no room for another part");
    p->part[p->parts++] = (struct price_part){.of = of, .seconds = seconds};
}

void price_add_common(struct price *p, enum price_of of, double seconds)
{
    price_add(p, of, seconds);
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
    price_add_common(p, PRICE_OTHER, p->answer - known);
    p->simulation += p->simulation > 0 ? p->common : 0;
    p->search += p->search > 0 ? p->common : 0;
}

void price_estimate(struct price *p, double seconds_each, int n_max)
{
    p->simulation = seconds_each * p->full_warp_insts;
    p->search = p->simulation * n_max;
    p->estimated = p->search_estimated = true;
}

#define PART(name_, help_)                                                 \
    {                                                                      \
        "command", name_ "_seconds", "s", (help_), .type = OUTPUT_COMPUTED \
    }
const struct output_row price_part_rows[] = {
    [PRICE_EXECUTION] = PART("execution", "of the answer: executing without timing"),
    [PRICE_WINDOW] = PART("window", "... one CTA's window"),
    [PRICE_MEMORY] = PART("memory", "... measuring the GPU's memory"),
    [PRICE_PILOTS] = PART("pilots", "... pilot simulations"),
    [PRICE_RUNS] = PART("runs", "... simulating the whole program"),
    [PRICE_COMPILATION] = PART("compilation", "... compiling it"),
    [PRICE_OTHER] = PART("other", "... the rest"),
    [PRICE_COUNT] = {.name = NULL}};

static void write_parts(struct output *out, const char *name, const void *price)
{
    const struct price *p = price;
    if (out->format != FORMAT_JSON) /* a row has no room for it */
        return;
    output_object(out, name);
    for (int i = 0; i < p->parts; i++)
        output_real(out, price_part_rows[p->part[i].of].name, p->part[i].seconds, NULL);
    output_up(out);
}

const struct output_row price_rows[] = {
    {"price", "answer_seconds", "s",
     "CPU time of everything that the answer needed, the whole process",
     OUTPUT_FIELD(struct price, answer)},
    {"price", "simulation_seconds", "s",
     "CPU time of one simulation at the default degree, as a process of its own",
     OUTPUT_FIELD(struct price, simulation)},
    {"price", "simulation_seconds_estimated", "",
     "true: by the speed of what was simulated; false: measured",
     OUTPUT_FIELD(struct price, estimated)},
    {"price", "answer_parts", "s",
     "object: what answer_seconds is the sum of, by name; the rest is other_seconds",
     .write = write_parts},
    {.name = NULL}};

void price_output(struct output *out, const struct price *p)
{
    output_rows(out, price_rows, p);
}

const struct output_row price_search_rows[] =
    OUTPUT_ONE("command", "search_seconds", "s", "`compare`: CPU time of the search",
               OUTPUT_FIELD(struct price, search));

void price_output_search(struct output *out, const struct price *p)
{
    output_rows(out, price_search_rows, p);
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
        const char *key = price_part_rows[p->part[i].of].name; /* to its "_" */
        const int wide = snprintf(text, sizeof text, "%.*s %.3f s", (int)strcspn(key, "_"), key,
                                  p->part[i].seconds);
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

/* Seconds of simulations, which a budget ends. */
static double of_simulations(const struct price *p)
{
    double seconds = 0;
    for (int i = 0; i < p->parts; i++)
        if (p->part[i].of == PRICE_PILOTS || p->part[i].of == PRICE_RUNS)
            seconds += p->part[i].seconds;
    return seconds;
}

static void print_over_budget(FILE *out, const struct price *p, int indent)
{
    if (p->answer - of_simulations(p) > p->budget)
        wrap_field(out, "", indent,
                   "more than the budget of %g s, which ends simulations alone: the program is "
                   "executed, and windows are taken, in any case",
                   p->budget);
    else
        wrap_field(out, "", indent,
                   "more than the budget of %g s: a simulation ends a little after it is spent",
                   p->budget);
}

void price_print(FILE *out, const struct price *p, int indent)
{
    char *one = beside(p, "one simulation at the default degree", p->simulation, p->estimated);
    char *all = beside(p, "the exhaustive search", p->search, p->search_estimated);
    char answer[SHORT];
    wrap_field(out, "price", indent, "%s s of CPU time", short_text(p->answer, answer));
    if (p->budget > 0 && p->answer > p->budget)
        print_over_budget(out, p, indent);
    wrap_field(out, "", indent, "%s", one);
    wrap_field(out, "", indent, "%s", all);
    free(one);
    free(all);
    print_parts(out, p, indent);
    print_insts(out, p, indent);
}
