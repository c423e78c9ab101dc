#include "sim/mem/channel_share.h"

#include <stdlib.h>

#include "base/err.h"

void channel_share_init(struct channel_share *s, int channels, int accounts, cycle_t lead)
{
    *s = (struct channel_share){
        .channels = channels, .lead = lead, .until = xcalloc((size_t)accounts, sizeof *s->until)};
}

void channel_share_fini(struct channel_share *s)
{
    free(s->until);
}

void channel_share_take(struct channel_share *s, int account, cycle_t now, cycle_t cycles)
{
    const cycle_t begin = now > cycles ? now - cycles : 0;
    cycle_t *until = &s->until[account];
    *until = (*until > begin ? *until : begin) + (cycle_t)s->channels * cycles;
    s->last = *until > s->last ? *until : s->last;
}
