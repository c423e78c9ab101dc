/* base/out_path.h -- where an output goes. A plain file is written beside its place and renamed, so
 * that it is there whole or not at all; it keeps its mode, and a symbolic link to it stays one.
 * Devices, FIFOs and descriptors of this process (/dev/stdout, /dev/fd/N) are written in place. A
 * file that this process has read is never written over. */
#ifndef MDP_BASE_OUT_PATH_H
#define MDP_BASE_OUT_PATH_H

#include "base/err.h"

struct out_path {
    char *given; /* as the user wrote it, for messages */
    char *file;  /* owned: behind all symbolic links */
    int fd;      /* a descriptor of this process; -1: file */
    bool plain;  /* a regular file, or none yet */
};

/* False: a folder, an input of this command, a place where nothing can be written. "-" is standard
 * output. out_path_fini in any case. */
bool out_path_find(struct out_path *p, const char *path, struct err *e);
void out_path_fini(struct out_path *p);
/* A name for the file while it is being made, to be moved by out_path_deliver. Caller frees. */
char *out_path_temporary(const struct out_path *p);
/* Moves what was written as `temporary` to its place, and removes `temporary` in any case. */
bool out_path_deliver(const struct out_path *p, const char *temporary, struct err *e);
/* Writes all of it to its place. */
bool out_path_write(const struct out_path *p, const void *data, size_t len, struct err *e);

/* Both name one file; descriptors of this process and what cannot be written to are none. */
bool out_path_same(const char *a, const char *b);

/* This file is an input: nothing will be written over it. A file that does not exist is none. */
void out_path_spare(const char *path);

#endif
