/* tests/func/alu_fixture.h -- one instruction, built by hand, on a warp of its own, against a
 * reference that knows one lane.
 *
 * alu_check() runs it on every combination of the sets of values, 32 lanes at a time, in both
 * compilations of the executors, and expects: each lane as the reference says; with half of the
 * lanes active the same results there and the old ones elsewhere; with the destination in the row
 * of the first source the same results again. */
#ifndef MDP_TESTS_FUNC_ALU_FIXTURE_H
#define MDP_TESTS_FUNC_ALU_FIXTURE_H

#include "sim/func/exec.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/suite.h"

#define ALU_OPS  4
#define ALU_ROW  256
#define ALU_PRED 64
#define OLD      0x5aa5c33c0ff00f0full /* what a lane that is not written keeps */

struct alu {
    struct warp w;
    struct cta cta;
    struct kernel kernel;
    struct inst in;
    _Alignas(64) uint8_t bank[2 * ALU_OPS * ALU_ROW + 16 * ALU_PRED];
};

struct set {
    int n;
    const uint64_t *v;
};
/* Values of the source operands of one lane (predicates: 0 or 1) -> the destination row's value. */
typedef uint64_t (*alu_ref)(const struct inst *in, const uint64_t v[ALU_OPS]);
typedef exec_fn (*alu_lookup)(const struct inst *in);

static inline struct opnd alu_row(int slot, int width, int bits)
{
    return (struct opnd){.off = (uint32_t)slot * ALU_ROW,
                         .reg = (uint16_t)(slot + 1),
                         .bank = BANK_REG,
                         .width = (uint8_t)width,
                         .bits = (uint8_t)bits};
}
static inline struct opnd alu_pred(int slot)
{
    return (struct opnd){.off = (uint32_t)(2 * ALU_OPS * ALU_ROW + slot * ALU_PRED),
                         .reg = (uint16_t)(100 + slot),
                         .bank = BANK_REG,
                         .bits = 1};
}
/* Destinations are in slots 0..3, sources in slots 4..7. */
static inline void alu_dst(struct inst *in, int k, int bits)
{
    in->dst[k] = bits == 1 ? alu_pred(k) : alu_row(k, bits == 64 ? 8 : 4, bits);
    in->nd = (uint8_t)(k + 1 > in->nd ? k + 1 : in->nd);
}
static inline void alu_src(struct inst *in, int k, int bits)
{
    in->src[k] = bits == 1 ? alu_pred(ALU_OPS + k) : alu_row(ALU_OPS + k, bits == 64 ? 8 : 4, bits);
    in->ns = (uint8_t)(k + 1 > in->ns ? k + 1 : in->ns);
}
static inline int alu_bits(enum vtype t)
{
    return t == VT_PRED ? 1 : 8 * type_bytes(t);
}
/* op.type with `ns` sources, all of the instruction's type. */
static inline struct inst alu_inst(enum opcode op, enum vtype t, uint32_t flags, int ns)
{
    struct inst in = {.op = (uint16_t)op, .type = (uint8_t)t, .stype = (uint8_t)t, .flags = flags};
    alu_dst(&in, 0, alu_bits(t));
    for (int k = 0; k < ns; k++)
        alu_src(&in, k, alu_bits(t));
    return in;
}

static inline void alu_init(struct alu *a)
{
    memset(a, 0, sizeof *a);
    a->kernel.cc_off = 2 * ALU_OPS * ALU_ROW + 15 * ALU_PRED;
    a->cta.kernel = &a->kernel;
    a->w.cta = &a->cta;
    a->w.bank[BANK_REG] = a->w.bank[BANK_CONST] = a->bank;
}
static inline uint64_t alu_get(struct alu *a, const struct opnd *o, int lane)
{
    if (o->width == 0)
        return *pred_ref(&a->w, o) >> lane & 1;
    return o->width == 8 ? row64(&a->w, o)[lane] : row32(&a->w, o)[lane];
}
static inline void alu_put(struct alu *a, const struct opnd *o, int lane, uint64_t v)
{
    if (o->width == 0) {
        lanes_t *p = pred_ref(&a->w, o);
        *p = (*p & ~(1u << lane)) | (lanes_t)(v & 1) << lane;
    } else if (o->width == 8) {
        row64(&a->w, o)[lane] = v;
    } else {
        row32(&a->w, o)[lane] = (uint32_t)v;
    }
}
static inline uint64_t alu_trim(const struct opnd *o, uint64_t v)
{
    return o->width == 0 ? v & 1 : o->width == 4 ? (uint32_t)v : v;
}

