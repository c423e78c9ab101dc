/* base/demangle.h -- C++ names as people write them. The C++ library's demangler is used where that
 * library is installed; it is not needed to build or to run. */
#ifndef MDP_BASE_DEMANGLE_H
#define MDP_BASE_DEMANGLE_H

#include <stddef.h>

/* "_Z3addPfi" gives "add(float*, int)"; a name that is not C++'s, or cannot be read here, comes
 * back as it is. Caller frees. */
char *demangle(const char *name);
/* Without the parameters: "add", "ns::scale<float>". Caller frees. */
char *demangle_short(const char *name);
/* The same where it fits into `room` bytes; else without template arguments ("ns::sort<...>"),
 * without the outer namespaces ("sort<...>"), cut ("so..."), as far as need be. Caller frees. */
char *demangle_fit(const char *name, size_t room);
/* As a sentence has it, in 60 bytes. Caller frees. */
char *demangle_said(const char *name);
/* A message in which such names are words: each as a table of wide columns would have it. Caller
 * frees. */
char *demangle_text(const char *text);

#endif
