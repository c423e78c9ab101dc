#include "sim/mem/tags.h"

#include "tests/suite.h"

#define LINE 128u
#define SETS 4u
#define WAYS 4u

static struct tags t;

static void setup(void)
{
    tags_init(&t, SETS * WAYS * LINE, LINE, WAYS);
}

/* The k-th line of set 0. */
static addr_t at(unsigned k)
{
    return 0x80000000u + (addr_t)k * SETS * LINE;
}

static enum tag_result probe(unsigned k, uint32_t *way)
{
    return tags_probe(&t, at(k), at(k), way);
}

static void put(unsigned k, enum tag_state s, cycle_t now)
{
    uint32_t way;
    addr_t victim;
    probe(k, &way);
    tags_replace(&t, way, at(k) | s, now, &victim);
}

static void a_line_is_found_in_its_set_only(void)
{
    setup();
    uint32_t way;
    CU_ASSERT_EQUAL(probe(1, &way), TAG_MISS);
    put(1, TAG_VALID, 5);
    CU_ASSERT_EQUAL(probe(1, &way), TAG_HIT);
    CU_ASSERT_EQUAL(way / WAYS, 0);
    const addr_t other = at(1) + LINE;
    CU_ASSERT_EQUAL(tags_probe(&t, other, other, &way), TAG_MISS);
    CU_ASSERT_EQUAL(way / WAYS, 1);
    tags_fini(&t);
}

static void the_least_recently_used_way_is_the_victim(void)
{
    setup();
    uint32_t way[WAYS], victim;
    for (unsigned k = 0; k < WAYS; k++) {
        put(k, TAG_VALID, 10 + k);
        probe(k, &way[k]);
    }
    tags_touch(&t, way[0], 20);
    CU_ASSERT_EQUAL(probe(9, &victim), TAG_MISS);
    CU_ASSERT_EQUAL(victim, way[1]); /* 0 was used later */
    tags_touch(&t, way[1], 21);
    probe(9, &victim);
    CU_ASSERT_EQUAL(victim, way[2]);
    tags_set_state(&t, way[3], TAG_INVALID);
    probe(9, &victim);
    CU_ASSERT_EQUAL(victim, way[3]); /* an invalid way first, however recently used */
    tags_fini(&t);
}

static void equal_ages_go_to_the_first_way(void)
{
    setup();
    for (unsigned k = 0; k < WAYS; k++)
        put(k, TAG_VALID, 7);
    uint32_t victim;
    probe(9, &victim);
    CU_ASSERT_EQUAL(victim, 0);
    tags_fini(&t);
}

static void reserved_lines_are_never_replaced(void)
{
    setup();
    uint32_t way, victim;
    for (unsigned k = 0; k < WAYS - 1; k++)
        put(k, TAG_RESERVED, 1 + k);
    put(WAYS - 1, TAG_VALID, 100);
    CU_ASSERT_EQUAL(probe(0, &way), TAG_HIT_RESERVED);
    CU_ASSERT_EQUAL(probe(WAYS - 1, &way), TAG_HIT);
    CU_ASSERT_EQUAL(probe(9, &victim), TAG_MISS);
    CU_ASSERT_EQUAL(victim, way);
    tags_set_state(&t, way, TAG_RESERVED);
    CU_ASSERT_EQUAL(probe(9, &victim), TAG_FAIL);
    tags_fini(&t);
}

static void only_a_modified_victim_is_returned(void)
{
    setup();
    uint32_t way;
    addr_t victim = 0;
    put(1, TAG_VALID, 1);
    probe(1, &way);
    CU_ASSERT_FALSE(tags_replace(&t, way, at(2) | TAG_VALID, 2, &victim));
    tags_set_state(&t, way, TAG_MODIFIED);
    CU_ASSERT_TRUE(tags_replace(&t, way, at(3) | TAG_RESERVED, 3, &victim));
    CU_ASSERT_EQUAL(victim, at(2));
    CU_ASSERT_EQUAL(tags_state(&t, way), TAG_RESERVED);
    tags_fini(&t);
}

static void a_flush_leaves_reserved_lines(void)
{
    setup();
    uint32_t way;
    put(0, TAG_RESERVED, 1);
    put(1, TAG_MODIFIED, 1);
    tags_flush(&t);
    CU_ASSERT_EQUAL(probe(0, &way), TAG_HIT_RESERVED);
    CU_ASSERT_EQUAL(probe(1, &way), TAG_MISS);
    tags_fini(&t);
}

/* What is on its way to one cache is not to the other. */
static void a_copy_has_the_lines_in_their_order_of_use(void)
{
    setup();
    struct tags from = t;
    uint32_t way, oldest;
    put(0, TAG_VALID, 4000);
    put(1, TAG_MODIFIED, 3000);
    put(2, TAG_RESERVED, 2000);
    put(3, TAG_VALID, 5000);
    tags_init(&t, SETS * WAYS * LINE, LINE, WAYS);
    tags_copy(&t, &from);
    tags_fini(&from);
    CU_ASSERT_EQUAL(probe(0, &way), TAG_HIT);
    CU_ASSERT_EQUAL(probe(1, &oldest), TAG_HIT);
    CU_ASSERT_EQUAL(tags_state(&t, oldest), TAG_MODIFIED);
    CU_ASSERT_EQUAL(probe(2, &way), TAG_MISS);
    put(4, TAG_VALID, 10); /* in its place */
    CU_ASSERT_EQUAL(probe(5, &way), TAG_MISS);
    CU_ASSERT_EQUAL(way, oldest);
    tags_fini(&t);
}

SUITE("mem/tags", T(a_line_is_found_in_its_set_only), T(the_least_recently_used_way_is_the_victim),
      T(equal_ages_go_to_the_first_way), T(reserved_lines_are_never_replaced),
      T(only_a_modified_victim_is_returned), T(a_flush_leaves_reserved_lines),
      T(a_copy_has_the_lines_in_their_order_of_use))
