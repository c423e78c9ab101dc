/* Profile databases: any SQLite file is either refused with a message, or all that commands make of
 * a profile can be made of it. A mutation of the file's pages is a damaged file to SQLite as a
 * rule; so an input is the statements that fill a new one: lines, of which those that fail are
 * skipped. One that begins as SQLite's files do is taken as it is. */
#include <sqlite3.h>

#include "fuzz/profile_use.h"

#define MAGIC "SQLite format 3"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char path[] = "/dev/shm/fuzz_store.XXXXXX"; /* no disk waits for it */

static void put_file(const uint8_t *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    BUG_ON(!f || fwrite(data, 1, size, f) != size || fclose(f), "no file %s", path);
}

/* Of statements that only change rows and columns: no other files, no loops without an end. */
static int only_rows(void *user, int what, const char *a, const char *b, const char *c,
                     const char *d)
{
    (void)user, (void)a, (void)b, (void)c, (void)d;
    switch (what) {
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
    case SQLITE_READ:
    case SQLITE_SELECT:
    case SQLITE_ALTER_TABLE:
    case SQLITE_DROP_TABLE:
    case SQLITE_CREATE_TABLE:
        return SQLITE_OK;
    default:
        return SQLITE_DENY;
    }
}

static int enough(void *steps)
{
    return ++*(int *)steps > 1000;
}

static void put_statements(const uint8_t *data, size_t size)
{
    struct err e = {""};
    sqlite3 *db;
    int steps = 0;
    char *text = xmalloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    unlink(path);
    profile_close(profile_open(path, true, &e));
    BUG_ON(sqlite3_open(path, &db) != SQLITE_OK, "no database %s", path);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 100000);
    sqlite3_set_authorizer(db, only_rows, NULL);
    sqlite3_progress_handler(db, 100, enough, &steps);
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        sqlite3_exec(db, line, NULL, NULL, NULL);
    }
    sqlite3_close(db);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err e = {""};
    if (strchr(path, 'X'))
        close(mkstemp(path));
    if (size >= sizeof MAGIC && memcmp(data, MAGIC, sizeof MAGIC) == 0)
        put_file(data, size);
    else
        put_statements(data, size);
    struct profile *p = profile_open(path, false, &e);
    BUG_ON(!p && !*e.msg, "refused without a message");
    for (int t = 0; p && t < PROFILE_TABLES; t++)
        free(profile_use_export(p, (enum profile_table)t));
    if (p)
        profile_use(p);
    profile_close(p);
    unlink(path);
    return 0;
}
