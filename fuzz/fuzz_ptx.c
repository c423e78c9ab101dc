/* Any bytes as PTX: parse, place, decode and print every kernel. */
#include <stdlib.h>

#include "sim/ptx/module.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err e;
    struct module *m = module_parse("fuzz.ptx", (const char *)data, size, &e);
    for (int i = 0; m && i < module_nvars(m); i++)
        module_var_at(m, i)->addr = 0x40000000u + 0x100u * (unsigned)i;
    if (m && module_place(m, &e)) {
        for (int i = 0; i < module_nentries(m); i++) {
            const struct kernel *k = kernel_get(m, module_entry_name(m, i), &e);
            if (k)
                free(kernel_disasm(k, NULL));
        }
    }
    module_free(m);
    return 0;
}
