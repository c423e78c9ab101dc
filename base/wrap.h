/* base/wrap.h -- text that is broken at spaces to fit the width of a screen: that of the terminal,
 * if it is narrower than what is asked for. */
#ifndef MDP_BASE_WRAP_H
#define MDP_BASE_WRAP_H

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
/* A sentence, from column 0: one line, but on a terminal that is narrower. */
void wrap_line(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Text whose lines are broken already: as it is, but on a terminal anew, for its width. Lines that
 * begin with a blank, and empty ones, stay apart. Ends the last line. */
void wrap_paragraph(FILE *out, const char *text);
/* `label` in column 2, then fmt's text from column `indent` on. */
void wrap_field(FILE *out, const char *label, int indent, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

#endif
