/* sim/sm/trace_write.h -- records launches while they are executed without timing. The file is
 * written under another name and gets its own when it is whole.
 *
 *   header    8 bytes MDPTRACE; version, 0 (32 bits each); where the table is, its bytes packed and
 *             unpacked (64 bits each). Numbers of fixed size are little-endian
 *   parts     one a CTA, in the order in which they ended, each packed by zstd with a checksum:
 *             bytes of each warp; then the warps one behind the other, as trace_code.h has them
 *   table     packed likewise:
 *             texts     how many; each: the name of the PTX in messages, the PTX
 *             kernels   how many; each: its text, its name. One that was loaded twice is there
 *                       twice: its code lies in two places
 *             launches  how many; each: kernel; grid x, y, z; block x, y, z; bytes of dynamic
 *                       shared memory; registers a thread as asked for, or 0; bytes of parameters;
 *                       and of each CTA by number: signed, where its part begins less the end of
 *                       the one before (of the first: less the header's end); bytes packed and
 *                       unpacked
 *
 * Numbers without a size are those of trace_code.h; a text is its length and its bytes. Values are
 * not recorded: neither memory, nor registers, nor parameters. */
#ifndef MDP_SIM_SM_TRACE_WRITE_H
#define MDP_SIM_SM_TRACE_WRITE_H

#include "base/err.h"
#include "base/types.h"

struct func_counts;
struct launch;
struct trace_writer;

struct trace_writer *trace_writer_new(const char *path, struct err *e); /* NULL: not writable */
struct trace_record_opts {
    int resident;            /* CTAs at once, should they wait for each other */
    uint64_t max_warp_insts; /* 0: no limit */
    bool short_turns;        /* of warps (sim/func/run.h); else each goes to its next barrier */
    bool (*progress)(void *user, uint64_t done, uint64_t all); /* false: stop */
    void *progress_user;
};
/* Executes the launch and records it; *counts may be NULL. The file is open during the call alone:
 * who records a program in its process does not own the descriptors there. */
bool trace_writer_launch(struct trace_writer *w, struct launch *l,
                         const struct trace_record_opts *o, struct func_counts *counts,
                         struct err *e);
/* ok: writes the rest. Frees in any case, and leaves nothing of a file that is not whole. */
bool trace_writer_close(struct trace_writer *w, bool ok, struct err *e);

struct trace_totals {
    uint64_t launches, ctas, warp_insts, bytes; /* bytes: of the file so far */
};
void trace_writer_totals(const struct trace_writer *w, struct trace_totals *out);

#endif
