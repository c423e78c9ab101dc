/* cudart/props.h -- what the simulated GPU says about itself, from its configuration. */
#ifndef MDP_CUDART_PROPS_H
#define MDP_CUDART_PROPS_H

#include <stdbool.h>

/* cudaDevAttr... and CU_DEVICE_ATTRIBUTE_... have the same numbers. False: no such attribute. */
bool props_attribute(int attribute, int *value);

/* waived.c: the program was told so; the process ends without a launch: say what it was denied. */
void waived_asked(int attribute, int value);
void waived_tell(void);

#endif
