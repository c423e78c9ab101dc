#include "fitter/store/profile_db.h"

#include "fitter/store/results.h"

static void bind_run(sqlite3_stmt *s, const struct profile_input *in, struct profile_run run)
{
    profile_bind_key(s, in);
    sqlite3_bind_int(s, 6, run.n);
    sqlite3_bind_int(s, 7, run.perturbation);
}

bool profile_get_result(struct profile *p, const struct profile_input *in, struct profile_run run,
                        struct profile_result *out, struct err *e)
{
    *out = (struct profile_result){0};
    sqlite3_stmt *s =
        profile_prepare(p,
                        "SELECT counted, seconds FROM result WHERE " PROFILE_SAME_INPUT
                        " AND n = ?6 AND perturbation = ?7",
                        e);
    if (!s)
        return false;
    bind_run(s, in, run);
    const int rc = sqlite3_step(s);
    const char *counted = rc == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : NULL,
               *seconds = rc == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 1) : NULL;
    if (counted && seconds) { /* else there is none, or the file is damaged */
        out->counted = xstrdup(counted);
        out->seconds = xstrdup(seconds);
    }
    const bool ok = rc == SQLITE_ROW || rc == SQLITE_DONE || profile_err(p, e);
    sqlite3_finalize(s);
    return ok;
}

bool profile_add_result(struct profile *p, const struct profile_input *in, struct profile_run run,
                        const struct profile_result *result, struct err *e)
{
    sqlite3_stmt *s = profile_prepare_insert(p, "result", e);
    if (!s)
        return false;
    int at = profile_bind_input(s, in);
    sqlite3_bind_int(s, ++at, run.n);
    sqlite3_bind_int(s, ++at, run.perturbation);
    sqlite3_bind_text(s, ++at, result->counted, -1, SQLITE_STATIC);
    sqlite3_bind_text(s, ++at, result->seconds, -1, SQLITE_STATIC);
    const bool ok = profile_step(p, s, e);
    sqlite3_finalize(s);
    return ok;
}
