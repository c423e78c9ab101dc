/* Profiles as CSV: any file is either refused, with its name and a line, or all that commands make
 * of a profile can be made of it, and it reads back as it was written. The first byte says of which
 * table the rest is: 0 runs, 1 samples, 2 prices. */
#include "base/csv_table.h"
#include "fuzz/profile_use.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool take(struct profile *p, enum profile_table t, const uint8_t *data, size_t size)
{
    char path[40];
    struct err e = {""};
    const int fd = profile_use_file(data, size, path);
    const bool ok = profile_import(p, t, path, &e);
    BUG_ON(!ok && strncmp(e.msg, path, strlen(path)) != 0, "no name in: %s", e.msg);
    close(fd);
    return ok;
}

static void read_back(struct profile *p, enum profile_table t)
{
    struct err e = {""};
    char *text = profile_use_export(p, t);
    BUG_ON(!text, "what was taken is not written");
    struct profile *again = profile_open(NULL, true, &e);
    BUG_ON(!again, "%s", e.msg);
    BUG_ON(!take(again, t, (const uint8_t *)text, strlen(text)), "not taken back:\n%s", text);
    char *other = profile_use_export(again, t);
    BUG_ON(!other || strcmp(text, other) != 0, "changed:\n%s\n%s", text, other);
    profile_close(again);
    free(text);
    free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err e = {""};
    if (!size || data[0] < '0' || data[0] >= '0' + PROFILE_TABLES)
        return 0;
    const enum profile_table t = (enum profile_table)(data[0] - '0');
    struct profile *p = profile_open(NULL, true, &e);
    BUG_ON(!p, "%s", e.msg);
    if (take(p, t, data + 1, size - 1)) {
        read_back(p, t);
        profile_use(p);
    }
    profile_close(p);
    return 0;
}
