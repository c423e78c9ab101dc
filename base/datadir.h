/* base/datadir.h -- where the program's data folder is: gpus/, coefficients/, workloads/.
 * $MDPREDICT_DATA when set; else `data` beside the executable or in a folder above it (so that
 * test binaries in the build folder find it too); else share/mdpredict in one of these, of what is
 * installed; else the same from libmdpredict.so on, where that runs in another's program.
 */
#ifndef MDP_BASE_DATADIR_H
#define MDP_BASE_DATADIR_H

#include "base/err.h"

/* The folder, without a trailing slash. NULL and e: none is found. Caller frees. */
char *datadir(struct err *e);
/* FOLDER/NAME.cfg in the data folder, e.g. ("gpus", "yen2014"). NULL and e: there is no such file;
 * the message lists the names there are. Caller frees. */
char *datadir_find(const char *folder, const char *name, struct err *e);
/* The names of all *.cfg in that folder, sorted, without ".cfg"; ends with NULL. NULL and e: no
 * such folder. Free with datadir_list_free. */
char **datadir_list(const char *folder, struct err *e);
void datadir_list_free(char **names);

#endif
