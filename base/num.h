/* base/num.h -- numbers to text and back, exactly. */
#ifndef MDP_BASE_NUM_H
#define MDP_BASE_NUM_H

#include "base/types.h"

#define NUM_TEXT 40

/* The shortest decimal text that reads back to the same double, always with a '.' or an exponent
 * ("0.1", "3.0", "1.0e+300"); infinities and NaN as "inf", "-inf", "nan". Returns buf. */
const char *num_text(double v, char buf[NUM_TEXT]);
/* The whole of text as one number; false when there is anything else in it or it is out of range.
 * Integers are decimal, or hexadecimal after 0x. */
bool num_int(const char *text, int64_t *out);
/* A whole number of bytes; "16K", "16KB" and "16KiB" are 16384, M and G likewise. */
bool num_bytes(const char *text, int64_t *out);
bool num_real(const char *text, double *out); /* finite only */

#endif
