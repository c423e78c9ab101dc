/* sim/ptx/isa.c -- the tables of isa.h. Chapters 9.7.1 to 9.7.13 of the PTX ISA, 9.0. */
#include "sim/ptx/isa.h"

#include <stdlib.h>
#include <string.h>

#define I16    (TY(U16) | TY(S16))
#define I32    (TY(U32) | TY(S32))
#define I64    (TY(U64) | TY(S64))
#define INT    (I16 | I32 | I64)
#define SGN    (TY(S16) | TY(S32) | TY(S64))
#define BIT    (TY(B16) | TY(B32) | TY(B64))
#define HALF   (TY(F16) | TY(F16X2))
#define PAIRS  (TY(U16X2) | TY(S16X2))
#define BHALF  (TY(BF16) | TY(BF16X2))
#define SNG    TY(F32)
#define NARROW (TY(F16) | TY(BF16)) /* that a single is mixed with */
#define DBL    TY(F64)
#define DATA   (TY(B8) | BIT | TY(B128) | TY(U8) | TY(S8) | INT | SNG | DBL)
#define PAIR32 TY(F32X2)
#define TINY2  (TY(E4M3X2) | TY(E5M2X2) | TY(E2M3X2) | TY(E3M2X2) | TY(E2M1X2) | TY(UE8M0X2))
#define TINY4  (TY(E4M3X4) | TY(E5M2X4) | TY(E2M3X4) | TY(E3M2X4) | TY(E2M1X4))
#define CVTS   (TY(U8) | TY(S8) | INT | TY(F16) | TY(BF16) | SNG | DBL)

#define ORDER  (M(VOLATILE) | M(SEM) | M(SCOPE))
#define MEMORY (ORDER | M(SPACE) | M(VEC) | M(CACHE) | M(HINT))
#define MINMAX (M(FTZ) | M(NAN) | M(XORSIGN))
#define ATOMIC (M(SEM) | M(SCOPE) | M(SPACE) | M(ATOM) | M(NOFTZ) | M(HINT) | M(VEC))
#define ATYPES (TY(B16) | TY(B32) | TY(B64) | TY(B128) | I32 | I64 | HALF | BHALF | SNG | DBL)
#define SHARED (M(SEM) | M(SCOPE) | M(SPACE))
#define TEXELS (TY(U32) | TY(S32) | SNG | HALF)
#define VIDEO  (M(SAT) | M(ATOM))
#define CMPSET (M(CMP) | M(BOOL) | M(FTZ))

