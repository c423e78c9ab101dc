/* sim/ptx/spell.c -- from a dotted mnemonic to what it says. A word such as .hi or .and means
 * different things in different instructions: the row's set of modifier classes decides. */
#include <stdlib.h>
#include <string.h>

#include "sim/ptx/isa.h"

struct word {
    const char *text;
    uint8_t class; /* enum mod_class */
    uint32_t value;
};

// clang-format off
static const struct word words[] = {
    {"rn", MC_RND, RND_RN}, {"rz", MC_RND, RND_RZ}, {"rm", MC_RND, RND_RM}, {"rp", MC_RND, RND_RP},
    {"rna", MC_RNDI, RND_RNA}, {"rni", MC_RNDI, RND_RNI}, {"rzi", MC_RNDI, RND_RZI},
    {"rmi", MC_RNDI, RND_RMI}, {"rpi", MC_RNDI, RND_RPI},
    {"ftz", MC_FTZ, INST_FTZ}, {"sat", MC_SAT, INST_SAT}, {"approx", MC_APPROX, INST_APPROX},
    {"full", MC_FULL, INST_FULL}, {"hi", MC_HILO, INST_HI}, {"lo", MC_HILO, 0},
    {"wide", MC_WIDE, INST_WIDE}, {"cc", MC_CC, INST_CC_OUT}, {"uni", MC_UNI, INST_UNI},
    {"nc", MC_NC, INST_NC}, {"volatile", MC_VOLATILE, INST_VOLATILE},
    {"weak", MC_SEM, 0}, {"relaxed", MC_SEM, INST_VOLATILE}, {"acquire", MC_SEM, INST_VOLATILE},
    {"release", MC_SEM, INST_VOLATILE}, {"acq_rel", MC_SEM, INST_VOLATILE},
    {"mmio", MC_VOLATILE, INST_VOLATILE}, {"sc", MC_SEM, INST_VOLATILE},
    {"cta", MC_SCOPE, 0}, {"cluster", MC_SCOPE, 0}, {"gpu", MC_SCOPE, 0}, {"sys", MC_SCOPE, 0},
    {"gl", MC_SCOPE, 0},
    {"global", MC_SPACE, SP_GLOBAL}, {"shared", MC_SPACE, SP_SHARED}, {"local", MC_SPACE, SP_LOCAL},
    {"const", MC_SPACE, SP_CONST}, {"param", MC_SPACE, SP_PARAM},
    {"shared::cta", MC_SPACE, SP_SHARED}, {"shared::cluster", MC_SPACE, SP_SHARED},
    {"param::entry", MC_SPACE, SP_PARAM},
    {"param::func", MC_SPACE, SP_PARAM},
    {"v2", MC_VEC, 2}, {"v4", MC_VEC, 4}, {"v8", MC_VEC, 8},
    {"ca", MC_CACHE, CACHE_CA}, {"cg", MC_CACHE, CACHE_CG}, {"cs", MC_CACHE, CACHE_CS},
    {"lu", MC_CACHE, CACHE_CS}, {"cv", MC_CACHE, CACHE_CV}, {"wb", MC_CACHE, CACHE_WB},
    {"wt", MC_CACHE, CACHE_WT},
    {"L1", MC_LEVEL, 1}, {"L2", MC_LEVEL, 2}, {"unified", MC_HINT, 0},
    {"add", MC_ATOM, ATOM_ADD}, {"min", MC_ATOM, ATOM_MIN}, {"max", MC_ATOM, ATOM_MAX},
    {"and", MC_ATOM, ATOM_AND}, {"or", MC_ATOM, ATOM_OR}, {"xor", MC_ATOM, ATOM_XOR},
    {"exch", MC_ATOM, ATOM_EXCH}, {"cas", MC_ATOM, ATOM_CAS}, {"inc", MC_ATOM, ATOM_INC},
    {"dec", MC_ATOM, ATOM_DEC}, {"popc", MC_POPC, ATOM_ADD},
    {"eq", MC_CMP, CMP_EQ}, {"ne", MC_CMP, CMP_NE}, {"lt", MC_CMP, CMP_LT}, {"le", MC_CMP, CMP_LE},
    {"gt", MC_CMP, CMP_GT}, {"ge", MC_CMP, CMP_GE}, {"lo", MC_CMP, CMP_LT}, {"ls", MC_CMP, CMP_LE},
    {"hi", MC_CMP, CMP_GT}, {"hs", MC_CMP, CMP_GE}, {"equ", MC_CMP, CMP_EQU},
    {"neu", MC_CMP, CMP_NEU}, {"ltu", MC_CMP, CMP_LTU}, {"leu", MC_CMP, CMP_LEU},
    {"gtu", MC_CMP, CMP_GTU}, {"geu", MC_CMP, CMP_GEU}, {"num", MC_CMP, CMP_NUM},
    {"nan", MC_CMP, CMP_NAN},
    {"and", MC_BOOL, BOOL_AND}, {"or", MC_BOOL, BOOL_OR}, {"xor", MC_BOOL, BOOL_XOR},
    {"up", MC_SHFL, SHFL_UP}, {"down", MC_SHFL, SHFL_DOWN}, {"bfly", MC_SHFL, SHFL_BFLY},
    {"idx", MC_SHFL, SHFL_IDX},
    {"all", MC_VOTE, VOTE_ALL}, {"any", MC_VOTE, VOTE_ANY}, {"uni", MC_VOTE, VOTE_UNI},
    {"ballot", MC_VOTE, VOTE_BALLOT},
    {"any", MC_MATCH, 0}, {"all", MC_MATCH, INST_ALL}, {"sync", MC_SYNC, INST_SYNC},
    {"aligned", MC_ALIGNED, INST_ALIGNED}, {"wrap", MC_WRAP, INST_WRAP}, {"clamp", MC_WRAP, 0},
    {"l", MC_LR, INST_LEFT}, {"r", MC_LR, 0}, {"shiftamt", MC_SHIFTAMT, INST_SHIFTAMT},
    {"NaN", MC_NAN, INST_NANOUT}, {"xorsign", MC_XORSIGN, INST_XORSIGN}, {"abs", MC_XORSIGN, 0},
    {"relu", MC_RELU, INST_RELU}, {"noftz", MC_NOFTZ, INST_NOFTZ}, {"noinc", MC_NOINC, INST_NOINC},
    {"mbarrier::complete_tx::bytes", MC_BULK, 0}, {"bulk_group", MC_BULK, 0}, {"read", MC_BULK, 0},
    {"multicast::cluster", MC_UNSUPPORTED, 0}, {"to", MC_TO, INST_TO},
    {"f4e", MC_PRMT, PRMT_F4E}, {"b4e", MC_PRMT, PRMT_B4E}, {"rc8", MC_PRMT, PRMT_RC8},
    {"ecl", MC_PRMT, PRMT_ECL}, {"ecr", MC_PRMT, PRMT_ECR}, {"rc16", MC_PRMT, PRMT_RC16},
    {"finite", MC_TESTP, TESTP_FINITE}, {"infinite", MC_TESTP, TESTP_INFINITE},
    {"number", MC_TESTP, TESTP_NUMBER}, {"notanumber", MC_TESTP, TESTP_NOTANUMBER},
    {"normal", MC_TESTP, TESTP_NORMAL}, {"subnormal", MC_TESTP, TESTP_SUBNORMAL},
    {"mask", MC_MASK, 0},
    {"1d", MC_GEOM, GEOM_1D}, {"2d", MC_GEOM, GEOM_2D}, {"3d", MC_GEOM, GEOM_3D},
    {"a1d", MC_GEOM, GEOM_A1D}, {"a2d", MC_GEOM, GEOM_A2D}, {"cube", MC_GEOM, GEOM_CUBE},
    {"acube", MC_GEOM, GEOM_ACUBE}, {"2dms", MC_UNSUPPORTED, 0}, {"a2dms", MC_UNSUPPORTED, 0},
    {"r", MC_COMP, 0}, {"g", MC_COMP, 1}, {"b", MC_COMP, 2}, {"a", MC_COMP, 3},
    {"trap", MC_SURF, SURF_TRAP}, {"clamp", MC_SURF, SURF_CLAMP}, {"zero", MC_SURF, SURF_ZERO},
    {"width", MC_QUERY, QUERY_WIDTH}, {"height", MC_QUERY, QUERY_HEIGHT},
    {"depth", MC_QUERY, QUERY_DEPTH}, {"channel_data_type", MC_QUERY, QUERY_DATA_TYPE},
    {"channel_order", MC_QUERY, QUERY_ORDER}, {"normalized_coords", MC_QUERY, QUERY_NORMALIZED},
    {"array_size", MC_QUERY, QUERY_ARRAY_SIZE}, {"num_mipmap_levels", MC_QUERY, QUERY_LEVELS},
    {"num_samples", MC_QUERY, QUERY_SAMPLES},
    {"force_unnormalized_coords", MC_QUERY, QUERY_UNNORMALIZED},
    {"filter_mode", MC_QUERY, QUERY_FILTER}, {"addr_mode_0", MC_QUERY, QUERY_ADDRESS_0},
    {"addr_mode_1", MC_QUERY, QUERY_ADDRESS_1}, {"addr_mode_2", MC_QUERY, QUERY_ADDRESS_2},
    {"memory_layout", MC_QUERY, QUERY_LAYOUT},
    {"oob", MC_UNSUPPORTED, 0},
    {"po", MC_PO, 0}, {"shr7", MC_SCALE, 7}, {"shr15", MC_SCALE, 15},
    {"rs", MC_RS, RND_RS}, {"satfinite", MC_SATFINITE, INST_SATFINITE},
};
// clang-format on
#define NWORDS (int)(sizeof words / sizeof *words)

