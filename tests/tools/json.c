/* json PATH... FILE -- for shell tests: what stands at each path of a JSON file, a line each; of an
 * array all its values in one line. A path is keys and indices: "kernels.0.ipc"; "kernels.#" is how
 * many there are. Exit code 1: there is no such thing, or the file is no JSON. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const json_t *member(const json_t *v, const char *name)
{
    char *end;
    if (!json_is_array(v))
        return json_object_get(v, name);
    const unsigned long i = strtoul(name, &end, 10);
    return *end ? NULL : json_array_get(v, i);
}

static void print(const json_t *v)
{
    size_t i;
    const json_t *item;
    if (json_is_array(v)) {
        json_array_foreach(v, i, item)
        {
            if (i)
                putchar(' ');
            print(item);
        }
    } else if (json_is_string(v)) {
        fputs(json_string_value(v), stdout);
    } else {
        char *text = json_dumps(v, JSON_ENCODE_ANY);
        fputs(text, stdout);
        free(text);
    }
}

static int show(const json_t *v, const char *path)
{
    char *copy = strdup(path), *rest = copy, *name;
    while (v && (name = strsep(&rest, "."))) {
        if (strcmp(name, "#") == 0) {
            printf("%zu\n", json_is_array(v) ? json_array_size(v) : json_object_size(v));
            free(copy);
            return 0;
        }
        v = member(v, name);
    }
    free(copy);
    if (!v) {
        fprintf(stderr, "json: nothing at %s\n", path);
        return 1;
    }
    print(v);
    putchar('\n');
    return 0;
}

int main(int argc, char **argv)
{
    json_error_t why;
    int bad = 0;
    if (argc < 3)
        return 2;
    json_t *v = json_load_file(argv[argc - 1], 0, &why);
    if (!v)
        fprintf(stderr, "json: %s:%d: %s\n", argv[argc - 1], why.line, why.text);
    for (int i = 1; v && i < argc - 1; i++)
        bad |= show(v, argv[i]);
    json_decref(v);
    return !v || bad;
}
