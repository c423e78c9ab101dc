/* sim/ptx/operand.c -- operands, and constant expressions folded while they are read. PTX computes
 * them in 64 bits; an operation on two signed values is signed. */
#include "sim/ptx/parse.h"

#include <string.h>

#include "sim/ptx/ptx.tab.h"

struct operand *operand_new(struct parse *p, enum operand_kind kind, struct loc at)
{
    struct operand *o = arena_alloc(&p->m->arena, sizeof *o);
    o->kind = (uint8_t)kind;
    o->loc = at;
    return o;
}

struct operand *operand_wrap(struct parse *p, enum operand_kind kind, struct operands list,
                             struct loc at)
{
    struct operand *o = operand_new(p, kind, at);
    o->sub = list.first;
    return o;
}

static bool is_number(const struct operand *o)
{
    return o->kind <= OPERAND_F64;
}

static bool is_name(const struct operand *o)
{
    return o->kind == OPERAND_NAME;
}

static double as_double(const struct operand *o)
{
    union {
        uint32_t u;
        float f;
    } bits = {.u = (uint32_t)o->i};
    switch (o->kind) {
    case OPERAND_F32:
        return (double)bits.f;
    case OPERAND_F64:
        return o->d;
    default:
        return o->is_unsigned ? (double)(uint64_t)o->i : (double)o->i;
    }
}

static struct operand *no_constant(struct parse *p, struct operand *a, struct loc at)
{
    parse_error(p, at, "this is no constant expression");
    return a;
}

static struct operand *negate_float(struct operand *a)
{
    if (a->kind == OPERAND_F32)
        a->i ^= INT64_C(1) << 31;
    else
        a->d = -a->d;
    return a;
}

/* Only vmad has operands that are negated. */
static bool may_be_negated(const struct parse *p)
{
    const struct name *n = p->last && p->last->kind == STMT_INST ? p->last->name : NULL;
    return n && !strncmp(n->text, "vmad.", 5);
}

struct operand *operand_unary(struct parse *p, int op, struct operand *a, struct loc at)
{
    if (op == '!' && is_name(a) && !a->i) {
        a->neg = !a->neg;
        a->loc = at;
        return a;
    }
    if (op == '-' && (a->kind == OPERAND_F32 || a->kind == OPERAND_F64))
        return negate_float(a);
    if (op == '-' && is_name(a) && !a->i && !a->neg && may_be_negated(p)) {
        a->minus = !a->minus;
        return a;
    }
    if (a->kind != OPERAND_INT)
        return no_constant(p, a, at);
    a->loc = at;
    switch (op) {
    case '-': /* -9223372036854775808 is read as an unsigned magnitude first */
        a->i = (int64_t)(0 - (uint64_t)a->i);
        break;
    case '~':
        a->i = ~a->i;
        break;
    case '!':
        a->i = !a->i;
        break;
    default:
        a->is_unsigned = op == 'u';
    }
    return a;
}

static struct operand *float_binary(struct parse *p, int op, struct operand *a,
                                    const struct operand *b)
{
    const double x = as_double(a), y = as_double(b);
    a->kind = OPERAND_F64;
    switch (op) {
    case '+':
        a->d = x + y;
        return a;
    case '-':
        a->d = x - y;
        return a;
    case '*':
        a->d = x * y;
        return a;
    case '/':
        a->d = x / y;
        return a;
    default:
        return no_constant(p, a, b->loc);
    }
}

static uint64_t divide(int op, const struct operand *a, const struct operand *b, bool is_unsigned)
{
    const uint64_t x = (uint64_t)a->i, y = (uint64_t)b->i;
    if (is_unsigned)
        return op == '/' ? x / y : x % y;
    if (b->i == -1)
        return op == '/' ? 0 - x : 0;
    return (uint64_t)(op == '/' ? a->i / b->i : a->i % b->i);
}

static bool less(uint64_t x, uint64_t y, bool is_unsigned)
{
    return is_unsigned ? x < y : (int64_t)x < (int64_t)y;
}

static uint64_t shift(int op, const struct operand *a, uint64_t by)
{
    const uint64_t x = (uint64_t)a->i;
    if (op == T_SHL)
        return by < 64 ? x << by : 0;
    if (a->is_unsigned)
        return by < 64 ? x >> by : 0;
    return (uint64_t)(a->i >> (by < 64 ? by : 63));
}

static uint64_t integer_binary(int op, const struct operand *a, const struct operand *b,
                               bool is_unsigned)
{
    const uint64_t x = (uint64_t)a->i, y = (uint64_t)b->i;
    switch (op) {
    case '+':
        return x + y;
    case '-':
        return x - y;
    case '*':
        return x * y;
    case '&':
        return x & y;
    case '|':
        return x | y;
    case '^':
        return x ^ y;
    case '<':
        return less(x, y, is_unsigned);
    case '>':
        return less(y, x, is_unsigned);
    case T_LE:
        return !less(y, x, is_unsigned);
    case T_GE:
        return !less(x, y, is_unsigned);
    case T_EQ:
        return x == y;
    case T_NE:
        return x != y;
    case T_ANDAND:
        return x && y;
    case T_OROR:
        return x || y;
    case '/':
    case '%':
        return divide(op, a, b, is_unsigned);
    default:
        return shift(op, a, y);
    }
}

struct operand *operand_binary(struct parse *p, int op, struct operand *a, struct operand *b)
{
    if (is_name(a) && is_name(b) && op == '|' && !a->neg && !b->neg) {
        a->kind = OPERAND_PAIR;
        a->name2 = b->name;
        return a;
    }
    if (is_name(a) && b->kind == OPERAND_INT && (op == '+' || op == '-')) {
        a->i = (int64_t)(op == '+' ? (uint64_t)a->i + (uint64_t)b->i
                                   : (uint64_t)a->i - (uint64_t)b->i);
        return a;
    }
    if (a->kind == OPERAND_INT && is_name(b) && op == '+') {
        b->i = (int64_t)((uint64_t)b->i + (uint64_t)a->i);
        return b;
    }
    if (!is_number(a) || !is_number(b))
        return no_constant(p, a, is_number(a) ? b->loc : a->loc);
    if (a->kind != OPERAND_INT || b->kind != OPERAND_INT)
        return float_binary(p, op, a, b);
    if ((op == '/' || op == '%') && !b->i) {
        parse_error(p, b->loc, "division by zero in a constant expression");
        return a;
    }
    const bool is_unsigned = a->is_unsigned || b->is_unsigned;
    a->i = (int64_t)integer_binary(op, a, b, is_unsigned);
    if (op != T_SHL && op != T_SHR)
        a->is_unsigned = is_unsigned;
    return a;
}

struct operand *operand_cond(struct parse *p, struct operand *c, struct operand *a,
                             struct operand *b)
{
    if (c->kind != OPERAND_INT)
        return no_constant(p, c, c->loc);
    return c->i ? a : b;
}
