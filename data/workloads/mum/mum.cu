// mum.cu -- maximal exact matches between short DNA sequences and a reference, by the reference's
// suffix tree (Schatz and others, "High-throughput sequence alignment using Graphics Processing
// Units", 2007). mum_match walks the tree along each query, and by suffix links to the query's next
// suffix; mum_print goes through the subtrees that were reached, and writes where each match lies.
// The tree is in textures: of each node {where the label of the edge to it begins, depth, suffix
// link, parent}, {children by base} and {first child, next sibling, place, 0}; 0 is the root, and no
// node. Depths count characters; the reference ends with one that no query has.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_30 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S mum.cu -o mum.ptx
#include "../simt.cuh"

typedef cudaTextureObject_t texture;

static __device__ inline unsigned child_by_base(uint4 of, unsigned base)
{
    return base == 0 ? of.x : base == 1 ? of.y : base == 2 ? of.z : of.w;
}

// found[query][start]: {the node at or below the end of the longest match from there, its length}
extern "C" __global__ void mum_match(uint2 *found, const unsigned char *queries, texture reference,
                                     texture nodes, texture children, int length, int least,
                                     int count)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x, starts = length - least + 1;
    if (i >= count)
        return;
    const unsigned char *query = queries + i * length;
    int matched = 0, depth = 0; // of this suffix; of the last node on its way
    unsigned node = 0;
    for (int start = 0; start < starts; start++) {
        unsigned below = node;
        while (start + depth < length) {
            unsigned child =
                child_by_base(tex1Dfetch<uint4>(children, node), query[start + depth]);
            if (child == 0) {
                below = node;
                break;
            }
            uint4 edge = tex1Dfetch<uint4>(nodes, child);
            int end = edge.y;
            while (matched < end && start + matched < length &&
                   tex1Dfetch<unsigned char>(reference, edge.x + matched - depth) ==
                       query[start + matched])
                matched++;
            below = child;
            if (matched < end)
                break;
            node = child;
            depth = end;
        }
        found[i * starts + start] = make_uint2(below, matched);
        if (matched > 0)
            matched--;
        if (node != 0) {
            node = tex1Dfetch<uint4>(nodes, node).z;
            depth = tex1Dfetch<uint4>(nodes, node).y;
        }
    }
}

// Writes {place, length} of the leaves below `top`, but for those below `but`, at which the match
// does not go on to the left. Returns how many.
static __device__ inline int print_leaves(uint2 *out, texture reference, texture nodes,
                                          texture order, unsigned top, unsigned but, unsigned length,
                                          unsigned left)
{
    int printed = 0;
    for (unsigned node = top;;) {
        uint4 o = tex1Dfetch<uint4>(order, node);
        if (node != but && o.x != 0) {
            node = o.x;
            continue;
        }
        if (node != but) {
            unsigned place = o.z;
            if (place == 0 || tex1Dfetch<unsigned char>(reference, place - 1) != left)
                out[printed++] = make_uint2(place, length);
        }
        while (node != top && o.y == 0) {
            node = tex1Dfetch<uint4>(nodes, node).w;
            o = tex1Dfetch<uint4>(order, node);
        }
        if (node == top)
            return printed;
        node = o.y;
    }
}

struct __attribute__((aligned(16))) entry {
    unsigned node, length, left, out; // left: the base before the match, 4 for none; out: first slot
};

// A thread an entry: the matches of `length` below the node, then shorter ones, of the depth of each
// node above it that is deep enough.
extern "C" __global__ void mum_print(uint2 *matches, unsigned *printed, const entry *entries,
                                     texture reference, texture nodes, texture order, int least,
                                     int count)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= count)
        return;
    entry e = entries[i];
    uint2 *out = matches + e.out;
    unsigned node = e.node, but = 0, length = e.length;
    int all = 0;
    while ((int)length >= least) {
        all += print_leaves(out + all, reference, nodes, order, node, but, length, e.left);
        but = node;
        node = tex1Dfetch<uint4>(nodes, node).w;
        length = tex1Dfetch<uint4>(nodes, node).y;
    }
    printed[i] = all;
}
