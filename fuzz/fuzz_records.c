/* Records of a program's processes: any are either refused, with the byte at which they are
 * damaged, or the report of every command can be made of them. Their layout is the build's, so that
 * inputs are changes to whole records: KIND [OFFSET VALUE]... 255, each offset 2 bytes in units of
 * 4; 254 is followed by what is taken as it is. */
#include "base/nowhere.h"
#include "cli/program.h"
#include "program/record_check.h"
#include "tests/program/records.h"

#define CHANGES 16 /* of a record, at most */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    const uint8_t *at, *end;
};

static unsigned byte(struct input *in)
{
    return in->at < in->end ? *in->at++ : 255;
}

static int value(struct input *in)
{
    static const int special[] = {-1, 0, 1, 2, 0x7fffffff, (int)0x80000000, 0x7ff80000, 0x7ff00000};
    const unsigned b = byte(in);
    int v = (int)b;
    if (b < sizeof special / sizeof *special)
        return special[b];
    if (b == 8 && in->end - in->at >= 4) {
        memcpy(&v, in->at, sizeof v);
        in->at += sizeof v;
    }
    return v;
}

static void valid(uint32_t kind, union record *r)
{
    memset(r, 0, sizeof *r);
    if (kind == RECORD_KERNEL)
        r->kernel = records_kernel(1);
    else if (kind == RECORD_LAUNCH)
        r->launch = records_launch();
    else if (kind == RECORD_RUN)
        r->run = records_run(1);
    else if (kind == RECORD_SAMPLE)
        r->sample = records_sample();
    else if (kind == RECORD_FAULT)
        r->fault = (struct record_fault){.launch = 1, .why = FAILED_ABANDONED, .text = "late"};
    else if (kind == RECORD_REJECTION)
        r->rejection = (struct record_rejection){.kernel = "k", .reason = "grid 0x1x1"};
    else if (kind == RECORD_CODE)
        r->code = (struct record_code){.insts = 4, .module = "m.ptx"};
    else if (kind == RECORD_INST)
        r->inst = (struct record_inst){.inst = 1, .ptx = 7, .text = "ret;", .source = "a.cu:3"};
    else if (kind == RECORD_HOT)
        r->hot = (struct record_hot){.inst = 1, .counts = {.issued = 3}};
    else if (kind == RECORD_RACE)
        r->race = (struct record_race){.kernel = "k", .module = "m.ptx", .count = 1};
}

static void craft(struct input *in, struct records *rs)
{
    while (in->at < in->end) {
        union record r;
        const uint32_t kind = byte(in);
        const size_t bytes = record_bytes(kind);
        if (!bytes) {
            const size_t rest = (size_t)(in->end - in->at);
            memcpy(rs->at + rs->bytes, in->at, rest);
            rs->bytes += rest;
            return;
        }
        valid(kind, &r);
        for (int i = 0; i < CHANGES; i++) {
            const unsigned high = byte(in);
            if (high == 255)
                break;
            const size_t at = 4 * ((size_t)high << 8 | byte(in)) % bytes & ~(size_t)3;
            const int v = value(in);
            memcpy((char *)&r + at, &v, sizeof v);
        }
        records_put(rs, (enum record_kind)kind, &r, bytes);
    }
}

static void report(enum program_mode mode, const struct gpu_cfg *cfg, struct outcome *found)
{
    char *program[] = {(char *)"nosuch", NULL};
    struct options o = {.gpu = (char *)"fuzz",
                        .arg = program,
                        .counters = true,
                        .explain = true,
                        .hot = true,
                        .hot_lines = 10,
                        .race = true};
    struct program_result r = {
        .mode = mode, .o = &o, .cfg = cfg, .found = found, .command = (char *)"fuzz"};
    FILE *nowhere = nowhere_open();
    program_predict(&r);
    program_judge(&r);
    program_price(&r);
    r.hot = program_hot(&r);
    program_print(nowhere, &r);
    program_result_fini(&r);
    fclose(nowhere);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct records rs;
    static struct gpu_cfg cfg;
    struct err e = {""};
    struct outcome found;
    struct input in = {data, data + size};
    if (size > sizeof rs.at / 2)
        return 0;
    gpu_cfg_default(&cfg);
    rs.bytes = 0;
    records_begin(&rs);
    craft(&in, &rs);
    if (outcome_read(rs.at, rs.bytes, &found, &e)) {
        report(PROGRAM_RUN, &cfg, &found);
        report(PROGRAM_COMPARE, &cfg, &found);
    } else
        BUG_ON(!strstr(e.msg, "damaged at byte "), "no place in: %s", e.msg);
    outcome_release(&found);
    return 0;
}
