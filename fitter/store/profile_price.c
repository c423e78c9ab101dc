#include "fitter/store/profile_db.h"

bool profile_add_price(struct profile *p, const struct profile_input *in,
                       const struct profile_price *price, struct err *e)
{
    sqlite3_stmt *s = profile_prepare_insert(p, "price", e);
    if (!s)
        return false;
    int at = profile_bind_input(s, in);
#define X(field, help) sqlite3_bind_double(s, ++at, price->field);
    PROFILE_PRICE(X)
#undef X
    const bool ok = profile_step(p, s, e);
    sqlite3_finalize(s);
    return ok;
}

bool profile_has_price(struct profile *p, const struct profile_input *in, bool *out, struct err *e)
{
    int64_t one;
    sqlite3_stmt *s = profile_prepare(p, "SELECT 1 FROM price WHERE " PROFILE_SAME_INPUT, e);
    if (s)
        profile_bind_key(s, in);
    return profile_one_value(p, s, &one, out, e);
}

bool profile_set_search_seconds(struct profile *p, const struct profile_input *in, double seconds,
                                struct err *e)
{
    sqlite3_stmt *s =
        profile_prepare(p, "UPDATE price SET search_seconds = ?6 WHERE " PROFILE_SAME_INPUT, e);
    if (!s)
        return false;
    profile_bind_key(s, in);
    sqlite3_bind_double(s, 6, seconds);
    const bool ok = profile_step(p, s, e);
    sqlite3_finalize(s);
    return ok;
}
