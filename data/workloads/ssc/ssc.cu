// ssc.cu -- similarity scores by MapReduce (He and others, PACT 2008): for each pair of documents the
// cosine of the angle between their feature vectors is the key, the pair the value; sorted, the
// most similar ones first. There is nothing to reduce.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S ssc.cu -o ssc.ptx
#define MARS(name) ssc_##name
#include "../mars.cuh"

struct __attribute__((aligned(8))) two {
    unsigned a, b; // documents
};

// Every pair emits a key of one word.
extern "C" __global__ void ssc_map_count(unsigned *length, int n)
{
    unsigned i = global_id();
    if (i < n)
        length[i] = 1;
}

// A thread walks along two rows of features. Scores are not negative: as integers their bits have
// the order of the numbers, and the complement turns it round.
extern "C" __global__ void ssc_map(pair *pairs, float *keys, two *values, const unsigned *key_at,
                                   const two *input, const float *feature, int features, int n,
                                   int padded)
{
    unsigned i = global_id();
    pair p = {NONE, NONE};
    if (i < n) {
        two docs = input[i];
        const float *a = feature + docs.a * features, *b = feature + docs.b * features;
        float ab = 0.0f, aa = 0.0f, bb = 0.0f;
        for (int f = 0; f < features; f++) {
            float x = a[f], y = b[f];
            ab += x * y;
            aa += x * x;
            bb += y * y;
        }
        float score = ab / sqrtf(aa * bb);
        unsigned at = key_at[i];
        keys[at] = score;
        values[at] = docs;
        p.hash = ~__float_as_uint(score);
        p.index = i;
    }
    if (i < padded)
        pairs[i] = p;
}
