/* base/revision.h -- which source this was built from. Made by the build. */
#ifndef MDP_BASE_REVISION_H
#define MDP_BASE_REVISION_H

extern const char mdpredict_revision[]; /* of git, "-dirty" with changes; "unknown" without git */
extern const char mdpredict_full_version[]; /* "0.1 (REVISION)" */

#endif
