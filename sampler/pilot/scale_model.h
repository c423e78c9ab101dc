/* sampler/pilot/scale_model.h -- a scale model of a GPU: some of its cores, with their share of
 * everything that cores share. Latencies stay; bandwidths, L2's capacity, DRAM's banks and queue
 * are scaled ("GPU Scale-Model Simulation", HPCA 2024). */
#ifndef MDP_SAMPLER_PILOT_SCALE_MODEL_H
#define MDP_SAMPLER_PILOT_SCALE_MODEL_H

#include "sampler/sampling.h"
#include "sim/gpu/gpu_cfg.h"

/* The fewest cores that a model can have: those that share a port of the network. */
int scale_model_least(const struct gpu_cfg *full);
/* Cores of the smallest slice of the GPU that has whole memory partitions, and so needs no scaling.
 * Where that is half of the GPU or more: the fewest from a fifth on whose partitions need to be
 * scaled by no more than by->most_scaling; of about a third where none are. */
int scale_model_slice(const struct gpu_cfg *full, const struct pilot_params *by);
/* out: `full` with so many cores. network: of what its ports deliver, those of the model's network
 * do that many times as much (memory_rates.h); 1: the same. False and e: no such GPU can be built.
 */
bool scale_model(const struct gpu_cfg *full, int cores, double network, struct gpu_cfg *out,
                 struct err *e);

#endif
