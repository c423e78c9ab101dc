/* sim/gpu/gpu_choices.h -- the words that a parameter of a GPU may have, where it is one of names.
 */
#ifndef MDP_SIM_GPU_GPU_CHOICES_H
#define MDP_SIM_GPU_GPU_CHOICES_H

/* Choice i of the parameter "dram.scheduler"; NULL past the last one, and of a parameter that is a
 * number or true or false. Parts of a warp scheduler ("gto+car") are no choices by themselves.
 * Static. */
const char *gpu_choice(const char *parameter, int i);

#endif
