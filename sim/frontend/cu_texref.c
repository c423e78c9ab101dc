/* Driver API: texture and surface references (contract: cuda_texture.h). A reference is a variable
 * of the module that holds a handle; every setting changes what that handle stands for. */
#include "sim/frontend/cuda_texture.h"
#include "sim/frontend/session.h"

#include <stdlib.h>
#include <string.h>

/* The variable of that kind, of a module of the current context; ref: where it will be told. */
static CUresult find_variable(const void *ref, CUmodule module, const char *name, enum opaque kind,
                              const struct module_var **v)
{
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!ref || !name)
        return CUDA_ERROR_INVALID_VALUE;
    CUmodule m = ctx->modules;
    while (m && m != module)
        m = m->next;
    if (!m)
        return CUDA_ERROR_INVALID_HANDLE;
    *v = module_var_find(m->module, name);
    return *v && (*v)->opaque == kind ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

/* The same name is the same reference, whoever asks for it. */
static CUtexref reference(CUmodule module, addr_t variable)
{
    CUtexref t = module->texrefs;
    while (t && t->variable != variable)
        t = t->next;
    if (t)
        return t;
    t = xcalloc(1, sizeof *t);
    t->variable = variable;
    t->format = CU_AD_FORMAT_FLOAT;
    t->channels = 1;
    memset(t->what.s.address, TEX_CLAMP, sizeof t->what.s.address);
    t->next = module->texrefs;
    module->texrefs = t;
    return t;
}

CUresult cuModuleGetTexRef(CUtexref *ref, CUmodule module, const char *name)
{
    SESSION_CALL();
    const struct module_var *v;
    CUresult r = find_variable(ref, module, name, OPAQUE_TEXTURE, &v);
    if (r == CUDA_SUCCESS)
        *ref = reference(module, v->addr);
    return r;
}

/* The context, if it has this reference. */
static CUresult open_ref(CUtexref ref, CUcontext *ctx)
{
    CUresult r = session_context(ctx);
    if (r != CUDA_SUCCESS)
        return r;
    for (CUmodule m = (*ctx)->modules; m; m = m->next)
        for (CUtexref t = m->texrefs; t; t = t->next)
            if (t == ref)
                return CUDA_SUCCESS;
    return CUDA_ERROR_INVALID_HANDLE;
}

static void bind(CUcontext ctx, enum tex_kind kind, addr_t variable, uint64_t *handle,
                 const struct texture *what)
{
    struct textures *all = context_textures(ctx->context);
    if (*handle) {
        textures_set(all, *handle, what);
        return;
    }
    *handle = textures_add(all, kind, what);
    BUG_ON(!devmem_write(context_mem(ctx->context), variable, handle, sizeof *handle),
           "a reference has no memory");
}

/* Settings made before there is an image wait for it. */
static CUresult update(CUcontext ctx, CUtexref ref)
{
    if (ref->what.im.bytes)
        bind(ctx, TEX_KIND_TEXTURE, ref->variable, &ref->handle, &ref->what);
    return CUDA_SUCCESS;
}

static CUresult set_image(CUcontext ctx, CUtexref ref, CUresult r, const struct image *im)
{
    if (r != CUDA_SUCCESS)
        return r;
    ref->what.im = *im;
    ref->array = NULL;
    return update(ctx, ref);
}

CUresult cuTexRefSetAddress(size_t *byte_offset, CUtexref ref, CUdeviceptr ptr, size_t bytes)
{
    SESSION_CALL();
    CUcontext ctx;
    struct image im = {0};
    CUresult r = open_ref(ref, &ctx);
    if (r != CUDA_SUCCESS)
        return r;
    session_texel_format(ref->format, ref->channels, &im);
    r = set_image(ctx, ref, session_linear_image(ctx, &im, ptr, bytes), &im);
    if (r == CUDA_SUCCESS && byte_offset)
        *byte_offset = 0;
    return r;
}

