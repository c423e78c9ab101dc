/* base/stop.h -- SIGINT and SIGTERM as a request: whoever works looks now and then whether it
 * should end. A second signal ends the process as if nobody had asked. */
#ifndef MDP_BASE_STOP_H
#define MDP_BASE_STOP_H

#include <stdbool.h>

void stop_listen(void);      /* from now on, for the whole process */
int stop_asked(void);        /* the signal; 0: none */
const char *stop_name(void); /* "SIGTERM"; of stop_asked() */

#endif
