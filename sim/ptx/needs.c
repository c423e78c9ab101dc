/* sim/ptx/needs.c -- from which version of PTX and which machine on an instruction is there: what
 * an assembler checks before anything else. Values of ptxas 13.0 and of the PTX ISA's "PTX ISA
 * Notes" and "Target ISA Notes"; what is not listed is not checked. */
#include <string.h>

#include "sim/ptx/decode.h"

/* An instruction that begins with `base` and has `word` (NULL: any) among its other parts. */
static const struct need {
    const char *base, *word;
    uint8_t version, target;
} needs[] = {
    {"abs", "bf16", 70, 80},
    {"abs", "f16", 65, 53},
    {"activemask", NULL, 62, 30},
    {"add", "bf16", 78, 90},
    {"add", "bf16x2", 78, 90},
    {"add", "f16", 42, 53},
    {"add", "f16x2", 42, 53},
    {"add", "f32.bf16", 86, 100},
    {"add", "f32.f16", 86, 100},
    {"add", "f32x2", 86, 100},
    {"add", "s16x2", 80, 90},
    {"add", "u16x2", 80, 90},
    {"alloca", NULL, 73, 52},
    {"applypriority", NULL, 74, 80},
    {"atom", "b128", 83, 90},
    {"atom", "b16", 63, 70},
    {"atom", "bf16", 78, 90},
    {"atom", "bf16x2", 78, 90},
    {"atom", "f16", 63, 70},
    {"atom", "f16x2", 62, 60},
    {"atom", "f64", 50, 60},
    {"atom", "relaxed", 60, 70},
    {"atom", "v2", 81, 90},
    {"atom", "v4", 81, 90},
    {"bar.warp", NULL, 60, 30},
    {"barrier.cluster", NULL, 78, 90},
    {"bmsk", NULL, 76, 70},
    {"clusterlaunchcontrol", NULL, 86, 100},
    {"cp.async", NULL, 70, 80},
    {"cp.async.bulk", NULL, 80, 90},
    {"createpolicy", NULL, 74, 80},
    {"cvt", "bf16", 70, 80},
    {"cvt", "bf16x2", 70, 80},
    {"cvt", "e2m1x2", 86, 100},
    {"cvt", "e2m3x2", 86, 100},
    {"cvt", "e3m2x2", 86, 100},
    {"cvt", "e4m3x2", 78, 89},
    {"cvt", "e5m2x2", 78, 89},
    {"cvt", "f16x2", 70, 80},
    {"cvt", "relu", 70, 80},
    {"cvt", "rs", 87, 100},
    {"cvt", "tf32", 70, 80},
    {"cvt", "ue8m0x2", 86, 100},
    {"cvt.pack", NULL, 65, 72},
    {"discard", NULL, 74, 80},
    {"dp2a", NULL, 50, 61},
    {"dp4a", NULL, 50, 61},
    {"elect", NULL, 80, 90},
    {"ex2", "bf16", 78, 90},
    {"ex2", "f16", 70, 75},
    {"fence", NULL, 60, 70},
    {"fence.proxy.alias", NULL, 75, 70},
    {"fence.proxy.async", NULL, 80, 90},
    {"fma", "bf16", 70, 80},
    {"fma", "bf16x2", 70, 80},
    {"fma", "f16", 42, 53},
    {"fma", "f16x2", 42, 53},
    {"fma", "f32.bf16", 86, 100},
    {"fma", "f32.f16", 86, 100},
    {"fma", "f32x2", 86, 100},
    {"fma", "relu", 70, 80},
    {"fns", NULL, 60, 30},
    {"getctarank", NULL, 78, 90},
    {"griddepcontrol", NULL, 78, 90},
    {"isspacep", "param", 77, 70},
    {"ld", "L1::evict_last", 74, 70},
    {"ld", "L2::128B", 74, 75},
    {"ld", "L2::256B", 74, 80},
    {"ld", "L2::64B", 74, 75},
    {"ld", "L2::cache_hint", 74, 80},
    {"ld", "acquire", 60, 70},
    {"ld", "b128", 83, 70},
    {"ld", "mmio", 82, 70},
    {"ld", "relaxed", 60, 70},
    {"ld", "v8", 88, 100},
    {"ldmatrix", NULL, 65, 75},
    {"lop3", "and", 82, 70},
    {"lop3", "or", 82, 70},
    {"lop3", "xor", 82, 70},
    {"mapa", NULL, 78, 90},
    {"match", NULL, 60, 70},
    {"max", "NaN", 70, 80},
    {"max", "bf16", 70, 80},
    {"max", "f16", 70, 80},
    {"max", "relu", 80, 90},
    {"max", "s16x2", 80, 90},
    {"max", "u16x2", 80, 90},
    {"max", "xorsign", 72, 86},
    {"mbarrier", "expect_tx", 80, 90},
    {"mbarrier", NULL, 70, 80},
    {"mbarrier.try_wait", NULL, 78, 90},
    {"min", "NaN", 70, 80},
    {"min", "bf16", 70, 80},
    {"min", "f16", 70, 80},
    {"min", "relu", 80, 90},
    {"min", "s16x2", 80, 90},
    {"min", "u16x2", 80, 90},
    {"min", "xorsign", 72, 86},
    {"mma", "bf16", 70, 80},
    {"mma", "m16n8k16", 70, 70},
    {"mma", "tf32", 70, 80},
    {"mma", NULL, 64, 70},
    {"mov", "b128", 83, 70},
    {"movmatrix", NULL, 78, 75},
    {"mul", "bf16", 78, 90},
    {"mul", "f16", 42, 53},
    {"mul", "f16x2", 42, 53},
    {"mul", "f32x2", 86, 100},
    {"multimem", NULL, 81, 90},
    {"nanosleep", NULL, 62, 70},
    {"neg", "bf16", 70, 80},
    {"neg", "f16", 60, 53},
    {"red", "f64", 50, 60},
    {"red", "v2", 81, 90},
    {"red", "v4", 81, 90},
    {"redux", NULL, 70, 80},
    {"setmaxnreg", NULL, 80, 90},
    {"setp", "bf16", 78, 90},
    {"setp", "f16", 42, 53},
    {"shfl", "sync", 60, 30},
    {"st", "L2::cache_hint", 74, 80},
    {"st", "b128", 83, 70},
    {"st", "relaxed", 60, 70},
    {"st", "release", 60, 70},
    {"st", "v8", 88, 100},
    {"stackrestore", NULL, 73, 52},
    {"stacksave", NULL, 73, 52},
    {"stmatrix", NULL, 78, 90},
    {"sub", "bf16", 78, 90},
    {"sub", "f16", 42, 53},
    {"sub", "f16x2", 42, 53},
    {"sub", "f32.bf16", 86, 100},
    {"sub", "f32.f16", 86, 100},
    {"sub", "f32x2", 86, 100},
    {"szext", NULL, 76, 70},
    {"tanh", "bf16", 78, 90},
    {"tanh", NULL, 70, 75},
    {"tcgen05", NULL, 86, 100},
    {"vote", "sync", 60, 30},
    {"wgmma", NULL, 80, 90},
    {"wmma", NULL, 60, 70},
};

/* Whether the text is the word, or goes on behind it with a dot. */
static bool begins(const char *text, const char *word)
{
    const size_t n = strlen(word);
    return !strncmp(text, word, n) && (!text[n] || text[n] == '.');
}

static bool has_word(const char *text, const char *word)
{
    for (const char *dot = strchr(text, '.'); dot; dot = strchr(dot + 1, '.'))
        if (begins(dot + 1, word))
            return true;
    return false;
}

bool needs_check(const struct module *m, const struct stmt *st, struct err *e)
{
    const char *text = st->name->text;
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        const struct need *n = &needs[i];
        if (!begins(text, n->base) || (n->word && !has_word(text, n->word)))
            continue;
        if (m->version < n->version)
            return module_err(m, st->loc, e, "%s needs PTX .version %d.%d or later", text,
                              n->version / 10, n->version % 10);
        if (m->target < n->target)
            return module_err(m, st->loc, e, "%s needs .target sm_%d or later", text, n->target);
    }
    return true;
}