static int compare_base(const void *key, const void *row)
{
    return strcmp(key, ((const struct isa_row *)row)->base);
}

/* First of the rows whose mnemonic is s[0..len). */
static const struct isa_row *find_row(const char *s, size_t len)
{
    char base[40];
    if (len >= sizeof base)
        return NULL;
    memcpy(base, s, len);
    base[len] = 0;
    const struct isa_row *r =
        bsearch(base, isa_rows, (size_t)isa_nrows, sizeof *isa_rows, compare_base);
    while (r && r > isa_rows && !strcmp(r[-1].base, base))
        r--;
    return r;
}

static bool same_base(const struct isa_row *r, const struct isa_row *first)
{
    return r < isa_rows + isa_nrows && !strcmp(r->base, first->base);
}

/* Bytes up to the end of dotted part number `parts`. */
static size_t span(const char *text, int parts)
{
    size_t i = 0;
    for (; text[i]; i++)
        if (text[i] == '.' && !--parts)
            break;
    return i;
}

static bool is_hint(const char *w, size_t len)
{
    static const char *const hints[] = {"L1::evict_normal",
                                        "L1::evict_unchanged",
                                        "L1::evict_first",
                                        "L1::evict_last",
                                        "L1::no_allocate",
                                        "L2::evict_normal",
                                        "L2::evict_first",
                                        "L2::evict_last",
                                        "L2::evict_unchanged",
                                        "L2::cache_hint",
                                        "L2::64B",
                                        "L2::128B",
                                        "L2::256B"};
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (strlen(hints[i]) == len && !memcmp(w, hints[i], len))
            return true;
    return false;
}

