// ray.cu -- ray tracing of spheres on a chequered floor (Whitted, CACM 1980), one thread a pixel:
// the nearest object, a shadow ray to the light, then the reflected ray in place of the first one,
// in a loop instead of a recursion. The scene lies in constant memory. Neighbouring pixels part
// where one meets an object and the next does not.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S ray.cu -o ray.ptx
#include "../simt.cuh"

#define SPHERES 64 // at most
#define BOUNCES 5
#define FLOOR   SPHERES // its number
#define NOTHING (SPHERES + 1)
#define FAR     1e30f

__constant__ float4 ray_sphere[SPHERES];     // centre, radius
__constant__ float4 ray_colour[SPHERES + 2]; // red, green, blue, reflected share; floor's two last
__constant__ float4 ray_light;

static __device__ inline float4 plus(float4 a, float times, float4 b)
{
    return make_float4(a.x + times * b.x, a.y + times * b.y, a.z + times * b.z, 0.0f);
}

static __device__ inline float dot(float4 a, float4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static __device__ inline float positive(float x)
{
    return x > 0.0f ? x : 0.0f;
}

// Distance of sphere k along the ray; FAR: it does not meet it.
static __device__ inline float meet(int k, float4 from, float4 along)
{
    float4 sphere = ray_sphere[k], apart = plus(from, -1.0f, sphere);
    float b = dot(apart, along), c = dot(apart, apart) - sphere.w * sphere.w, d = b * b - c;
    if (d <= 0.0f || b >= 0.0f)
        return FAR;
    return -b - sqrtf(d);
}

// The nearest object that the ray meets; own: the one that it begins on, which is convex.
static __device__ inline int nearest(float *distance, float4 from, float4 along, int own,
                                     int spheres)
{
    int found = NOTHING;
    float best = FAR;
    for (int k = 0; k < spheres; k++)
        if (k != own) {
            float t = meet(k, from, along);
            if (t < best) {
                best = t;
                found = k;
            }
        }
    if (own != FLOOR && along.y < 0.0f) {
        float t = __fdividef(from.y, -along.y);
        if (t < best) {
            best = t;
            found = FLOOR;
        }
    }
    *distance = best;
    return found;
}

static __device__ inline bool in_shadow(float4 from, float4 along, float distance, int own,
                                        int spheres)
{
    for (int k = 0; k < spheres; k++)
        if (k != own && meet(k, from, along) < distance)
            return true;
    return false;
}

static __device__ inline unsigned to_byte(float x)
{
    return (unsigned)((x < 1.0f ? x : 1.0f) * 255.0f + 0.5f);
}

// pixel: red, green, blue from the lowest byte up, [high][wide]
extern "C" __global__ void __launch_bounds__(128, 6)
    ray_trace(unsigned *pixel, int wide, int high, int spheres)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= wide || y >= high)
        return;
    float4 from = make_float4(0.0f, 1.5f, -6.0f, 0.0f);
    float4 along = make_float4((x + 0.5f - 0.5f * wide) / high, (0.5f * high - y - 0.5f) / high,
                               1.0f, 0.0f);
    float red = 0.0f, green = 0.0f, blue = 0.0f, share = 1.0f;
    int own = NOTHING;
    along = plus(make_float4(0.0f, 0.0f, 0.0f, 0.0f), rsqrtf(dot(along, along)), along);
    for (int bounce = 0; bounce < BOUNCES && share > 0.0f; bounce++) {
        float t;
        own = nearest(&t, from, along, own, spheres);
        if (own == NOTHING) { // sky
            float up = positive(along.y);
            red += share * (0.5f - 0.3f * up);
            green += share * (0.6f - 0.2f * up);
            blue += share * 0.9f;
            break;
        }
        from = plus(from, t, along);
        float4 normal = make_float4(0.0f, 1.0f, 0.0f, 0.0f), colour;
        if (own == FLOOR) {
            int square = (int)(from.x + 4096.0f) + (int)(from.z + 4096.0f);
            colour = ray_colour[SPHERES + square % 2];
        } else {
            float4 sphere = ray_sphere[own];
            normal = plus(from, -1.0f, sphere);
            float by = __fdividef(1.0f, sphere.w);
            normal = make_float4(by * normal.x, by * normal.y, by * normal.z, 0.0f);
            colour = ray_colour[own];
        }
        float4 to_light = plus(ray_light, -1.0f, from);
        float by = rsqrtf(dot(to_light, to_light)), distance = dot(to_light, to_light) * by;
        to_light = make_float4(by * to_light.x, by * to_light.y, by * to_light.z, 0.0f);
        float lit = dot(normal, to_light), shine = 0.0f, own_share = share * (1.0f - colour.w);
        along = plus(along, -2.0f * dot(along, normal), normal);
        if (lit > 0.0f && !in_shadow(from, to_light, distance, own, spheres)) {
            shine = positive(dot(along, to_light));
            shine *= shine;
            shine *= shine;
            shine *= shine;
        } else {
            lit = 0.0f;
        }
        float light = own_share * (0.2f + 0.8f * lit);
        red += light * colour.x + share * 0.3f * shine;
        green += light * colour.y + share * 0.3f * shine;
        blue += light * colour.z + share * 0.3f * shine;
        share *= colour.w;
    }
    pixel[y * wide + x] = to_byte(red) | to_byte(green) << 8 | to_byte(blue) << 16;
}
