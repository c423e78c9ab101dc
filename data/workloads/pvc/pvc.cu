// pvc.cu -- page view count by MapReduce (He and others, PACT 2008): a log of lines "URL address
// cookie". The first pass drops repeated lines (the key is the whole line), the second counts the
// lines left of each URL. A pass: map, sort by hash and key, find the groups, reduce each.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S pvc.cu -o pvc.ptx
#define MARS(name) pvc_##name
#define MARS_GROUPS
#include "../mars.cuh"

// The key is a line's first `fields` fields with the blanks between them, in whole words.
extern "C" __global__ void pvc_map_count(unsigned *length, const char *log, const unsigned *line_at,
                                         const unsigned *line, int lines, int fields)
{
    unsigned i = global_id();
    if (i >= lines)
        return;
    const char *from = log + line_at[line[i]], *c = from;
    for (;; c++)
        if (*c == '\n' || (*c == ' ' && --fields == 0))
            break;
    length[i] = (c - from + 3) / 4;
}

// Copies the keys, the last word filled up with zeros.
extern "C" __global__ void pvc_map(pair *pairs, unsigned *keys, const unsigned *key_at,
                                   const char *log, const unsigned *line_at, const unsigned *line,
                                   int lines, int padded, int fields)
{
    unsigned i = global_id();
    pair p = {NONE, NONE};
    if (i < lines) {
        const char *from = log + line_at[line[i]];
        unsigned hash = FNV_START;
        bool ended = false;
        for (unsigned at = key_at[i], end = key_at[i + 1]; at < end; at++) {
            unsigned word = 0;
            for (int byte = 0; byte < 4; byte++) {
                unsigned c = (unsigned char)*from++;
                ended = ended || c == '\n' || (c == ' ' && --fields == 0);
                if (ended)
                    break;
                word |= c << 8 * byte;
                hash = (hash ^ c) * FNV_TIMES;
            }
            keys[at] = word;
        }
        p.hash = hash;
        p.index = i;
    }
    if (i < padded)
        pairs[i] = p;
}

// One thread a group: the line of its first pair, and its pairs counted one by one (each has the
// value 1).
extern "C" __global__ void pvc_reduce(unsigned *line_out, unsigned *count, const unsigned *first,
                                      const pair *pairs, const unsigned *line, int groups)
{
    unsigned g = global_id();
    if (g >= groups)
        return;
    unsigned sum = 0, end = first[g + 1];
    for (unsigned i = first[g]; i < end; i++)
        if (pairs[i].index != NONE)
            sum++;
    line_out[g] = line[pairs[first[g]].index];
    count[g] = sum;
}
