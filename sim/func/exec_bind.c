#include "sim/func/exec.h"
#include "sim/func/lanes.h"
#include "sim/func/poll.h"

static exec_fn lookup(const struct inst *in)
{
    static exec_fn (*const family[])(const struct inst *) = {
        exec_lookup_ctrl,  exec_lookup_bar,     exec_lookup_mem,  exec_lookup_int,
        exec_lookup_bits,  exec_lookup_float,   exec_lookup_sfu,  exec_lookup_cmp,
        exec_lookup_cvt,   exec_lookup_mov,     exec_lookup_atom, exec_lookup_warp,
        exec_lookup_tex,   exec_lookup_surf,    exec_lookup_mbar, exec_lookup_matrix,
        exec_lookup_video, exec_lookup_cluster,
    };
    for (size_t i = 0; i < sizeof family / sizeof *family; i++) {
        exec_fn f = family[i](in);
        if (f)
            return f;
    }
    return NULL;
}

/* Control flow and barriers; and what waits for lanes on other paths. */
static bool takes_turns(const struct inst *in)
{
    return exec_lookup_cluster(in) || exec_lookup_ctrl(in) || exec_lookup_bar(in) ||
           exec_lookup_mbar(in) || exec_lookup_warp(in) || exec_lookup_matrix(in) ||
           in->flags & INST_BRANCH;
}

/* It reads what another warp may write, or writes what one may read. */
static bool is_seen(const struct inst *in)
{
    const bool seen = in->space == SP_GLOBAL || in->space == SP_SHARED || in->space == SP_GENERIC;
    return seen && in->flags & (INST_LOAD | INST_STORE | INST_ATOMIC) && !(in->flags & INST_NC);
}

/* It writes what other CTAs may see. Who only waits compares first, and asks for a lock in vain. */
static bool publishes(const struct inst *in)
{
    const bool own = in->space == SP_SHARED || in->space == SP_LOCAL || in->space == SP_FRAME ||
                     in->space == SP_PARAM;
    return in->flags & (INST_STORE | INST_ATOMIC) && !own &&
           !(in->polls && in->op == OP_ATOM && in->aop == ATOM_CAS);
}

bool exec_bind(struct kernel *k, struct err *e)
{
    if (k->bound)
        return true;
    for (uint32_t i = 0; i < k->ninst; i++) {
        struct inst *in = &k->inst[i];
        if (in->op == OP_UNSUPPORTED)
            continue;
        in->exec = lookup(in);
        if (!in->exec)
            return err_set(e, "%s:%d:%d: %s: no such combination of types and modifiers",
                           module_name(k->module), in->line, in->col, in->text);
        if (takes_turns(in))
            in->flags |= INST_TURN;
        if (is_seen(in))
            in->flags |= (uint32_t)INST_SEEN;
    }
    polls_mark(k);
    for (uint32_t i = 0; i < k->ninst; i++)
        k->inst[i].publishes = publishes(&k->inst[i]);
    k->wide = lanes_wide();
    k->bound = true;
    return true;
}
