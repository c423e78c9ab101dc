#include "base/pack.h"
#include "tests/suite.h"

#include <string.h>

#define N 5000

static void what_is_packed_comes_back(void)
{
    uint8_t in[N], out[N] = {0};
    size_t len;
    for (int i = 0; i < N; i++)
        in[i] = (uint8_t)(i * i >> 5);
    uint8_t *p = pack(in, N, &len);
    CU_ASSERT_TRUE(len < N && N <= PACK_MOST(len));
    CU_ASSERT_TRUE(unpack(p, len, out, N));
    CU_ASSERT_EQUAL(memcmp(in, out, N), 0);
    CU_ASSERT_FALSE(unpack(p, len, out, N - 1));
    CU_ASSERT_FALSE(unpack(p, len - 1, out, N));
    free(p);
}

/* The checksum finds it where the format does not. */
static void every_changed_byte_is_found(void)
{
    uint8_t in[200] = "every byte, whichever it is, one after the other", out[200];
    size_t len;
    uint8_t *p = pack(in, sizeof in, &len);
    for (size_t i = 0; i < len; i++) {
        p[i] ^= 0x10;
        const bool same = unpack(p, len, out, sizeof out) && !memcmp(in, out, sizeof in);
        CU_ASSERT_TRUE(same || !unpack(p, len, out, sizeof out));
        p[i] ^= 0x10;
    }
    free(p);
}

SUITE("pack", T(what_is_packed_comes_back), T(every_changed_byte_is_found))
