/* fitter/store/profile_db.h -- what the files of the profile database share; for
 * fitter/store/profile*.c alone, the only ones that see SQLite. profile.c: the file and its tables,
 * and what is put there; profile_price.c: what answers cost; profile_walk.c: reading it back;
 * profile_csv.c: as CSV and from it; profile_check.c: what is in such a file. */
#ifndef MDP_FITTER_STORE_PROFILE_DB_H
#define MDP_FITTER_STORE_PROFILE_DB_H

#include <sqlite3.h>

#include "fitter/store/profile.h"

#define PROFILE_ROW_KEY   "config, target, seed, numbering, warps"
#define PROFILE_KEY_OF(t) t ".config, " t ".target, " t ".seed, " t ".numbering, " t ".warps"
#define PROFILE_SAME_INPUT \
    "config = ?1 AND target = ?2 AND seed = ?3 AND numbering = ?4 AND warps = ?5"

struct profile {
    sqlite3 *db; /* owned */
    char *path;  /* owned */
};

/* A table's rows, sorted by what names a row. */
struct profile_table_sql {
    const char *name, *select_all;
};
extern const struct profile_table_sql profile_tables[]; /* by enum profile_table */

/* What SQLite complains of, in e; false. */
bool profile_err(const struct profile *p, struct err *e);
bool profile_exec(struct profile *p, const char *sql, struct err *e);
sqlite3_stmt *profile_prepare(struct profile *p, const char *sql, struct err *e);
/* "INSERT OR REPLACE INTO table VALUES (?, ...)" for all of its columns. */
sqlite3_stmt *profile_prepare_insert(struct profile *p, const char *table, struct err *e);
/* Runs a statement that gives no row, once, and makes it ready for its next values. */
bool profile_step(struct profile *p, sqlite3_stmt *s, struct err *e);
/* The key as ?1 to ?5 of a statement; all of the input as its first columns, whose number is
 * returned. */
void profile_bind_key(sqlite3_stmt *s, const struct profile_input *in);
int profile_bind_input(sqlite3_stmt *s, const struct profile_input *in);
/* The one value of a statement that gives a row or none. Ends s. *found (NULL is fine): it did. */
bool profile_one_value(struct profile *p, sqlite3_stmt *s, int64_t *out, bool *found,
                       struct err *e);
/* Ends what profile_exec("BEGIN IMMEDIATE") began: commits if ok, else takes all of it back. */
bool profile_end(struct profile *p, bool ok, struct err *e);

/* Whether a profile can say what a row of a CSV file does: counters that are not negative, no run
 * without a cycle, lists that are lists, an n that fits. sql, at: type and place of each column. */
bool profile_check_row(const struct csv_table *csv, int row, const char *const *sql, const int *at,
                       int columns, struct err *e);

#endif