static enum vtype find_type(const char *w, size_t len)
{
    for (int t = VT_NONE + 1; t < VT_COUNT; t++)
        if (strlen(type_name((enum vtype)t)) == len && !memcmp(type_name((enum vtype)t), w, len))
            return (enum vtype)t;
    return VT_NONE;
}

static const struct word *find_word(const char *w, size_t len, uint64_t allowed, bool *known)
{
    *known = false;
    for (int i = 0; i < NWORDS; i++) {
        if (strlen(words[i].text) != len || memcmp(words[i].text, w, len))
            continue;
        *known = true;
        if (allowed >> words[i].class & 1)
            return &words[i];
    }
    return NULL;
}

static void apply(struct spelling *s, const struct word *w)
{
    s->mods |= UINT64_C(1) << w->class;
    const uint8_t v = (uint8_t)w->value;
    switch ((enum mod_class)w->class) {
    case MC_RND:
    case MC_RNDI:
    case MC_RS:
        s->rnd = v;
        break;
    case MC_SPACE:
        if (!s->has_space) /* cp.async names two: the first is the destination's */
            s->space = v;
        s->has_space = true;
        break;
    case MC_VEC:
        s->vec = v;
        break;
    case MC_CACHE:
        s->cache = v;
        s->has_cache = true;
        break;
    case MC_ATOM:
    case MC_POPC:
    case MC_COMP:
    case MC_SURF:
        s->aop = v;
        break;
    case MC_CMP:
        s->cmp = v;
        s->lo_cmp = !strcmp(w->text, "lo") || !strcmp(w->text, "ls") || !strcmp(w->text, "hi") ||
                    !strcmp(w->text, "hs");
        break;
    case MC_SCALE:
        s->scale = v;
        break;
    case MC_BOOL:
        s->bop = v;
        break;
    case MC_SHFL:
    case MC_VOTE:
    case MC_PRMT:
    case MC_TESTP:
    case MC_GEOM:
    case MC_QUERY:
        s->mode = v;
        break;
    default:
        s->flags |= w->value;
    }
}

static bool add_type(struct spelling *s, enum vtype t)
{
    if (s->ntypes == 3)
        return false;
    *(s->ntypes == 0 ? &s->type : s->ntypes == 1 ? &s->stype : &s->type3) = (uint8_t)t;
    s->ntypes++;
    return true;
}