// clang-format off
const struct isa_row isa_rows[] = {
    {"abs", OP_ABS, "ds", SGN, 0, 0, 0},
    {"abs", OP_ABS, "ds", SNG | HALF, 0, M(FTZ), 0},
    {"abs", OP_ABS, "ds", DBL | BHALF, 0, 0, 0},
    {"activemask", OP_ACTIVEMASK, "d", TY(B32), 0, 0, 0},
    {"add", OP_ADD, "dss", I16 | PAIRS, 0, 0, 0},
    {"add", OP_ADD, "dss", I32, 0, M(SAT) | M(CC), 0},
    {"add", OP_ADD, "dss", I64, 0, M(CC), 0},
    {"add", OP_ADD, "dss", SNG | HALF, 0, M(RND) | M(FTZ) | M(SAT), 0},
    {"add", OP_ADD, "dss", DBL | BHALF, 0, M(RND), 0},
    {"add", OP_ADD, "dss", PAIR32, 0, M(RND) | M(FTZ), 0},
    {"add", OP_ADD, "dts", SNG, NARROW, M(RND) | M(SAT), 0},
    {"addc", OP_ADDC, "dss", I32 | I64, 0, M(CC), 0},
    {"alloca", OP_ALLOCA, NULL, TY(U32) | TY(U64), 0, 0, 0},
    {"and", OP_AND, "dss", TY(PRED) | BIT, 0, 0, 0},
    {"applypriority", OP_APPLYPRIORITY, NULL, 0, 0, M(SPACE) | M(HINT), 0},
    {"atom", OP_ATOM, NULL, ATYPES, 0, ATOMIC, M(ATOM)},
    {"bar", OP_BAR, "u?u", 0, 0, M(SYNC), M(SYNC)},
    {"bar.arrive", OP_BAR_ARRIVE, "uu", 0, 0, 0, 0},
    {"bar.cta.arrive", OP_BAR_ARRIVE, "uu", 0, 0, 0, 0},
    {"bar.cta.red", OP_BAR_RED, NULL, TY(PRED) | TY(U32), 0, M(POPC) | M(ATOM), 0},
    {"bar.cta.sync", OP_BAR, "u?u", 0, 0, 0, 0},
    {"bar.red", OP_BAR_RED, NULL, TY(PRED) | TY(U32), 0, M(POPC) | M(ATOM), 0},
    {"bar.warp", OP_BAR_WARP, "u", 0, 0, M(SYNC), M(SYNC)},
    {"barrier", OP_BAR, "u?u", 0, 0, M(SYNC) | M(ALIGNED), M(SYNC)},
    {"barrier.arrive", OP_BAR_ARRIVE, "uu", 0, 0, M(ALIGNED), 0},
    {"barrier.cluster.arrive", OP_CLUSTER_ARRIVE, "", 0, 0, M(SEM) | M(ALIGNED), 0},
    {"barrier.cluster.wait", OP_CLUSTER_WAIT, "", 0, 0, M(SEM) | M(ALIGNED), 0},
    {"barrier.cta.arrive", OP_BAR_ARRIVE, "uu", 0, 0, M(ALIGNED), 0},
    {"barrier.cta.red", OP_BAR_RED, NULL, TY(PRED) | TY(U32), 0, M(POPC) | M(ATOM) | M(ALIGNED), 0},
    {"barrier.cta.sync", OP_BAR, "u?u", 0, 0, M(ALIGNED), 0},
    {"barrier.red", OP_BAR_RED, NULL, TY(PRED) | TY(U32), 0, M(POPC) | M(ATOM) | M(ALIGNED), 0},
    {"bfe", OP_BFE, "dsuu", I32 | I64, 0, 0, 0},
    {"bfi", OP_BFI, "dssuu", TY(B32) | TY(B64), 0, 0, 0},
    {"bfind", OP_BFIND, "os", I32 | I64, 0, M(SHIFTAMT), 0},
    {"bmsk", OP_BMSK, "duu", TY(B32), 0, M(WRAP), M(WRAP)},
    {"bra", OP_BRA, NULL, 0, 0, M(UNI), 0},
    {"brev", OP_BREV, "ds", TY(B32) | TY(B64), 0, 0, 0},
    {"brkpt", OP_BRKPT, "", 0, 0, 0, 0},
    {"brx.idx", OP_BRX, NULL, 0, 0, M(UNI), 0},
    {"call", OP_CALL, NULL, 0, 0, M(UNI), 0},
    {"clz", OP_CLZ, "os", TY(B32) | TY(B64), 0, 0, 0},
    {"cnot", OP_CNOT, "ds", BIT, 0, 0, 0},
    {"copysign", OP_COPYSIGN, "dss", SNG | DBL, 0, 0, 0},
    {"cos", OP_COS, "ds", SNG, 0, M(APPROX) | M(FTZ), 0},
    {"cp.async", OP_CP_ASYNC, NULL, 0, 0, M(CACHE) | M(SPACE) | M(HINT), M(CACHE) | M(SPACE)},
    {"cp.async.bulk.commit_group", OP_CP_ASYNC_COMMIT, "", 0, 0, 0, 0},
    {"cp.async.bulk.global", OP_CP_BULK, NULL, 0, 0, M(SPACE) | M(BULK) | M(HINT), M(SPACE) | M(BULK)},
    {"cp.async.bulk.shared::cluster", OP_CP_BULK, NULL, 0, 0, M(SPACE) | M(BULK) | M(HINT), M(SPACE) | M(BULK)},
    {"cp.async.bulk.shared::cta", OP_CP_BULK, NULL, 0, 0, M(SPACE) | M(BULK) | M(HINT), M(SPACE) | M(BULK)},
    {"cp.async.bulk.wait_group", OP_CP_ASYNC_WAIT, NULL, 0, 0, M(BULK), 0},
    {"cp.async.commit_group", OP_CP_ASYNC_COMMIT, "", 0, 0, 0, 0},
    {"cp.async.mbarrier.arrive", OP_MBAR_ASYNC, "a", TY(B64), 0, M(SPACE) | M(NOINC), 0},
    {"cp.async.wait_all", OP_CP_ASYNC_WAIT, NULL, 0, 0, 0, 0},
    {"cp.async.wait_group", OP_CP_ASYNC_WAIT, NULL, 0, 0, 0, 0},
    {"createpolicy.cvt", OP_CREATEPOLICY, NULL, TY(B64), 0, M(LEVEL), M(LEVEL)},
    {"createpolicy.fractional", OP_CREATEPOLICY, NULL, TY(B64), 0, M(HINT), M(HINT)},
    {"createpolicy.range", OP_CREATEPOLICY, NULL, TY(B64), 0, M(HINT) | M(SPACE), M(HINT)},
    {"cvt", OP_CVT, NULL, CVTS | HALF | BHALF | TY(B32), CVTS, M(RND) | M(RNDI) | M(FTZ) | M(SAT) | M(RELU), 0},
    {"cvt", OP_CVT_NARROW, NULL, TINY2 | TINY4 | HALF | BHALF | TY(B32), SNG | TY(F16X2) | TY(BF16X2) | TINY2, M(RND) | M(RNDI) | M(RS) | M(SATFINITE) | M(RELU), 0},
    {"cvt.pack", OP_CVT, NULL, I16 | TY(U8) | TY(S8), I32, M(SAT), M(SAT)},
    {"cvta", OP_CVTA, NULL, TY(U32) | TY(U64), 0, M(SPACE) | M(TO), M(SPACE)},
    {"discard", OP_DISCARD, NULL, 0, 0, M(SPACE) | M(LEVEL), M(LEVEL)},
    {"div", OP_DIV, "dss", INT, 0, 0, 0},
    {"div", OP_DIV, "dss", SNG, 0, M(RND) | M(APPROX) | M(FULL) | M(FTZ), 0},
    {"div", OP_DIV, "dss", DBL, 0, M(RND), 0},
    {"dp2a", OP_DP2A, "duuu", I32, I32, M(HILO), M(HILO)},
    {"dp4a", OP_DP4A, "duuu", I32, I32, 0, 0},
    {"elect", OP_ELECT, "Ou", 0, 0, M(SYNC), M(SYNC)},
    {"ex2", OP_EX2, "ds", SNG | HALF | BHALF, 0, M(APPROX) | M(FTZ), 0},
    {"exit", OP_EXIT, "", 0, 0, 0, 0},
    {"fence", OP_MEMBAR, "", 0, 0, M(SEM) | M(SCOPE), M(SCOPE)},
    {"fence.mbarrier_init", OP_MEMBAR, "", 0, 0, M(SEM) | M(SCOPE), 0},
    {"fence.proxy.alias", OP_MEMBAR, "", 0, 0, 0, 0},
    {"fence.proxy.async", OP_MEMBAR, "", 0, 0, M(SPACE), 0},
    {"fma", OP_FMA, "dsss", SNG, 0, M(RND) | M(FTZ) | M(SAT), 0},
    {"fma", OP_FMA, "dsss", DBL, 0, M(RND), 0},
    {"fma", OP_FMA, "dsss", PAIR32, 0, M(RND) | M(FTZ), M(RND)},
    {"fma", OP_FMA, "dsss", HALF, 0, M(RND) | M(FTZ) | M(SAT) | M(RELU), 0},
    {"fma", OP_FMA, "dsss", BHALF, 0, M(RND) | M(RELU), 0},
    {"fma", OP_FMA, "dtts", SNG, NARROW, M(RND) | M(SAT), 0},
    {"fns", OP_FNS, "duuu", TY(B32), 0, 0, 0},
    {"getctarank", OP_CTARANK, "os", TY(U32) | TY(U64), 0, M(SPACE), 0},
    {"griddepcontrol.launch_dependents", OP_MEMBAR, "", 0, 0, 0, 0}, /* launches follow each other */
    {"griddepcontrol.wait", OP_MEMBAR, "", 0, 0, 0, 0},
    {"isspacep", OP_ISSPACEP, NULL, 0, 0, M(SPACE), M(SPACE)},
    {"ld", OP_LD, NULL, DATA, 0, MEMORY | M(NC), 0},
    {"ldmatrix", OP_LDMATRIX, NULL, 0, 0, M(MATRIX), 0},
    {"ldu", OP_LDU, NULL, DATA, 0, M(SPACE) | M(VEC), 0},
    {"lg2", OP_LG2, "ds", SNG, 0, M(APPROX) | M(FTZ), 0},
    {"lop3", OP_LOP3, "Qsssc?P", TY(B32), 0, M(BOOL), 0},
    {"mad", OP_MAD, "dtts", INT, 0, M(HILO) | M(WIDE) | M(SAT) | M(CC), 0},
    {"mad", OP_MAD, "dsss", SNG, 0, M(RND) | M(FTZ) | M(SAT), 0},
    {"mad", OP_MAD, "dsss", DBL, 0, M(RND), 0},
    {"mad24", OP_MAD24, "dsss", I32, 0, M(HILO) | M(SAT), M(HILO)},
    {"madc", OP_MADC, "dsss", I32 | I64, 0, M(HILO) | M(CC), M(HILO)},
    {"mapa", OP_MAPA, "dsu", TY(U32) | TY(U64), 0, M(SPACE), 0},
    {"match", OP_MATCH, "Osu", TY(B32) | TY(B64), 0, M(MATCH) | M(SYNC), M(MATCH) | M(SYNC)},
    {"max", OP_MAX, "dss", INT | PAIRS, 0, M(RELU), 0},
    {"max", OP_MAX, "dss?s", SNG, 0, MINMAX, 0},
    {"max", OP_MAX, "dss", HALF | BHALF, 0, MINMAX, 0},
    {"max", OP_MAX, "dss", DBL, 0, 0, 0},
    {"mbarrier.arrive", OP_MBAR_ARRIVE, "da?u", TY(B64), 0, SHARED, 0},
    {"mbarrier.arrive.expect_tx", OP_MBAR_ARRIVE_EXPECT, "dau", TY(B64), 0, SHARED, 0},
    {"mbarrier.arrive.noComplete", OP_MBAR_ARRIVE, "dau", TY(B64), 0, SHARED, 0},
    {"mbarrier.arrive_drop", OP_MBAR_DROP, "da?u", TY(B64), 0, SHARED, 0},
    {"mbarrier.arrive_drop.expect_tx", OP_MBAR_DROP_EXPECT, "dau", TY(B64), 0, SHARED, 0},
    {"mbarrier.arrive_drop.noComplete", OP_MBAR_DROP, "dau", TY(B64), 0, SHARED, 0},
    {"mbarrier.complete_tx", OP_MBAR_COMPLETE, "au", TY(B64), 0, SHARED, 0},
    {"mbarrier.expect_tx", OP_MBAR_EXPECT, "au", TY(B64), 0, SHARED, 0},
    {"mbarrier.init", OP_MBAR_INIT, "au", TY(B64), 0, M(SPACE), 0},
    {"mbarrier.inval", OP_MBAR_INVAL, "a", TY(B64), 0, M(SPACE), 0},
    {"mbarrier.pending_count", OP_MBAR_PENDING, "os", TY(B64), 0, 0, 0},
    {"mbarrier.test_wait", OP_MBAR_TEST, "pas", TY(B64), 0, SHARED, 0},
    {"mbarrier.test_wait.parity", OP_MBAR_PARITY, "pau", TY(B64), 0, SHARED, 0},
    {"mbarrier.try_wait", OP_MBAR_TEST, "pas?u", TY(B64), 0, SHARED, 0},
    {"mbarrier.try_wait.parity", OP_MBAR_PARITY, "pau?u", TY(B64), 0, SHARED, 0},
    {"membar", OP_MEMBAR, "", 0, 0, M(SCOPE), M(SCOPE)},
    {"min", OP_MIN, "dss", INT | PAIRS, 0, M(RELU), 0},
    {"min", OP_MIN, "dss?s", SNG, 0, MINMAX, 0},
    {"min", OP_MIN, "dss", HALF | BHALF, 0, MINMAX, 0},
    {"min", OP_MIN, "dss", DBL, 0, 0, 0},
    {"mma", OP_MATRIX_OUT, NULL, 0, 0, M(MATRIX), 0},
    {"mov", OP_MOV, NULL, TY(PRED) | BIT | TY(B128) | INT | SNG | DBL, 0, 0, 0},
    {"movmatrix", OP_MOVMATRIX, NULL, 0, 0, M(MATRIX), 0},
    {"mul", OP_MUL, "dtt", INT, 0, M(HILO) | M(WIDE), 0},
    {"mul", OP_MUL, "dss", SNG | HALF, 0, M(RND) | M(FTZ) | M(SAT), 0},
    {"mul", OP_MUL, "dss", DBL | BHALF, 0, M(RND), 0},
    {"mul", OP_MUL, "dss", PAIR32, 0, M(RND) | M(FTZ), 0},
    {"mul24", OP_MUL24, "dss", I32, 0, M(HILO), M(HILO)},
    {"nanosleep", OP_NANOSLEEP, "u", TY(U32), 0, 0, 0},
    {"neg", OP_NEG, "ds", SGN, 0, 0, 0},
    {"neg", OP_NEG, "ds", SNG | HALF, 0, M(FTZ), 0},
    {"neg", OP_NEG, "ds", DBL | BHALF, 0, 0, 0},
    {"not", OP_NOT, "ds", TY(PRED) | BIT, 0, 0, 0},
    {"or", OP_OR, "dss", TY(PRED) | BIT, 0, 0, 0},
    {"pmevent", OP_PMEVENT, "c", 0, 0, M(MASK), 0},
    {"popc", OP_POPC, "os", TY(B32) | TY(B64), 0, 0, 0},
    {"prefetch", OP_PREFETCH, NULL, 0, 0, M(SPACE) | M(LEVEL) | M(HINT), 0},
    {"prefetchu", OP_PREFETCHU, NULL, 0, 0, M(LEVEL), M(LEVEL)},
    {"prmt", OP_PRMT, "dsss", TY(B32), 0, M(PRMT), 0},
    {"rcp", OP_RCP, "ds", SNG | DBL, 0, M(APPROX) | M(RND) | M(FTZ), 0},
    {"red", OP_RED, NULL, ATYPES, 0, ATOMIC, M(ATOM)},
    {"redux", OP_REDUX, "dsu", I32 | TY(B32), 0, M(ATOM) | M(SYNC), M(ATOM) | M(SYNC)},
    {"rem", OP_REM, "dss", INT, 0, 0, 0},
    {"ret", OP_RET, "", 0, 0, M(UNI), 0},
    {"rsqrt", OP_RSQRT, "ds", SNG | DBL, 0, M(APPROX) | M(FTZ), 0},
    {"sad", OP_SAD, "dsss", INT, 0, 0, 0},
    {"selp", OP_SELP, "dssP", BIT | INT | SNG | DBL | TY(F16) | TY(BF16), 0, 0, 0},
    {"set", OP_SET, "dtt?P", I16 | I32 | SNG | HALF | BHALF, BIT | INT | HALF | BHALF | SNG | DBL, CMPSET, M(CMP)},
    {"setp", OP_SETP, "qtt?P", BIT | INT | HALF | BHALF | SNG | DBL, 0, CMPSET, M(CMP)},
    {"shf", OP_SHF, "dssu", TY(B32), 0, M(LR) | M(WRAP), M(LR) | M(WRAP)},
    {"shfl", OP_SHFL, "Qsuu?u", TY(B32) | I32 | SNG, 0, M(SHFL) | M(SYNC), M(SHFL)},
    {"shl", OP_SHL, "dsu", BIT, 0, 0, 0},
    {"shr", OP_SHR, "dsu", BIT | INT, 0, 0, 0},
    {"sin", OP_SIN, "ds", SNG, 0, M(APPROX) | M(FTZ), 0},
    {"slct", OP_SLCT, "dsst", BIT | INT | SNG | DBL, TY(S32) | SNG, M(FTZ), 0},
    {"sqrt", OP_SQRT, "ds", SNG | DBL, 0, M(APPROX) | M(RND) | M(FTZ), 0},
    {"st", OP_ST, NULL, DATA, 0, MEMORY, 0},
    {"stackrestore", OP_STACK, NULL, TY(U32) | TY(U64), 0, 0, 0},
    {"stacksave", OP_STACK, NULL, TY(U32) | TY(U64), 0, 0, 0},
    {"stmatrix", OP_STMATRIX, NULL, 0, 0, M(MATRIX), 0},
    {"sub", OP_SUB, "dss", I16, 0, 0, 0},
    {"sub", OP_SUB, "dss", I32, 0, M(SAT) | M(CC), 0},
    {"sub", OP_SUB, "dss", I64, 0, M(CC), 0},
    {"sub", OP_SUB, "dss", SNG | HALF, 0, M(RND) | M(FTZ) | M(SAT), 0},
    {"sub", OP_SUB, "dss", DBL | BHALF, 0, M(RND), 0},
    {"sub", OP_SUB, "dss", PAIR32, 0, M(RND) | M(FTZ), 0},
    {"sub", OP_SUB, "dts", SNG, NARROW, M(RND) | M(SAT), 0},
    {"subc", OP_SUBC, "dss", I32 | I64, 0, M(CC), 0},
    {"suld.b", OP_SULD, NULL, TY(B8) | BIT, 0, M(GEOM) | M(CACHE) | M(VEC) | M(SURF), M(GEOM) | M(SURF)},
    {"suq", OP_TXQ, NULL, TY(B32), 0, M(QUERY), M(QUERY)},
    {"sust.b", OP_SUST, NULL, TY(B8) | BIT, 0, M(GEOM) | M(CACHE) | M(VEC) | M(SURF), M(GEOM) | M(SURF)},
    {"szext", OP_SZEXT, "dsu", I32, 0, M(WRAP), M(WRAP)},
    {"tanh", OP_TANH, "ds", SNG | HALF | BHALF, 0, M(APPROX), M(APPROX)},
    {"testp", OP_TESTP, "ps", SNG | DBL, 0, M(TESTP), M(TESTP)},
    {"tex", OP_TEX, NULL, TEXELS, TY(S32) | SNG, M(GEOM) | M(VEC), M(GEOM) | M(VEC)},
    {"tex.base", OP_TEX, NULL, TEXELS, TY(S32) | SNG, M(GEOM) | M(VEC), M(GEOM) | M(VEC)},
    {"tex.grad", OP_TEX, NULL, TEXELS, SNG, M(GEOM) | M(VEC), M(GEOM) | M(VEC)},
    {"tex.level", OP_TEX, NULL, TEXELS, TY(S32) | SNG, M(GEOM) | M(VEC), M(GEOM) | M(VEC)},
    {"tld4", OP_TLD4, NULL, TEXELS, SNG, M(GEOM) | M(VEC) | M(COMP), M(GEOM) | M(VEC) | M(COMP)},
    {"trap", OP_TRAP, "", 0, 0, 0, 0},
    {"txq", OP_TXQ, NULL, TY(B32), 0, M(QUERY), M(QUERY)},
    {"txq.level", OP_TXQ, NULL, TY(B32), 0, M(QUERY), M(QUERY)},
    {"vabsdiff", OP_VIDEO, NULL, I32, I32, VIDEO, 0},
    {"vabsdiff2", OP_VIDEO, NULL, I32, I32, VIDEO, 0},
    {"vabsdiff4", OP_VIDEO, NULL, I32, I32, VIDEO, 0},
    {"vadd", OP_VIDEO, NULL, I32, I32, VIDEO, 0},
    {"vadd2", OP_VIDEO, NULL, I32, I32, VIDEO, 0},
    {"vadd4", OP_VIDEO, NULL, I32, I32, VIDEO, 0},
    {"vavrg2", OP_VIDEO, NULL, I32, I32, VIDEO, 0},
    {"vavrg4", OP_VIDEO, NULL, I32, I32, VIDEO, 0},
    {"vmad", OP_VIDEO, NULL, I32, I32, M(SAT) | M(PO) | M(SCALE), 0},
    {"vmax", OP_VIDEO, NULL, I32, I32, VIDEO, 0},
    {"vmax2", OP_VIDEO, NULL, I32, I32, VIDEO, 0},
    {"vmax4", OP_VIDEO, NULL, I32, I32, VIDEO, 0},
    {"vmin", OP_VIDEO, NULL, I32, I32, VIDEO, 0},
    {"vmin2", OP_VIDEO, NULL, I32, I32, VIDEO, 0},
    {"vmin4", OP_VIDEO, NULL, I32, I32, VIDEO, 0},
    {"vote", OP_VOTE, "dP?u", TY(PRED) | TY(B32), 0, M(VOTE) | M(SYNC), M(VOTE)},
    {"vset", OP_VIDEO, NULL, I32, I32, M(CMP) | M(ATOM), M(CMP)},
    {"vset2", OP_VIDEO, NULL, I32, I32, M(CMP) | M(ATOM), M(CMP)},
    {"vset4", OP_VIDEO, NULL, I32, I32, M(CMP) | M(ATOM), M(CMP)},
    {"vshl", OP_VIDEO, NULL, I32, I32, VIDEO | M(WRAP), M(WRAP)},
    {"vshr", OP_VIDEO, NULL, I32, I32, VIDEO | M(WRAP), M(WRAP)},
    {"vsub", OP_VIDEO, NULL, I32, I32, VIDEO, 0},
    {"vsub2", OP_VIDEO, NULL, I32, I32, VIDEO, 0},
    {"vsub4", OP_VIDEO, NULL, I32, I32, VIDEO, 0},
    {"wmma.load.a", OP_WMMA_LOAD, NULL, 0, 0, M(MATRIX), 0},
    {"wmma.load.b", OP_WMMA_LOAD, NULL, 0, 0, M(MATRIX), 0},
    {"wmma.load.c", OP_WMMA_LOAD, NULL, 0, 0, M(MATRIX), 0},
    {"wmma.mma", OP_MATRIX_OUT, NULL, 0, 0, M(MATRIX), 0},
    {"wmma.store.d", OP_WMMA_STORE, NULL, 0, 0, M(MATRIX), 0},
    {"xor", OP_XOR, "dss", TY(PRED) | BIT, 0, 0, 0},
};
// clang-format on
const int isa_nrows = sizeof isa_rows / sizeof *isa_rows;

