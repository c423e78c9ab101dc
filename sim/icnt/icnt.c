#include "sim/icnt/icnt.h"

#include <string.h>

static const struct icnt_ops *const all[] = {&icnt_xbar, &icnt_fly, &icnt_mesh};

const struct icnt_ops *icnt_at(int i)
{
    return i >= 0 && i < (int)(sizeof all / sizeof *all) ? all[i] : NULL;
}

const struct icnt_ops *icnt_find(const char *name)
{
    for (int i = 0; icnt_at(i); i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    return NULL;
}

static int data_bytes(const struct mem_req *r)
{
    const bool data = r->is_reply ? !r->write : r->write || r->kind == REQ_ATOMIC;
    return data ? (int)r->bytes : 0;
}

uint16_t icnt_packet_flits(const struct icnt_cfg *cfg, const struct mem_req *r)
{
    return (uint16_t)icnt_flits(cfg, data_bytes(r));
}

int icnt_request_room(const struct icnt_cfg *cfg, const struct mem_req *r, bool header)
{
    const int data = data_bytes(r);
    return icnt_flits(cfg, data && !header ? data - cfg->header_bytes : data);
}
