#include "cli/program_build.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/price.h"
#include "program/elf.h"

extern char **environ;

#define MOST_WORDS 16

/* PTX for every GPU from Turing on, and source lines for messages. */
static const char *const nvcc_words[] = {
    "-cudart", "shared", "-gencode", "arch=compute_75,code=compute_75", "-lineinfo", "-O3", NULL};
static const char *const clang_words[] = {"-x",  "cuda",     "--cuda-gpu-arch=sm_75",
                                          "-O3", "-lcudart", NULL};

static char *found(const char *name)
{
    struct err ignored;
    return name && *name ? program_find(name, &ignored) : NULL;
}

/* Caller frees. NULL: there is none. */
static char *compiler(bool *clang)
{
    const char *const nvcc[] = {getenv("NVCC"), "nvcc", "/usr/local/cuda/bin/nvcc"};
    for (size_t i = 0; i < sizeof nvcc / sizeof *nvcc; i++) {
        char *path = found(nvcc[i]);
        if (path)
            return path;
    }
    *clang = true;
    return found("clang++");
}

/* Runs it; what it says goes to stderr. */
static bool compile(char **words, struct err *e)
{
    posix_spawn_file_actions_t files;
    pid_t pid;
    int status = 0;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, 2, 1);
    const int failed = posix_spawn(&pid, words[0], &files, NULL, words, environ);
    posix_spawn_file_actions_destroy(&files);
    if (failed)
        return err_set(e, "%s: %s", words[0], strerror(failed));
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
           err_set(e, "--build: %s could not compile it", words[0]);
}

static bool build(struct program_build *b, const char *source, struct err *e)
{
    bool clang = false;
    char *words[MOST_WORDS], *path = compiler(&clang), *program = b->program;
    int n = 0;
    if (!path)
        return err_set(e, "--build: there is no nvcc and no clang++ (set NVCC to where nvcc is)");
    words[n++] = path;
    for (const char *const *w = clang ? clang_words : nvcc_words; *w; w++)
        words[n++] = (char *)(uintptr_t)*w;
    words[n++] = (char *)(uintptr_t) "-o";
    words[n++] = program;
    words[n++] = (char *)(uintptr_t)source;
    words[n] = NULL;
    const bool ok = compile(words, e);
    free(path);
    return ok;
}

static char *folder_for_it(void)
{
    const char *tmp = getenv("TMPDIR");
    char *folder = xasprintf("%s/mdpredict-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (mkdtemp(folder))
        return folder;
    free(folder);
    return NULL;
}

/* "app" of "dir/app.cu". */
static char *stem(const char *source)
{
    const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source;
    const char *dot = strrchr(name, '.');
    return strndup(name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

bool program_build(struct program_build *b, struct options *o, struct err *e)
{
    const char *source = o->arg[0];
    if (access(source, R_OK) != 0)
        return err_set(e, "--build: %s: %s", source, strerror(errno));
    b->folder = folder_for_it();
    if (!b->folder)
        return err_set(e, "--build: no folder for the program: %s", strerror(errno));
    char *name = stem(source);
    b->program = xasprintf("%s/%s", b->folder, name);
    free(name);
    const double before = price_clock();
    if (!build(b, source, e))
        return false;
    o->build_seconds = price_clock() - before;
    b->arg = xcalloc((size_t)o->nargs + 1, sizeof *b->arg);
    memcpy(b->arg, o->arg, (size_t)o->nargs * sizeof *b->arg);
    b->arg[0] = b->program;
    o->source = source;
    o->arg = b->arg;
    return true;
}

void program_build_end(struct program_build *b)
{
    if (b->program)
        unlink(b->program);
    if (b->folder)
        rmdir(b->folder);
    free(b->program);
    free(b->folder);
    free(b->arg);
}