struct alu_batch {
    uint64_t v[WARP_SIZE][ALU_OPS], want[WARP_SIZE];
};

static inline bool alu_report(const struct inst *in, const uint64_t v[], uint64_t found,
                              uint64_t want, const char *how)
{
    static int reports;
    if (found == want)
        return true;
    if (reports++ < 40)
        fprintf(stderr,
                "%s.%s.%s flags %x rnd %d cmp %d mode %d (%s): %" PRIx64 " %" PRIx64 " %" PRIx64
                " %" PRIx64 " gives %" PRIx64 ", expected %" PRIx64 "\n",
                opcode_name(in->op), type_name(in->type), type_name(in->stype), in->flags, in->rnd,
                in->cmp, in->mode, how, v[0], v[1], v[2], v[3], found, want);
    return false;
}

static inline bool alu_run(struct alu *a, const struct inst *in, const struct alu_batch *b,
                           lanes_t active, const char *how)
{
    bool good = true;
    for (int i = 0; i < WARP_SIZE; i++) {
        alu_put(a, &in->dst[0], i, OLD);
        for (int k = 0; k < in->ns; k++)
            alu_put(a, &in->src[k], i, b->v[i][k]);
    }
    uint64_t before[WARP_SIZE];
    for (int i = 0; i < WARP_SIZE; i++)
        before[i] = alu_get(a, &in->dst[0], i);
    in->exec(&a->w, in, active);
    for (int i = 0; i < WARP_SIZE; i++) {
        const uint64_t want = active >> i & 1 ? b->want[i] : before[i];
        good &=
            alu_report(in, b->v[i], alu_get(a, &in->dst[0], i), alu_trim(&in->dst[0], want), how);
    }
    return good;
}

static inline bool alu_batch_run(struct alu *a, const struct inst *in, const struct alu_batch *b)
{
    bool good = alu_run(a, in, b, LANES_ALL, "full");
    good &= alu_run(a, in, b, 0x6996a5c3, "partial");
    good &= alu_run(a, in, b, 1u << 31, "one lane");
    if (in->ns && in->dst[0].bits == in->src[0].bits && in->dst[0].width) {
        struct inst same = *in;
        same.dst[0] = same.src[0];
        good &= alu_run(a, &same, b, LANES_ALL, "in place");
        good &= alu_run(a, &same, b, 0x0ff055aa, "in place, partial");
    }
    return good;
}

/* sets[k]: values of source k; every combination. */
static inline void alu_check(const struct inst *spec, alu_lookup lookup, alu_ref ref,
                             const struct set *sets)
{
    struct alu a;
    alu_init(&a);
    static const char *const simd[] = {"base", "best"};
    for (int s = 0; s < 2; s++) {
        setenv("MDPREDICT_SIMD", simd[s], 1);
        struct inst in = *spec;
        in.exec = lookup(&in);
        CU_ASSERT_PTR_NOT_NULL(in.exec);
        if (!in.exec) {
            alu_report(&in, (const uint64_t[ALU_OPS]){0}, 0, 1, "no executor");
            return;
        }
        struct alu_batch b;
        memset(&b, 0, sizeof b);
        uint64_t all = 1;
        for (int k = 0; k < in.ns; k++)
            all *= (uint64_t)sets[k].n;
        bool good = true;
        for (uint64_t c = 0; c < (all + 31) / 32 * 32; c++) {
            const int lane = (int)(c % 32);
            uint64_t rest = c % all;
            for (int k = 0; k < in.ns; k++) {
                b.v[lane][k] = alu_trim(&in.src[k], sets[k].v[rest % (uint64_t)sets[k].n]);
                rest /= (uint64_t)sets[k].n;
            }
            b.want[lane] = ref(&in, b.v[lane]);
            if (lane == 31)
                good &= alu_batch_run(&a, &in, &b);
        }
        CU_ASSERT_TRUE(good);
    }
    unsetenv("MDPREDICT_SIMD");
}
/* The same set for every source. */
static inline void alu_check_all(const struct inst *spec, alu_lookup lookup, alu_ref ref,
                                 struct set s)
{
    alu_check(spec, lookup, ref, (const struct set[ALU_OPS]){s, s, s, s});
}
static inline void alu_refused(const struct inst *in, alu_lookup lookup)
{
    CU_ASSERT_PTR_NULL(lookup(in));
}

#define SET(array) ((struct set){(int)(sizeof(array) / sizeof *(array)), array})

#endif