static const char *const unsupported[] = {"cp",
                                          "cp.async.bulk",
                                          "clusterlaunchcontrol",
                                          "fence.proxy.tensormap::generic",
                                          "istypep",
                                          "membar.proxy",
                                          "mma.sp",
                                          "multimem",
                                          "red.async",
                                          "setmaxnreg",
                                          "st.async",
                                          "st.bulk",
                                          "suld",
                                          "sured",
                                          "sust",
                                          "tcgen05",
                                          "tensormap",
                                          "wgmma"};

bool isa_unsupported(const char *base, size_t len)
{
    for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++)
        if (strlen(unsupported[i]) == len && !memcmp(unsupported[i], base, len))
            return true;
    return false;
}

static const uint8_t latency[] = {
#define OP(id, name, cls) cls,
#include "sim/ptx/opcodes.def"
#undef OP
};

static enum unit unit_of(const struct inst *in)
{
    switch ((enum opcode)in->op) {
    case OP_LD:
    case OP_LDU:
    case OP_ST:
    case OP_ATOM:
    case OP_RED:
    case OP_PREFETCH:
    case OP_TEX:
    case OP_TLD4:
    case OP_SULD:
    case OP_SUST:
    case OP_PREFETCHU:
    case OP_DISCARD:
    case OP_APPLYPRIORITY:
    case OP_CP_ASYNC:
    case OP_CP_ASYNC_COMMIT:
    case OP_CP_BULK:
    case OP_CP_ASYNC_WAIT:
    case OP_MEMBAR:
    case OP_WMMA_LOAD:
    case OP_WMMA_STORE:
    case OP_LDMATRIX:
    case OP_STMATRIX:
        return UNIT_MEM;
    case OP_BRA:
    case OP_BRX:
    case OP_CALL:
    case OP_RET:
    case OP_EXIT:
    case OP_BAR:
    case OP_BAR_ARRIVE:
    case OP_BAR_RED:
    case OP_CLUSTER_ARRIVE:
    case OP_CLUSTER_WAIT:
    case OP_TRAP:
    case OP_BRKPT:
        return UNIT_CONTROL;
    default:
        break;
    }
    const bool is_int = in->num == NUM_INT;
    switch ((enum lat_class)in->lat) {
    case LAT_SFU:
    case LAT_DIV:
        return UNIT_SFU;
    case LAT_MUL:
        return is_int ? UNIT_SFU : UNIT_SP_OR_SFU;
    case LAT_MAD:
        return is_int ? UNIT_SFU : UNIT_SP;
    default:
        return UNIT_SP;
    }
}

void isa_timing(struct inst *in)
{
    in->lat = latency[in->op];
    in->num = in->type == VT_F64 ? NUM_DP : type_is_float((enum vtype)in->type) ? NUM_FP : NUM_INT;
    in->unit = (uint8_t)unit_of(in);
}
