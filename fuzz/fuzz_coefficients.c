/* Coefficients: any file is either refused, with its name, or predicts from a sample, and what is
 * written of it reads back as the same. The first byte says whose they are. */
#include "fuzz/profile_use.h"
#include "tests/program/records.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool take(struct coefficients *c, const struct model_ops *m, const uint8_t *data,
                 size_t size)
{
    char path[40];
    struct err e = {""};
    const int fd = profile_use_file(data, size, path);
    const bool ok = coefficients_load(c, m, path, &e);
    BUG_ON(!ok && strncmp(e.msg, path, strlen(path)) != 0, "no name in: %s", e.msg);
    close(fd);
    return ok;
}

static char *written(const struct coefficients *c)
{
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    coefficients_write(c, "fuzz", "fuzz", f);
    fclose(f);
    return text;
}

static void read_back(const struct coefficients *c)
{
    struct coefficients again;
    char *text = written(c), *other;
    BUG_ON(!take(&again, c->model, (const uint8_t *)text, strlen(text)), "not taken back:\n%s",
           text);
    other = written(&again);
    BUG_ON(strcmp(text, other) != 0, "changed:\n%s\n%s", text, other);
    coefficients_release(&again);
    free(text);
    free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct coefficients c;
    struct prediction one, all;
    const struct model_ops *m = size && data[0] >= '0' ? model_at(data[0] - '0') : NULL;
    if (!m || !take(&c, m, data + 1, size - 1))
        return 0;
    const struct model_coeffs borrowed = coefficients_model(&c);
    const struct sample s = records_sample().sample;
    model_predict(&borrowed, &s, 1, &one, &all);
    BUG_ON(all.chosen_n < 1 || all.chosen_n > s.n_max, "%d is chosen", all.chosen_n);
    read_back(&c);
    coefficients_release(&c);
    return 0;
}
