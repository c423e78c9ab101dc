/* redirect.c -- programs that have the CUDA runtime linked into them (nvcc's default). At start
 * each runtime function in the symbol table of an executable or library that was loaded with it
 * becomes a jump to the function of that name here. The linked runtime is never entered then. What
 * has no symbol table is refused before the start (program/elf.c). */
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cudart/rt.h"
#include "program/elf_image.h"

#define JUMP 12 /* bytes: movabs $target, %rax; jmp *%rax */

struct loaded { /* a file that was loaded */
    const char *name;
    uintptr_t base; /* what its symbols are relative to */
    struct elf_image im;
    struct elf_symbols s;
    const Elf64_Half *version; /* of each symbol; NULL: not looked at */
};

static bool has_function(const struct loaded *o, const char *name)
{
    for (size_t i = 0; i < o->s.count; i++)
        if (strcmp(elf_function_name(&o->s, i), name) == 0)
            return true;
    return false;
}

/* The number of a version node of this library; 0: there is no such node. */
static Elf64_Half version_number(const struct loaded *o, const char *node)
{
    const Elf64_Shdr *s = elf_image_typed(&o->im, SHT_GNU_verdef);
    for (uint64_t at = 0; s && at + sizeof(Elf64_Verdef) <= s->sh_size;) {
        const Elf64_Verdef *d = (const Elf64_Verdef *)(o->im.at + s->sh_offset + at);
        const Elf64_Verdaux *name = (const Elf64_Verdaux *)((const char *)d + d->vd_aux);
        if (!(d->vd_flags & VER_FLG_BASE) && strcmp(o->s.text + name->vda_name, node) == 0)
            return d->vd_ndx;
        if (!d->vd_next)
            return 0;
        at += d->vd_next;
    }
    return 0;
}

/* Our function of that name and version. dlvsym() would do, if it could be called before the C
 * library is initialised, of a library that nobody opened. NULL: there is none. */
static const void *our_function(const struct loaded *self, const char *name, Elf64_Half version)
{
    for (size_t i = 0; i < self->s.count; i++)
        if ((self->version[i] & 0x7fff) == version &&
            strcmp(elf_function_name(&self->s, i), name) == 0)
            return (const void *)(self->base + self->s.symbol[i].st_value);
    return NULL;
}

/* Structures differ between major versions: which one is it? (CUDA 12 alone has a second version of
 * cudaGetDeviceProperties; cudaGetDriverEntryPointByVersion came with 12.5,
 * cudaCtxResetPersistingL2Cache with 11.0.) */
static const char *version_node(const struct loaded *o)
{
    if (has_function(o, "cudaGetDeviceProperties_v2"))
        return RT_NODE_12;
    if (has_function(o, "cudaGetDriverEntryPointByVersion"))
        return RT_NODE_13;
    const bool whole = has_function(o, "cudaProfilerInitialize");
    return whole && !has_function(o, "cudaCtxResetPersistingL2Cache") ? RT_NODE_10 : RT_NODE_11;
}

/* Behind a function there is room up to the next symbol: functions are aligned. */
static bool has_room(const struct loaded *o, const Elf64_Sym *f)
{
    if (f->st_size >= JUMP)
        return true;
    for (size_t i = 0; i < o->s.count; i++)
        if (o->s.symbol[i].st_value > f->st_value && o->s.symbol[i].st_value < f->st_value + JUMP &&
            *elf_function_name(&o->s, i))
            return false;
    return f->st_value % 16 == 0;
}

static bool put_jump(uintptr_t at, const void *target)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = at & ~(page - 1);
    const size_t bytes = ((at + JUMP + page - 1) & ~(page - 1)) - from;
    unsigned char code[JUMP] = {0x48, 0xb8, [10] = 0xff, [11] = 0xe0};
    memcpy(code + 2, &target, sizeof target);
    if (mprotect((void *)from, bytes, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return false;
    memcpy((void *)at, code, JUMP);
    return mprotect((void *)from, bytes, PROT_READ | PROT_EXEC) == 0;
}

static void redirect_function(const struct loaded *self, const struct loaded *o, size_t i,
                              Elf64_Half version)
{
    const Elf64_Sym *f = &o->s.symbol[i];
    const char *name = elf_function_name(&o->s, i);
    if (strncmp(name, "cuda", 4) != 0 && strncmp(name, "__cuda", 6) != 0)
        return;
    const void *target = our_function(self, name, version);
    if (!target || !has_room(o, f))
        return;
    if (put_jump(o->base + f->st_value, target))
        return;
    fprintf(stderr,
            "mdpredict: %s: the CUDA runtime that is linked into it cannot be replaced: this "
            "system does not let code be changed; build it with nvcc -cudart shared\n",
            o->name);
    _exit(1);
}

static void redirect_object(const struct loaded *self, struct loaded *o)
{
    if (!elf_image_symbols(&o->im, SHT_SYMTAB, &o->s) ||
        !has_function(o, "__cudaRegisterFatBinary"))
        return;
    const Elf64_Half version = version_number(self, version_node(o));
    for (size_t i = 0; i < o->s.count; i++)
        redirect_function(self, o, i, version);
}

static void unmap(struct loaded *o)
{
    munmap((void *)(uintptr_t)o->im.at, o->im.len);
}

static bool map(struct loaded *o)
{
    struct stat st;
    const int fd = open(o->name, O_RDONLY | O_CLOEXEC);
    void *at = MAP_FAILED;
    if (fd < 0)
        return false; /* no file: the kernel's */
    if (fstat(fd, &st) == 0 && st.st_size > 0)
        at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (at == MAP_FAILED)
        return false;
    const bool is = elf_image_open(&o->im, at, (size_t)st.st_size);
    if (!is)
        unmap(o);
    return is;
}

static int on_object(struct dl_phdr_info *info, size_t size, void *self)
{
    struct loaded o = {.base = info->dlpi_addr,
                       .name = *info->dlpi_name ? info->dlpi_name : "/proc/self/exe"};
    (void)size;
    if (o.base == ((const struct loaded *)self)->base || !map(&o))
        return 0;
    redirect_object(self, &o);
    unmap(&o);
    return 0;
}

void rt_redirect(void)
{
    Dl_info us;
    if (!dladdr((void *)(uintptr_t)rt_redirect, &us))
        return;
    struct loaded self = {.name = us.dli_fname, .base = (uintptr_t)us.dli_fbase};
    if (!map(&self))
        return;
    const Elf64_Shdr *versions = elf_image_typed(&self.im, SHT_GNU_versym);
    if (versions && elf_image_symbols(&self.im, SHT_DYNSYM, &self.s)) {
        self.version = (const Elf64_Half *)(self.im.at + versions->sh_offset);
        dl_iterate_phdr(on_object, &self);
    }
    unmap(&self);
}
