/* cli/chart.h -- IPC against n as horizontal bars in the terminal. */
#ifndef MDP_CLI_CHART_H
#define MDP_CLI_CHART_H

#include <stdbool.h>
#include <stdio.h>

struct chart_bar {
    int n;
    double value;     /* length of the bar */
    double predicted; /* drawn as a tick on the same scale; negative: none */
    bool chosen, optimum, is_default;
};

/* utf8: blocks in eighths of a column; else '#'. Every line ends in a newline. */
void chart_print(FILE *out, const char *title, const struct chart_bar *bar, int bars, bool utf8);
/* What the environment's locale can show. */
bool chart_utf8(void);

#endif
