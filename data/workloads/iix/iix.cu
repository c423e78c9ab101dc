// iix.cu -- inverted index by MapReduce (He and others, PACT 2008): where in the lines of HTML files
// each address is linked to. Map emits for each link its address, the key, and its place; sorting
// brings those of one address together, and grouping finds where a group begins. There is nothing
// to reduce.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S iix.cu -o iix.ptx
#define MARS(name) iix_##name
#define MARS_GROUPS
#include "../mars.cuh"

#define HREF 0x687265663d22ull // the six characters href="
#define SIX  0xffffffffffffull

// Moves c behind the next href=" before the end of the line.
static __device__ inline bool find_link(const char *&c, const char *end)
{
    unsigned long long last = 0;
    while (c < end) {
        last = (last << 8 | (unsigned char)*c++) & SIX;
        if (last == HREF)
            return true;
    }
    return false;
}

// A thread a line: its links, and the words that their addresses take.
extern "C" __global__ void iix_map_count(unsigned *links, unsigned *words, const char *text,
                                         const unsigned *line_at, int lines)
{
    unsigned i = global_id();
    if (i >= lines)
        return;
    unsigned found = 0, long_in_all = 0;
    const char *c = text + line_at[i], *end = text + line_at[i + 1];
    while (find_link(c, end)) {
        const char *from = c;
        while (c < end && *c != '"')
            c++;
        found++;
        long_in_all += (c - from + 3) / 4;
    }
    links[i] = found;
    words[i] = long_in_all;
}

// link_at, word_at: the sums of what the lines before have. place: from the start of the text.
extern "C" __global__ void iix_map(pair *pairs, unsigned *keys, unsigned *key_at, unsigned *place,
                                   const unsigned *link_at, const unsigned *word_at,
                                   const char *text, const unsigned *line_at, int lines, int n,
                                   int padded)
{
    unsigned i = global_id();
    pair none = {NONE, NONE};
    if (i >= n && i < padded)
        pairs[i] = none;
    if (i == lines)
        key_at[n] = word_at[lines];
    if (i >= lines)
        return;
    unsigned p = link_at[i], at = word_at[i];
    const char *c = text + line_at[i], *end = text + line_at[i + 1];
    while (find_link(c, end)) {
        unsigned hash = FNV_START, word = 0, bytes = 0;
        key_at[p] = at;
        place[p] = c - text;
        for (; c < end && *c != '"'; c++) {
            unsigned ch = (unsigned char)*c;
            hash = (hash ^ ch) * FNV_TIMES;
            word |= ch << 8 * bytes;
            if (++bytes == 4) {
                keys[at++] = word;
                word = bytes = 0;
            }
        }
        if (bytes)
            keys[at++] = word;
        pair mine = {hash, p};
        pairs[p++] = mine;
    }
}
