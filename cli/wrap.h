/* cli/wrap.h -- text that is broken at spaces to fit the width of a screen: that of the terminal,
 * if it is narrower than what is asked for. */
#ifndef MDP_CLI_WRAP_H
#define MDP_CLI_WRAP_H

#include <stdio.h>

#define WRAP_SCREEN 80  /* what an answer is printed for */
#define WRAP_TABLE  100 /* ... and tables */

/* The lesser of `most` and the columns of the terminal that is written to, if it is one. */
int wrap_width(int most);
/* Prints text, the cursor being in column `at`, breaks lines before `most` columns, begins each
 * further one in column `indent`, and ends the last. A word that alone is too long stays whole, and
 * so does a launch's <<<...>>>. */
void wrap_print(FILE *out, const char *text, int at, int indent, int most);
/* `left`, then text from column `indent` on; below, indented by four, where that leaves it too
 * little room. */
void wrap_beside(FILE *out, const char *left, const char *text, int indent, int most);
/* `label` in column 2, then fmt's text from column `indent` on. */
void wrap_field(FILE *out, const char *label, int indent, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

#endif
