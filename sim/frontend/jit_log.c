#include "sim/frontend/jit_log.h"

#include <stdint.h>
#include <string.h>

/* CUjit_option */
enum {
    JIT_WALL_TIME = 2,
    JIT_INFO_LOG_BUFFER,
    JIT_INFO_LOG_BUFFER_SIZE_BYTES,
    JIT_ERROR_LOG_BUFFER,
    JIT_ERROR_LOG_BUFFER_SIZE_BYTES
};

static void set_size(struct jit_text *t, void **value)
{
    t->bytes = value;
    t->room = (uint32_t)(uintptr_t)*value; /* an unsigned int in the pointer's place */
}

void jit_log_init(struct jit_log *log, unsigned n, const int *options, void **values)
{
    *log = (struct jit_log){0};
    for (unsigned i = 0; options && values && i < n; i++) {
        switch (options[i]) {
        case JIT_WALL_TIME: /* milliseconds, a float; nothing is compiled */
            values[i] = NULL;
            break;
        case JIT_INFO_LOG_BUFFER:
            log->info.to = values[i];
            break;
        case JIT_INFO_LOG_BUFFER_SIZE_BYTES:
            set_size(&log->info, &values[i]);
            break;
        case JIT_ERROR_LOG_BUFFER:
            log->errors.to = values[i];
            break;
        case JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
            set_size(&log->errors, &values[i]);
            break;
        default:
            break;
        }
    }
}

static void write_text(const struct jit_text *t, const char *text)
{
    size_t n = 0;
    if (t->to && t->room) {
        n = strnlen(text, t->room - 1);
        memcpy(t->to, text, n);
        t->to[n] = 0;
    }
    if (t->bytes)
        *t->bytes = (void *)(uintptr_t)n;
}

void jit_log_write(const struct jit_log *log, const char *error)
{
    write_text(&log->info, "");
    write_text(&log->errors, error ? error : "");
}
