/* cli/keys.h -- every key of `sample --json`, from the tables that it is written by. */
#ifndef MDP_CLI_KEYS_H
#define MDP_CLI_KEYS_H

struct key {        /* static */
    const char *of; /* "answer", "price", "sample", "explain", "program"; a model's own: its name */
    const char *name, *unit, *help;
};

/* In the order of the output, by `of`. */
void keys_walk(void (*each)(void *user, const struct key *k), void *user);

#endif
