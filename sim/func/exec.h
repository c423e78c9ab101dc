/* sim/func/exec.h -- which executor runs an instruction; shared by the families (alu_int.c,
 * alu_float.c, cvt.c, ...). A family's lookup returns NULL for a combination of opcode, types and
 * modifiers that PTX does not have. */
#ifndef MDP_SIM_FUNC_EXEC_H
#define MDP_SIM_FUNC_EXEC_H

#include "sim/func/warp.h"

exec_fn exec_lookup_int(const struct inst *in);   /* alu_int.c: integer arithmetic, mul/mad/div/rem,
                                                     carry chains, dp4a */
exec_fn exec_lookup_video(const struct inst *in); /* video.c */
exec_fn exec_lookup_bits(
    const struct inst *in); /* alu_bits.c: logic, shifts, bit fields, prmt, lop3, popc ... */
exec_fn exec_lookup_float(
    const struct inst *in); /* alu_float.c: f16 f16x2 bf16 f32 f64 arithmetic, every rounding */
exec_fn exec_lookup_sfu(const struct inst *in); /* alu_sfu.c: rcp sqrt rsqrt sin cos lg2 ex2 tanh */
exec_fn exec_lookup_cmp(const struct inst *in); /* compare.c: set setp selp slct, predicate logic */
exec_fn exec_lookup_cvt(const struct inst *in); /* cvt.c */
exec_fn exec_lookup_mov(
    const struct inst *in); /* mov.c: mov, pack, unpack, special registers, cvta, isspacep */
exec_fn exec_lookup_mem(const struct inst *in);  /* mem_access.c: ld st prefetch cp.async */
exec_fn exec_lookup_atom(const struct inst *in); /* atomics.c */
exec_fn exec_lookup_warp(const struct inst *in); /* crosslane.c: shfl vote match redux activemask
                                                    elect bar.warp */
exec_fn exec_lookup_tex(const struct inst *in);  /* tex_access.c: tex tld4 txq suq */
exec_fn exec_lookup_surf(const struct inst *in); /* surf_access.c: suld sust */
exec_fn exec_lookup_ctrl(
    const struct inst *in); /* control.c: bra brx call ret exit trap membar nanosleep */
exec_fn exec_lookup_bar(const struct inst *in);    /* bar.c: bar, barrier */
exec_fn exec_lookup_matrix(const struct inst *in); /* matrix.c: wmma mma ldmatrix ... */
exec_fn exec_lookup_mbar(const struct inst *in);   /* mbarrier.c */
exec_fn exec_lookup_cluster(
    const struct inst *in); /* cta_cluster.c: barrier.cluster mapa getctarank */

/* Binds every instruction; on one without executor: false, "FILE:LINE:COL: ...". */
bool exec_bind(struct kernel *k, struct err *e);

/* Rows of an operand. */
static inline uint32_t *row32(struct warp *w, const struct opnd *o)
{
    return (uint32_t *)(w->bank[o->bank] + o->off);
}
static inline uint64_t *row64(struct warp *w, const struct opnd *o)
{
    return (uint64_t *)(w->bank[o->bank] + o->off);
}
static inline lanes_t *pred_ref(struct warp *w, const struct opnd *o)
{
    return (lanes_t *)(w->bank[o->bank] + o->off);
}
static inline lanes_t pred_get(struct warp *w, const struct opnd *o)
{
    lanes_t v = *pred_ref(w, o);
    return o->neg ? ~v : v;
}

/* From one lane's frame to the next one's. */
static inline size_t frame_stride(const struct kernel *k)
{
    return k->frame_is_local ? k->local_bytes : k->frame_bytes;
}

void warp_fault(struct warp *w, const struct inst *in, enum fault_kind kind, int lane, addr_t addr,
                int bytes, const char *detail);

#endif
