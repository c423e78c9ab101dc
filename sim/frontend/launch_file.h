/* sim/frontend/launch_file.h -- launches of a PTX file without host code: buffers, launches and
 * checks in libconfig (grammar: README.md).
 *
 *   launch_file_parse  grammar and cross references; no other file is touched
 *   launch_file_load   reads the PTX and the data, fits every launch to its kernel
 *   launch_file_run    any number of times, from several threads at once
 *
 * Every mistake is one message with the launch file's name and line (in PTX: the PTX's). */
#ifndef MDP_SIM_FRONTEND_LAUNCH_FILE_H
#define MDP_SIM_FRONTEND_LAUNCH_FILE_H

#include "sim/frontend/context.h"

struct launch_file;

/* Parses and loads. block_size: threads of a CTA, in place of the file's, of those launches whose
 * grid follows from them; 0: the file's. NULL and e on a mistake; none has such a grid. */
struct launch_file *launch_file_open(const char *path, int block_size, struct err *e);
/* Parses a text alone, of that name. */
struct launch_file *launch_file_parse(const char *path, const char *text, struct err *e);
bool launch_file_load(struct launch_file *f, struct err *e);
void launch_file_free(struct launch_file *f);

/* Needs launch_file_load. Fills the buffers, launches everything in order, and (verify) checks. */
bool launch_file_run(const struct launch_file *f, const struct executor *x, bool verify,
                     struct err *e);
/* Calls fn once for each kernel that is launched, in order of first launch. */
bool launch_file_kernels(const struct launch_file *f,
                         bool (*fn)(void *user, const struct kernel *k, struct err *e), void *user,
                         struct err *e);

#endif
