#include "base/num.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *num_text(double v, char buf[NUM_TEXT])
{
    if (isnan(v))
        return strcpy(buf, "nan");
    if (isinf(v))
        return strcpy(buf, v < 0 ? "-inf" : "inf");
    if (v == floor(v) && fabs(v) < 1e15) { /* 100 is "100.0", not "1.0e+02" */
        snprintf(buf, NUM_TEXT, "%.1f", v);
        return buf;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(buf, NUM_TEXT, "%.*g", digits, v);
        if (digits == 17 || strtod(buf, NULL) == v)
            break;
    }
    if (strchr(buf, '.'))
        return buf;
    char *exp = strchr(buf, 'e');
    if (!exp)
        return strcat(buf, ".0");
    memmove(exp + 2, exp, strlen(exp) + 1);
    memcpy(exp, ".0", 2);
    return buf;
}

bool num_int(const char *text, int64_t *out)
{
    const char *digits = text + (*text == '-' || *text == '+');
    bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    if (!isdigit((unsigned char)*digits))
        return false;
    char *end;
    errno = 0;
    long long v = strtoll(text, &end, hex ? 16 : 10);
    if (errno || *end)
        return false;
    *out = v;
    return true;
}

/* Powers of 1024. -1: it is no unit. */
static int unit_shift(const char *text)
{
    static const struct {
        const char *text;
        int shift;
    } unit[] = {{"", 0},    {"B", 0},    {"K", 10}, {"KB", 10}, {"KiB", 10}, {"M", 20},
                {"MB", 20}, {"MiB", 20}, {"G", 30}, {"GB", 30}, {"GiB", 30}};
    for (size_t i = 0; i < sizeof unit / sizeof *unit; i++)
        if (strcasecmp(text, unit[i].text) == 0)
            return unit[i].shift;
    return -1;
}

bool num_bytes(const char *text, int64_t *out)
{
    char digits[NUM_TEXT];
    const size_t len = strspn(text, "0123456789");
    const int shift = unit_shift(text + len);
    if (num_int(text, out)) /* hexadecimal, negative */
        return true;
    if (shift < 0 || len == 0 || len >= sizeof digits)
        return false;
    snprintf(digits, sizeof digits, "%.*s", (int)len, text);
    if (!num_int(digits, out) || *out > INT64_MAX >> shift)
        return false;
    *out <<= shift;
    return true;
}

bool num_real(const char *text, double *out)
{
    char *end;
    double v = strtod(text, &end);
    if (isspace((unsigned char)*text) || end == text || *end || !isfinite(v))
        return false;
    *out = v;
    return true;
}
