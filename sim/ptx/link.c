/* link.c -- a pass over tokens. A text is a sequence of items at brace depth 0: directives,
 * variables, functions. What an item declares is found by its first words; then the text is copied,
 * with private names that are there twice changed (NAME becomes NAME$tK) and second weak
 * definitions left out. */
#include "sim/ptx/link.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 1024

struct symbol {
    const char *name; /* borrowed: of a text */
    size_t len;
    int text;     /* that declared it; -1: shared by all */
    bool defined; /* a body, or a variable that is not extern */
    struct symbol *next;
};

struct linker {
    struct symbol *bucket[BUCKETS];
    FILE *out;
    int text;             /* being copied */
    long files, max_file; /* .file numbers of the texts before; of this one */
};

struct token {
    const char *at;
    size_t len;
    char kind; /* 'w' word, 's' space, comment or string, 'p' one other character, 0 end */
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.' || c == '%' || c == '@';
}

static size_t skip_quoted(const char *p)
{
    size_t n = 1;
    while (p[n] && p[n] != '"')
        n += p[n] == '\\' && p[n + 1] ? 2 : 1;
    return n + (p[n] == '"');
}

static struct token next_token(const char *p)
{
    size_t n = 0;
    if (!*p)
        return (struct token){p, 0, 0};
    if (p[0] == '/' && p[1] == '/')
        return (struct token){p, strcspn(p, "\n"), 's'};
    if (p[0] == '/' && p[1] == '*') {
        const char *end = strstr(p + 2, "*/");
        return (struct token){p, end ? (size_t)(end + 2 - p) : strlen(p), 's'};
    }
    if (*p == '"')
        return (struct token){p, skip_quoted(p), 's'};
    if (isspace((unsigned char)*p)) {
        while (isspace((unsigned char)p[n]))
            n++;
        return (struct token){p, n, 's'};
    }
    if (!is_word(*p))
        return (struct token){p, 1, 'p'};
    while (is_word(p[n]) && (n == 0 || p[n] != '.' || *p == '.' || *p == '%'))
        n++;
    return (struct token){p, n, 'w'};
}

static struct token next_solid(const char *p)
{
    struct token t = next_token(p);
    while (t.kind == 's')
        t = next_token(t.at + t.len);
    return t;
}

static bool is(const struct token *t, const char *word)
{
    return t->len == strlen(word) && memcmp(t->at, word, t->len) == 0;
}

/* -- symbols */

static struct symbol **bucket_of(struct linker *k, const char *name, size_t len)
{
    unsigned h = 2166136261u;
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)name[i]) * 16777619u;
    return &k->bucket[h % BUCKETS];
}

static struct symbol *find(struct linker *k, const struct token *t, int text)
{
    for (struct symbol *s = *bucket_of(k, t->at, t->len); s; s = s->next)
        if (s->text == text && s->len == t->len && memcmp(s->name, t->at, t->len) == 0)
            return s;
    return NULL;
}

static struct symbol *add(struct linker *k, const struct token *t, int text)
{
    struct symbol *s = find(k, t, text);
    if (s)
        return s;
    struct symbol **b = bucket_of(k, t->at, t->len);
    s = xcalloc(1, sizeof *s);
    *s = (struct symbol){.name = t->at, .len = t->len, .text = text, .next = *b};
    return *b = s;
}

/* A private name that another text, or all of them, have too: of private ones the first stays. */
static bool is_renamed(struct linker *k, const struct token *t)
{
    if (!find(k, t, k->text))
        return false;
    for (const struct symbol *s = *bucket_of(k, t->at, t->len); s; s = s->next)
        if (s->text < k->text && s->len == t->len && memcmp(s->name, t->at, t->len) == 0)
            return true;
    return false;
}

/* -- items */

struct item {
    const char *end;   /* behind the item */
    struct token name; /* kind 0: declares nothing */
    bool is_func, has_body, is_extern, is_weak;
};

/* Behind the bracket that closes the one at p. */
static const char *behind(const char *p, char open, char close)
{
    int deep = 0;
    for (struct token t = next_solid(p); t.kind; t = next_solid(t.at + t.len)) {
        deep += t.kind == 'p' && *t.at == open;
        deep -= t.kind == 'p' && *t.at == close;
        if (deep == 0)
            return t.at + t.len;
    }
    return p + strlen(p);
}

static bool is_space(const struct token *t)
{
    return is(t, ".global") || is(t, ".const") || is(t, ".shared") || is(t, ".local") ||
           is(t, ".tex");
}

/* A function's name: behind the results in brackets, if there are any. */
static struct token func_name(struct token t)
{
    t = next_solid(t.at + t.len);
    while (t.kind == 'w' && *t.at == '.') /* .noreturn */
        t = next_solid(t.at + t.len);
    return t.kind == 'p' && *t.at == '(' ? next_solid(behind(t.at, '(', ')')) : t;
}

/* A variable's name: the first word that is no directive, behind alignment and attributes. */
static struct token var_name(struct token t)
{
    for (t = next_solid(t.at + t.len); t.kind; t = next_solid(t.at + t.len)) {
        if (is(&t, ".align"))
            t = next_solid(t.at + t.len);
        else if (is(&t, ".attribute"))
            t = next_token(behind(t.at + t.len, '(', ')') - 1);
        else if (t.kind == 'w' && *t.at != '.')
            return t;
    }
    return t;
}

