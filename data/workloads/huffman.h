/* data/workloads/huffman.h -- Huffman's code for symbols 0 .. 255, made from how often each occurs
 * (Proc. IRE 1952), in canonical form: codes of one length are consecutive numbers, in the order of
 * their symbols. Codes have at most 32 bits, which takes more than 3 million symbols to exceed. */
#ifndef MDP_DATA_WORKLOADS_HUFFMAN_H
#define MDP_DATA_WORKLOADS_HUFFMAN_H

#include "base/types.h"

#define HUFFMAN_SYMBOLS 256
#define HUFFMAN_LONGEST 32

struct huffman {
    uint8_t length[HUFFMAN_SYMBOLS]; /* bits of a symbol's code; 0: the symbol does not occur */
    uint32_t code[HUFFMAN_SYMBOLS];
    uint32_t first[HUFFMAN_LONGEST + 1]; /* of the codes of one length; */
    int codes[HUFFMAN_LONGEST + 1];      /* how many, */
    int at[HUFFMAN_LONGEST + 1];         /* and where their symbols begin in sorted */
    uint8_t sorted[HUFFMAN_SYMBOLS];
};

void huffman_make(struct huffman *h, const uint32_t count[HUFFMAN_SYMBOLS]);

/* A string of bits, the first of a byte is its highest. Writing takes zeroed memory that the caller
 * has made long enough, reading ends at the caller's word. */
struct bits {
    uint8_t *byte;
    size_t n; /* bits written, or read */
};
void bits_put(struct bits *b, uint32_t value, int n);
uint32_t bits_get(struct bits *b, int n);

void huffman_put(const struct huffman *h, struct bits *to, int symbol);
/* -1: no code begins so. */
int huffman_get(const struct huffman *h, struct bits *from);

#endif
