#include "sim/mem/channel_share.h"

#include "tests/suite.h"

#define LEAD 100

/* Each cycle that may be taken is: of a channel that stands for three, one of these has a third of
 * the cycles, and no more than its lead before. */
static void one_alone_has_its_share(void)
{
    struct channel_share s;
    channel_share_init(&s, 3, 3, LEAD);
    uint64_t taken = 0;
    for (cycle_t now = 1; now <= 10000; now++)
        if (channel_share_when(&s, 1) <= now) {
            channel_share_take(&s, 1, now, 1);
            taken++;
        }
    CU_ASSERT_TRUE(taken >= 10000 / 3 && taken <= (10000 + LEAD) / 3 + 1);
    CU_ASSERT_TRUE(channel_share_binds(&s, 10000));
    CU_ASSERT_EQUAL(channel_share_when(&s, 0), 0);
    CU_ASSERT_EQUAL(channel_share_when(&s, 2), 0);
    channel_share_fini(&s);
}

/* In turns they have all of it, and none waits. */
static void all_alike_are_never_held_back(void)
{
    struct channel_share s;
    channel_share_init(&s, 3, 3, LEAD);
    for (cycle_t now = 4; now <= 10000; now += 4) {
        const int i = (int)(now / 4 % 3);
        CU_ASSERT_TRUE_FATAL(!channel_share_binds(&s, now) && channel_share_when(&s, i) <= now);
        channel_share_take(&s, i, now, 4);
    }
    channel_share_fini(&s);
}

/* 100 cycles of 4 are 400 of its own: done at 410 if it began at 10, so that it may go on at 310.
 * After a pause it begins anew. */
static void by_hand(void)
{
    struct channel_share s;
    channel_share_init(&s, 4, 8, LEAD);
    channel_share_take(&s, 7, 110, 100);
    CU_ASSERT_EQUAL(channel_share_when(&s, 7), 310);
    CU_ASSERT_TRUE(channel_share_binds(&s, 309));
    CU_ASSERT_FALSE(channel_share_binds(&s, 310));
    channel_share_take(&s, 7, 500, 50);
    CU_ASSERT_EQUAL(channel_share_when(&s, 7), 450 + 200 - LEAD);
    channel_share_fini(&s);
}

SUITE("mem/channel_share", T(one_alone_has_its_share), T(all_alike_are_never_held_back), T(by_hand))