/* Variables end in ';', functions in their body or ';'; other directives where the line ends. */
static const char *item_end(const char *p, struct item *it)
{
    for (struct token t = next_solid(p); t.kind; t = next_solid(t.at + t.len)) {
        if (t.kind != 'p')
            continue;
        if (*t.at == ';')
            return t.at + 1;
        if (*t.at == '(')
            t = next_token(behind(t.at, '(', ')') - 1);
        else if (*t.at == '{' && it->is_func) {
            it->has_body = true;
            return behind(t.at, '{', '}');
        } else if (*t.at == '{')
            t = next_token(behind(t.at, '{', '}') - 1);
    }
    return p + strlen(p);
}

/* The item whose first word is t. */
static struct item read_item(struct token t)
{
    struct item it = {0};
    const char *from = t.at;
    bool linked = false;
    for (; t.kind == 'w' && *t.at == '.'; t = next_solid(t.at + t.len)) {
        it.is_extern |= is(&t, ".extern");
        it.is_weak |= is(&t, ".weak") || is(&t, ".common");
        linked |= is(&t, ".visible");
        it.is_func = is(&t, ".func") || is(&t, ".entry");
        if (it.is_func)
            it.name = func_name(t);
        else if (is_space(&t))
            it.name = var_name(t);
        if (it.name.kind) {
            it.end = item_end(from, &it);
            if (linked || it.is_extern || it.is_weak || is(&t, ".entry"))
                it.name.kind = 'g'; /* shared by all texts */
            return it;
        }
        if (is(&t, ".section")) {
            it.end = behind(t.at + strcspn(t.at, "{"), '{', '}');
            return it;
        }
        if (is(&t, ".alias")) {
            it.end = item_end(from, &it);
            return it;
        }
    }
    it.end = from + strcspn(from, "\n");
    return it;
}

static void note_names(struct linker *k, const char *text)
{
    for (struct token t = next_solid(text); t.kind;) {
        struct item it = read_item(t);
        if (it.name.kind == 'w')
            add(k, &it.name, k->text);
        else if (it.name.kind == 'g')
            add(k, &it.name, -1);
        t = next_solid(it.end > t.at ? it.end : t.at + t.len);
    }
}

/* -- copying */

static void copy_newlines(struct linker *k, const char *from, const char *to)
{
    for (; from < to; from++)
        if (*from == '\n')
            fputc('\n', k->out);
}

/* The number behind .file, .loc or inlined_at. */
static const char *copy_file_number(struct linker *k, const struct token *t)
{
    fwrite(t->at, 1, t->len, k->out);
    char *end;
    long n = strtol(t->at + t->len, &end, 10);
    if (end == t->at + t->len)
        return end;
    if (n < 0 || n > INT_MAX) /* no compiler numbers so: the parser refuses it */
        n = INT_MAX;
    if (n > k->max_file)
        k->max_file = n;
    fprintf(k->out, " %ld", n + k->files);
    return end;
}

static void copy(struct linker *k, const char *from, const char *to)
{
    struct token t;
    for (const char *p = from; p < to; p = t.at + t.len) {
        t = next_token(p);
        if (t.kind == 'w' && (is(&t, ".file") || is(&t, ".loc") || is(&t, "inlined_at"))) {
            t.at = copy_file_number(k, &t);
            t.len = 0;
            continue;
        }
        fwrite(t.at, 1, t.len, k->out);
        if (t.kind == 'w' && is_renamed(k, &t))
            fprintf(k->out, "$t%d", k->text);
    }
}

/* What stands once at the head of the whole. */
static bool is_head(const struct token *t)
{
    return is(t, ".version") || is(t, ".target") || is(t, ".address_size");
}

static void copy_text(struct linker *k, const char *text)
{
    const char *done = text;
    for (struct token t = next_solid(text); t.kind;) {
        struct item it = read_item(t);
        bool drop = k->text > 0 && is_head(&t);
        if (it.name.kind == 'g') {
            struct symbol *s = add(k, &it.name, -1);
            bool defines = it.is_func ? it.has_body : !it.is_extern;
            drop = defines && s->defined && it.is_weak;
            s->defined |= defines;
        }
        copy(k, done, t.at);
        if (drop)
            copy_newlines(k, t.at, it.end);
        else
            copy(k, t.at, it.end);
        done = it.end > t.at ? it.end : t.at + t.len;
        t = next_solid(done);
    }
    copy(k, done, done + strlen(done));
    fputc('\n', k->out);
    k->files += k->max_file;
    k->max_file = 0;
}

static void free_symbols(struct linker *k)
{
    for (int i = 0; i < BUCKETS; i++)
        for (struct symbol *s = k->bucket[i], *next; s; s = next) {
            next = s->next;
            free(s);
        }
}

char *ptx_link(const char *const *text, int n, struct err *e)
{
    struct linker k = {0};
    char *all = NULL;
    size_t bytes = 0;
    k.out = open_memstream(&all, &bytes);
    if (!k.out) {
        err_set(e, "open_memstream failed");
        return NULL;
    }
    for (k.text = 0; k.text < n; k.text++)
        note_names(&k, text[k.text]);
    for (k.text = 0; k.text < n; k.text++)
        copy_text(&k, text[k.text]);
    free_symbols(&k);
    fclose(k.out);
    return all;
}
