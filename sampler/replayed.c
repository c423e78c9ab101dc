#include "sampler/replayed.h"

#include <math.h>
#include <string.h>

void replayed_add(struct replayed *s, const struct replay_result *r)
{
    const double ctas = (double)r->ctas;
    s->launches++;
    s->cores += r->cores;
    s->ctas += ctas;
    s->first_ctas += (double)r->first_ctas;
    s->cycles += r->cycles;
    s->wave += r->wave;
    s->bus += r->bus * r->cycles;
    s->cta_cycles += r->cta_cycles * ctas;
    s->latency += r->read_latency * ctas;
    s->accesses += (double)r->l1d_accesses;
    s->misses += (double)r->l1d_misses;
    s->reads_first += r->dram_reads_first;
    s->reads_later += r->dram_reads_later;
}

static double mean(double sum, double n)
{
    return n > 0 ? sum / n : 0;
}

void replayed_fill(const struct replayed *s, int n, struct sample *d)
{
    const int i = n - 1;
    const double later = s->ctas - s->first_ctas;
    d->replay_ctas[i] = mean(s->ctas, s->cores);
    d->replay_cycles[i] = mean(s->cycles, s->launches);
    d->replay_wave[i] = mean(s->wave, s->launches);
    d->replay_bus[i] = mean(s->bus, s->cycles);
    d->replay_cta_cycles[i] = mean(s->cta_cycles, s->ctas);
    d->replay_latency[i] = mean(s->latency, s->ctas);
    d->replay_miss_rate[i] = mean(s->misses, s->accesses);
    d->replay_reads_first[i] = mean(s->reads_first, s->first_ctas);
    d->replay_reads_later[i] = later > 0 ? s->reads_later / later : d->replay_reads_first[i];
}

double replayed_even(const double *cycles, int n, int most)
{
    const double *at = cycles + n - 1;
    return sqrt(at[0] * sqrt(at[n > 1 ? -1 : 0] * at[n < most ? 1 : 0]));
}

/* What sample_arrays has by n: everything that is replayed. */
static bool is_by_degree(const struct sample_array *a)
{
    return a->index == INDEX_FROM_1 && a->length == SAMPLE_DEGREES;
}

/* Weighted. */
static void mean_over(const struct sample *part, const double *weight, int parts,
                      const struct sample_array *a, struct sample *d)
{
    void *at = (char *)d + a->off;
    double *to = at, all = 0;
    memset(to, 0, (size_t)a->length * sizeof *to);
    for (int k = 0; k < parts; k++)
        all += weight[k];
    for (int k = 0; k < parts; k++)
        for (int i = 0; i < a->length; i++)
            to[i] += weight[k] / all * sample_values(&part[k], a)[i];
}

void replayed_join(const struct sample *part, const double *ctas, int parts, struct sample *d)
{
    *d = part[0];
    if (parts == 1)
        return;
    for (const struct sample_array *a = sample_arrays; a->name; a++)
        if (is_by_degree(a))
            mean_over(part, ctas, parts, a, d);
    for (int i = 0; i < SAMPLE_DEGREES; i++) {
        double taken = 0;
        d->replay_launch[i] = d->replay_launch_even[i] = 0;
        for (int k = 0; k < parts; k++) {
            taken += part[k].replay_bus[i] * part[k].replay_launch[i];
            d->replay_launch[i] += part[k].replay_launch[i];
            d->replay_launch_even[i] += part[k].replay_launch_even[i];
        }
        d->replay_bus[i] = mean(taken, d->replay_launch[i]);
    }
}
