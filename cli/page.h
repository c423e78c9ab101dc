/* cli/page.h -- --html FILE: a result as one page with charts, which needs no network. The page has
 * the command's JSON in it, and what report/ holds: our template, style and scripts, which the
 * build embeds, and the chart library. All numbers of the page are read from that JSON. */
#ifndef MDP_CLI_PAGE_H
#define MDP_CLI_PAGE_H

#include "cli/output.h"

struct page {
    const struct options *o; /* borrowed; NULL: no page is wanted, or none is open */
    struct output json;
};

/* False: the option's file is no file, or one that another option names (bad usage). */
bool page_check(struct options *o, struct err *e);
/* Does nothing without --html. False and e: FILE can't be written. */
bool page_open(struct page *p, const struct options *o, struct err *e);
/* Where the JSON of the result goes, as to an output of that format; NULL: no page is wanted. */
struct output *page_output(struct page *p);
/* ok: writes the page, whole or not at all. Frees in any case; returns ok and that the writing
 * worked. */
bool page_close(struct page *p, bool ok, struct err *e);

/* Made by scripts/gen_report.sh: the files of report/, in the order in which they stand in a page.
 */
struct page_part {
    enum page_part_kind { PAGE_HEAD, PAGE_STYLE, PAGE_BODY, PAGE_SCRIPT, PAGE_LICENCE } kind;
    const char *name, *text;
};
extern const struct page_part page_parts[]; /* ends with name == NULL */

#endif
