/* Huffman's code (data/workloads/huffman.h), which the JPEG workload reads its image with. */
#include "base/rng.h"
#include "data/workloads/huffman.h"
#include "tests/suite.h"

/* 5, 9, 12, 13, 16, 45 of 100: the textbook's tree (Cormen and others, Introduction to Algorithms,
 * section 16.3) has 4, 4, 3, 3, 3 and 1 bits. Canonical: 0; 100, 101, 110; 1110, 1111. */
static void lengths_are_the_least_and_codes_canonical(void)
{
    static const uint32_t count[HUFFMAN_SYMBOLS] = {5, 9, 12, 13, 16, 45};
    static const int length[6] = {4, 4, 3, 3, 3, 1};
    static const uint32_t code[6] = {14, 15, 4, 5, 6, 0};
    struct huffman h;
    huffman_make(&h, count);
    for (int s = 0; s < 6; s++) {
        CU_ASSERT_EQUAL(h.length[s], length[s]);
        CU_ASSERT_EQUAL(h.code[s], code[s]);
    }
    CU_ASSERT_EQUAL(h.length[6], 0);
}

static void what_was_put_is_got_again(void)
{
    struct rng r = rng_seed(1);
    uint32_t count[HUFFMAN_SYMBOLS] = {0};
    uint8_t text[3000], room[12000] = {0};
    struct bits to = {room, 0}, from = {room, 0};
    struct huffman h;
    for (size_t i = 0; i < sizeof text; i++) {
        const double u = rng_unit(&r);
        count[text[i] = (uint8_t)(256.0 * u * u * u)]++;
    }
    huffman_make(&h, count);
    for (size_t i = 0; i < sizeof text; i++)
        huffman_put(&h, &to, text[i]);
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof text; i++)
        wrong += huffman_get(&h, &from) != text[i];
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(from.n, to.n);
    CU_ASSERT_TRUE(to.n < 8 * sizeof text);
}

/* One symbol has a code of one bit, 0; nothing begins with 1. */
static void a_code_that_is_none_is_refused(void)
{
    uint32_t count[HUFFMAN_SYMBOLS] = {[7] = 9};
    uint8_t room[8] = {0x40};
    struct bits from = {room, 0};
    struct huffman h;
    huffman_make(&h, count);
    CU_ASSERT_EQUAL(huffman_get(&h, &from), 7);
    CU_ASSERT_EQUAL(huffman_get(&h, &from), -1);
}

static void bits_are_packed_from_the_highest(void)
{
    uint8_t room[2] = {0};
    struct bits to = {room, 0}, from = {room, 0};
    bits_put(&to, 5, 3);
    bits_put(&to, 0x41, 7);
    CU_ASSERT_EQUAL(room[0], 0xb0); /* 101 10000 */
    CU_ASSERT_EQUAL(room[1], 0x40); /* 01 */
    CU_ASSERT_EQUAL(bits_get(&from, 3), 5);
    CU_ASSERT_EQUAL(bits_get(&from, 7), 0x41);
}

SUITE("huffman", T(lengths_are_the_least_and_codes_canonical), T(what_was_put_is_got_again),
      T(a_code_that_is_none_is_refused), T(bits_are_packed_from_the_highest))