CUresult cuTexRefSetAddress2D(CUtexref ref, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr ptr,
                              size_t pitch)
{
    SESSION_CALL();
    CUcontext ctx;
    struct image im = {0};
    CUresult r = open_ref(ref, &ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!desc || !session_texel_format(desc->Format, desc->NumChannels, &im))
        return CUDA_ERROR_INVALID_VALUE;
    const struct pitch_shape shape = {desc->Width, desc->Height, pitch};
    return set_image(ctx, ref, session_pitch_image(ctx, &im, ptr, &shape), &im);
}

CUresult cuTexRefSetArray(CUtexref ref, CUarray array, unsigned int flags)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = open_ref(ref, &ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (flags & ~CU_TRSA_OVERRIDE_FORMAT)
        return CUDA_ERROR_INVALID_VALUE;
    if (!session_has_array(ctx, array))
        return CUDA_ERROR_INVALID_HANDLE;
    ref->format = array->desc.Format;
    ref->channels = array->desc.NumChannels;
    r = set_image(ctx, ref, CUDA_SUCCESS, &array->im);
    ref->array = array;
    return r;
}

/* An image that is there already keeps its size in bytes. */
CUresult cuTexRefSetFormat(CUtexref ref, CUarray_format format, int channels)
{
    SESSION_CALL();
    CUcontext ctx;
    struct image im = {0};
    CUresult r = open_ref(ref, &ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!session_texel_format(format, (unsigned)channels, &im))
        return CUDA_ERROR_INVALID_VALUE;
    ref->format = format;
    ref->channels = (unsigned)channels;
    const struct image old = ref->what.im;
    if (!old.bytes || old.kind != IMAGE_LINEAR)
        return CUDA_SUCCESS;
    return set_image(ctx, ref, session_linear_image(ctx, &im, old.base, old.bytes), &im);
}

CUresult cuTexRefSetAddressMode(CUtexref ref, int dim, CUaddress_mode mode)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = open_ref(ref, &ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (dim < 0 || dim > 2 || (unsigned)mode >= TEX_ADDRESSES)
        return CUDA_ERROR_INVALID_VALUE;
    ref->what.s.address[dim] = (uint8_t)mode;
    return update(ctx, ref);
}

CUresult cuTexRefSetFilterMode(CUtexref ref, CUfilter_mode mode)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = open_ref(ref, &ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if ((unsigned)mode > CU_TR_FILTER_MODE_LINEAR)
        return CUDA_ERROR_INVALID_VALUE;
    ref->what.s.linear = mode == CU_TR_FILTER_MODE_LINEAR;
    return update(ctx, ref);
}

CUresult cuTexRefSetFlags(CUtexref ref, unsigned int flags)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = open_ref(ref, &ctx);
    if (r == CUDA_SUCCESS)
        r = session_sampler_flags(flags, &ref->what.s);
    if (r != CUDA_SUCCESS)
        return r;
    ref->flags = flags;
    return update(ctx, ref);
}

CUresult cuTexRefSetBorderColor(CUtexref ref, float *color)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = open_ref(ref, &ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!color)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(ref->what.s.border, color, sizeof ref->what.s.border);
    return update(ctx, ref);
}

CUresult cuTexRefSetMaxAnisotropy(CUtexref ref, unsigned int ratio)
{
    SESSION_CALL();
    CUcontext ctx;
    (void)ratio;
    return open_ref(ref, &ctx);
}

CUresult cuTexRefSetMipmappedArray(CUtexref ref, CUmipmappedArray array, unsigned int flags)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = open_ref(ref, &ctx);
    (void)array;
    (void)flags;
    return r == CUDA_SUCCESS ? CUDA_ERROR_NOT_SUPPORTED : r;
}

/* ---- Questions ---- */

