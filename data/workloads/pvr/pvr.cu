// pvr.cu -- page view rank by MapReduce (He and others, PACT 2008): lines "URL views", as page view
// count leaves them; the views are the key, the URL is the value; sorted, the pages viewed most come
// first. There is nothing to reduce.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S pvr.cu -o pvr.ptx
#define MARS(name) pvr_##name
#include "../mars.cuh"

// A key takes a word, a value the URL's bytes in whole words.
extern "C" __global__ void pvr_map_count(unsigned *key_words, unsigned *value_words,
                                         const char *text, const unsigned *line_at, int lines)
{
    unsigned i = global_id();
    if (i >= lines)
        return;
    const char *from = text + line_at[i], *c = from;
    while (*c != ' ')
        c++;
    key_words[i] = 1;
    value_words[i] = (c - from + 3) / 4;
}

// The complement of the views as hash: more views come first.
extern "C" __global__ void pvr_map(pair *pairs, unsigned *keys, unsigned *values,
                                   const unsigned *key_at, const unsigned *value_at,
                                   const char *text, const unsigned *line_at, int lines, int padded)
{
    unsigned i = global_id();
    pair p = {NONE, NONE};
    if (i < lines) {
        const char *c = text + line_at[i];
        unsigned at = value_at[i], word = 0, bytes = 0, views = 0;
        for (; *c != ' '; c++) {
            word |= (unsigned)(unsigned char)*c << 8 * bytes;
            if (++bytes == 4) {
                values[at++] = word;
                word = bytes = 0;
            }
        }
        if (bytes)
            values[at] = word;
        for (c++; *c != '\n'; c++)
            views = 10 * views + (*c - '0');
        keys[key_at[i]] = views;
        p.hash = ~views;
        p.index = i;
    }
    if (i < padded)
        pairs[i] = p;
}
