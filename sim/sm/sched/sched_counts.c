#include "sim/sm/sched/sched_counts.h"

const struct sched_counter_row sched_counter_rows[] = {
#define X(name, unit, help) {#name, unit, help},
    SCHED_COUNTERS(X)
#undef X
        {NULL, NULL, NULL}};

static struct sched_count *row_of(struct sched_counts *c, enum sched_counter what)
{
    for (int i = 0; i < c->n; i++)
        if (c->row[i].what == what)
            return &c->row[i];
    c->row[c->n] = (struct sched_count){.what = what};
    return &c->row[c->n++];
}

void sched_count(struct sched_counts *c, enum sched_counter what, uint64_t n)
{
    row_of(c, what)->n += n;
}

void sched_share(struct sched_counts *c, enum sched_counter what, uint64_t n, uint64_t of)
{
    struct sched_count *r = row_of(c, what);
    r->share = true;
    r->n += n;
    r->of += of;
}

void sched_counts_add(struct sched_counts *c, const struct sched_counts *more)
{
    for (const struct sched_count *m = more->row; m < more->row + more->n; m++) {
        struct sched_count *r = row_of(c, m->what);
        r->share = m->share;
        r->n += m->n;
        r->of += m->of;
    }
}

double sched_count_value(const struct sched_count *row)
{
    return row->share ? ratio(row->n, row->of) : (double)row->n;
}
