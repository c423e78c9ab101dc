/* cli/wrap.h -- text that is broken at spaces to fit the width of a screen. */
#ifndef MDP_CLI_WRAP_H
#define MDP_CLI_WRAP_H

#include <stdio.h>

#define WRAP_SCREEN 80  /* what an answer is printed for */
#define WRAP_TABLE  100 /* ... and tables */

/* Prints text, the cursor being in column `at`, breaks lines before `width`, begins each further
 * one in column `indent`, and ends the last. A word that alone is too long stays whole, and so does
 * a launch's <<<...>>>. */
void wrap_print(FILE *out, const char *text, int at, int indent, int width);
/* `label` in column 2, then fmt's text from column `indent` on. */
void wrap_field(FILE *out, const char *label, int indent, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

#endif