/* open_ref, and a place for the answer. */
static CUresult asked(CUtexref ref, const void *answer)
{
    CUcontext ctx;
    CUresult r = open_ref(ref, &ctx);
    return r == CUDA_SUCCESS && !answer ? CUDA_ERROR_INVALID_VALUE : r;
}

CUresult cuTexRefGetAddress(CUdeviceptr *ptr, CUtexref ref)
{
    SESSION_CALL();
    CUresult r = asked(ref, ptr);
    if (r != CUDA_SUCCESS)
        return r;
    if (!ref->what.im.bytes || ref->array)
        return CUDA_ERROR_INVALID_VALUE;
    *ptr = ref->what.im.base;
    return r;
}

CUresult cuTexRefGetArray(CUarray *array, CUtexref ref)
{
    SESSION_CALL();
    CUresult r = asked(ref, array);
    if (r != CUDA_SUCCESS)
        return r;
    if (!ref->array)
        return CUDA_ERROR_INVALID_VALUE;
    *array = ref->array;
    return r;
}

CUresult cuTexRefGetFormat(CUarray_format *format, int *channels, CUtexref ref)
{
    SESSION_CALL();
    CUresult r = asked(ref, channels ? (const void *)format : NULL);
    if (r != CUDA_SUCCESS)
        return r;
    *format = ref->format;
    *channels = (int)ref->channels;
    return r;
}

CUresult cuTexRefGetAddressMode(CUaddress_mode *mode, CUtexref ref, int dim)
{
    SESSION_CALL();
    CUresult r = asked(ref, dim >= 0 && dim < 3 ? mode : NULL);
    if (r == CUDA_SUCCESS)
        *mode = (CUaddress_mode)ref->what.s.address[dim];
    return r;
}

CUresult cuTexRefGetFilterMode(CUfilter_mode *mode, CUtexref ref)
{
    SESSION_CALL();
    CUresult r = asked(ref, mode);
    if (r == CUDA_SUCCESS)
        *mode = ref->what.s.linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
    return r;
}

CUresult cuTexRefGetFlags(unsigned int *flags, CUtexref ref)
{
    SESSION_CALL();
    CUresult r = asked(ref, flags);
    if (r == CUDA_SUCCESS)
        *flags = ref->flags;
    return r;
}

/* Which textures a kernel uses is in its code: nothing to do (deprecated since CUDA 3). */
CUresult cuParamSetTexRef(CUfunction function, int unit, CUtexref ref)
{
    SESSION_CALL();
    CUcontext ctx;
    (void)unit;
    CUresult r = open_ref(ref, &ctx);
    return r == CUDA_SUCCESS && !function ? CUDA_ERROR_INVALID_HANDLE : r;
}

/* ---- Surfaces ---- */
CUresult cuModuleGetSurfRef(CUsurfref *ref, CUmodule module, const char *name)
{
    SESSION_CALL();
    const struct module_var *v;
    CUresult r = find_variable(ref, module, name, OPAQUE_SURFACE, &v);
    if (r != CUDA_SUCCESS)
        return r;
    CUsurfref s = module->surfrefs;
    while (s && s->variable != v->addr)
        s = s->next;
    if (!s) {
        s = xcalloc(1, sizeof *s);
        *s = (struct CUsurfref_st){.variable = v->addr, .next = module->surfrefs};
        module->surfrefs = s;
    }
    *ref = s;
    return r;
}

CUresult cuSurfRefSetArray(CUsurfref ref, CUarray array, unsigned int flags)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    bool known = false;
    for (CUmodule m = ctx->modules; m; m = m->next)
        for (CUsurfref s = m->surfrefs; s; s = s->next)
            known |= s == ref;
    if (!known || !session_has_array(ctx, array))
        return CUDA_ERROR_INVALID_HANDLE;
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    const struct texture what = {.im = array->im};
    bind(ctx, TEX_KIND_SURFACE, ref->variable, &ref->handle, &what);
    return CUDA_SUCCESS;
}
