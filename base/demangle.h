/* base/demangle.h -- C++ names as people write them. The C++ library's demangler is used where that
 * library is installed; it is not needed to build or to run. */
#ifndef MDP_BASE_DEMANGLE_H
#define MDP_BASE_DEMANGLE_H

/* "_Z3addPfi" gives "add(float*, int)"; a name that is not C++'s, or cannot be read here, comes
 * back as it is. Caller frees. */
char *demangle(const char *name);
/* Without the parameters: "add", "ns::scale<float>". Caller frees. */
char *demangle_short(const char *name);

#endif
