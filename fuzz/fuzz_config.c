/* GPU configurations: any text is either refused with a message, or read into a configuration whose
 * dump reads back to the same dump. */
#include "sim/gpu/gpu_cfg.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_back(const struct gpu_cfg *c)
{
    const struct param_group *groups = gpu_cfg_groups();
    struct gpu_cfg back;
    struct err e = {""};
    params_default(groups, &back);
    char *text = params_dump(groups, c);
    BUG_ON(!params_load_text(groups, &back, "dump", text, &e), "%s", e.msg);
    BUG_ON(params_hash(groups, c) != params_hash(groups, &back), "the dump changed:\n%s", text);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gpu_cfg c;
    struct err e = {""};
    char *text = xmalloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    gpu_cfg_default(&c);
    if (params_load_text(gpu_cfg_groups(), &c, "fuzz", text, &e)) {
        read_back(&c);
        BUG_ON(!gpu_cfg_check(&c, &e) && !*e.msg, "refused without a message");
    } else {
        BUG_ON(strncmp(e.msg, "fuzz:", 5) != 0, "no place in: %s", e.msg);
    }
    free(text);
    return 0;
}
