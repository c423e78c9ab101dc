/* Launch files: any text is either refused with a message that names its line, or read into
 * launches whose generated buffers fill just what they may. No file is read, and nothing large is
 * generated. */
#include "sim/frontend/launch_impl.h"

#include <stdlib.h>
#include <string.h>

#define SMALL 65536

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void generate(struct source *s, uint64_t bytes)
{
    struct err e = {""};
    if (s->kind == SRC_FILE || bytes > SMALL)
        return;
    BUG_ON(!source_load(s, "fuzz", bytes, false, &e), "%s", e.msg);
    BUG_ON(s->len > bytes, "%zu bytes for a buffer of %zu", s->len, (size_t)bytes);
}

static void use(struct launch_file *f)
{
    struct err e = {""};
    for (int i = 0; i < f->nbuffers; i++)
        generate(&f->buffer[i].src, f->buffer[i].bytes);
    for (int i = 0; i < f->nchecks; i++) {
        struct check *c = &f->check[i];
        const struct buffer *b = &f->buffer[c->buffer];
        generate(&c->src, b->bytes);
        if (b->bytes > SMALL || c->src.kind == SRC_FILE)
            continue;
        uint8_t *found = xcalloc(1, b->bytes);
        BUG_ON(!check_buffer(c, b, found, &e) && !strstr(e.msg, "differ"), "%s", e.msg);
        free(found);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err e = {""};
    char *text = xmalloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    struct launch_file *f = launch_file_parse("fuzz", text, &e);
    BUG_ON(!f && strncmp(e.msg, "fuzz:", 5) != 0, "no place in: %s", e.msg);
    if (f)
        use(f);
    launch_file_free(f);
    free(text);
    return 0;
}