/* .tf32 and the types of cvt.pack that are less than a byte. */
static bool odd_type(struct spelling *s, const struct isa_row *row, const char *w, size_t len)
{
    if (row->op != OP_CVT)
        return false;
    if (len == 4 && !memcmp(w, "tf32", 4) && !strcmp(row->base, "cvt")) {
        s->is_tf32 = true;
        return add_type(s, VT_B32);
    }
    if (len == 2 && (w[0] == 'u' || w[0] == 's') && (w[1] == '2' || w[1] == '4') &&
        strcmp(row->base, "cvt")) {
        s->bits = (uint8_t)(w[1] - '0');
        return add_type(s, w[0] == 'u' ? VT_U8 : VT_S8);
    }
    return false;
}

static bool spell_word(struct spelling *s, const struct isa_row *row, uint64_t allowed,
                       const char *w, size_t len, struct err *e)
{
    const enum vtype t = find_type(w, len);
    if (t != VT_NONE && row->types) {
        if (!add_type(s, t))
            return err_set(e, "%s takes fewer types than this", row->base);
        return true;
    }
    if (odd_type(s, row, w, len))
        return true;
    if (is_hint(w, len) && (allowed & (M(HINT) | M(LEVEL)))) {
        s->mods |= M(HINT);
        s->has_policy |= len == 14 && !memcmp(w, "L2::cache_hint", 14);
        return true;
    }
    bool known;
    const struct word *x = find_word(w, len, allowed | M(UNSUPPORTED), &known);
    if (!x)
        return err_set(e, "%s: the modifier .%.*s is unknown to mdpredict", row->base,
                       (int)(len > 40 ? 40 : len), w);
    const uint64_t bit = UINT64_C(1) << x->class;
    const uint64_t repeat = M(XORSIGN) | M(UNSUPPORTED) | (row->op == OP_CP_ASYNC ? M(SPACE) : 0);
    if ((s->mods & bit) && !(repeat & bit))
        return err_set(e, "%s: a second modifier of the same kind, .%.*s", row->base, (int)len, w);
    apply(s, x);
    return true;
}

/* The row of this mnemonic that has the types written. */
static bool pick_row(struct spelling *s, const struct isa_row *first, struct err *e)
{
    bool type_ok = false;
    for (const struct isa_row *r = first; same_base(r, first); r++) {
        const bool two = r->stypes && s->ntypes > 1;
        if (r->types ? !s->ntypes || !(r->types >> s->type & 1) : s->ntypes)
            continue;
        if (two && !(r->stypes >> s->stype & 1))
            continue;
        if (s->ntypes > (r->stypes ? r->op == OP_CVT || r->op == OP_VIDEO ? 3 : 2 : 1))
            continue;
        type_ok = true;
        if (s->mods & ~(r->mods | M(UNSUPPORTED)))
            continue;
        if (r->need & ~s->mods)
            return err_set(e, "%s lacks a modifier that it needs", r->base);
        s->row = r;
        s->op = r->op;
        return true;
    }
    if (!s->ntypes)
        return err_set(e, "%s needs a type", first->base);
    if (type_ok)
        return err_set(e, "%s.%s with these modifiers is unknown to mdpredict", first->base,
                       type_name((enum vtype)s->type));
    return err_set(e, "%s for %s%s is unknown to mdpredict", first->base,
                   s->ntypes > 1 ? "types ." : "type .", type_name((enum vtype)s->type));
}

bool isa_spell(const char *text, struct spelling *s, int *at, struct err *e)
{
    memset(s, 0, sizeof *s);
    *at = 0;
    const struct isa_row *first = NULL;
    size_t len = 0;
    for (int parts = 4; parts && !first; parts--) {
        len = span(text, parts);
        if (isa_unsupported(text, len)) {
            s->op = OP_UNSUPPORTED;
            return true;
        }
        first = find_row(text, len);
    }
    if (!first) {
        len = span(text, 1);
        return err_set(e, "the instruction %.*s is unknown to mdpredict",
                       (int)(len > 60 ? 60 : len), text);
    }
    if (first->mods & M(MATRIX)) {
        s->row = first;
        s->op = first->op;
        return true;
    }
    uint64_t allowed = 0;
    for (const struct isa_row *r = first; same_base(r, first); r++)
        allowed |= r->mods;
    for (const char *w = text + len; *w;) {
        w++; /* the dot */
        const size_t n = span(w, 1);
        *at = (int)(w - 1 - text);
        if (!spell_word(s, first, allowed, w, n, e))
            return false;
        w += n;
    }
    *at = 0;
    if (s->mods & M(UNSUPPORTED)) {
        s->op = OP_UNSUPPORTED;
        return true;
    }
    return pick_row(s, first, e);
}
