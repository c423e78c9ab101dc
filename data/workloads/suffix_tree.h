/* data/workloads/suffix_tree.h -- the suffix tree of a DNA sequence (Weiner 1973; here built from
 * the sorted suffixes and the lengths that neighbours among these have in common). Node 0 is the
 * root; as a child, sibling or link, 0 is none. */
#ifndef MDP_DATA_WORKLOADS_SUFFIX_TREE_H
#define MDP_DATA_WORKLOADS_SUFFIX_TREE_H

#include "data/workloads/host.h"

#define SUFFIX_TREE_END 4 /* ends the text: a character that is nowhere else */

struct suffix_tree {
    int nodes;
    unsigned *depth;  /* characters from the root; a leaf's include the end */
    unsigned *suffix; /* where one of the suffixes below a node begins; a leaf's own */
    unsigned *parent, *first_child, *sibling;
    unsigned (*child)[4]; /* by the first base of the edge's label */
    unsigned *link;       /* of inner nodes: the node of the same characters but the first */
    unsigned *leaves;     /* below a node, itself included */
};

/* text: n bases 0 .. 3, then SUFFIX_TREE_END. */
struct suffix_tree suffix_tree_make(struct host *h, const uint8_t *text, int n);

#endif
