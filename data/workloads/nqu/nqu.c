/* nqu -- the N queens puzzle (NQU of Kayiran 2013, Table II; the program of GPGPU-Sim's ISPASS 2009
 * suite: 256 CTAs of 96 threads). The host sets the queens of the first rows, up to the mirror
 * image; a thread takes one such board and counts the ways to set the others, in shared memory. A
 * launch takes 256 x 96 boards: few boards leave most threads idle, and one CTA takes longer than
 * the next: not enough parallelism.
 *
 * The seed shuffles the boards. Reference: each CTA's boards again, by one placement for a queen
 * and comparison with all queens before, and the number of solutions as published (Sloane's
 * A000170). */
#include "data/workloads/host.h"

#define CTA        96
#define CTAS       256
#define STACK_ROWS 10 /* of nqu.cu */
#define MOST       16 /* queens */

/* Of N queens, N = 1 .. MOST: A000170 of the On-Line Encyclopedia of Integer Sequences. */
static const long published[MOST + 1] = {0,   1,   0,    0,     2,     10,     4,       40,      92,
                                         352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512};

struct board {
    int8_t column[MOST]; /* of the queen of each row that the host set */
    bool twice;          /* counts for its mirror image, too */
};

struct puzzle {
    int queens, set; /* set: rows that the host fills */
    struct board *board;
    int boards;
    unsigned *mask[4]; /* [boards]: as nqu_count takes them */
};

static bool attacked(const int8_t *column, int row)
{
    for (int r = 0; r < row; r++)
        if (column[r] == column[row] || column[r] - column[row] == row - r ||
            column[row] - column[r] == row - r)
            return true;
    return false;
}

/* Number of ways to set rows row .. last - 1; each is noted in p->board unless it is NULL. */
static long place(struct puzzle *p, struct board *b, int row, int last)
{
    long ways = 0;
    if (row == last) {
        if (p->board)
            p->board[p->boards++] = *b;
        return 1;
    }
    for (int c = 0; c < p->queens; c++) {
        if (row == 0 && 2 * c + 1 > p->queens)
            break; /* the right half is the left one's mirror image */
        if (row == 0)
            b->twice = 2 * c + 1 < p->queens;
        b->column[row] = (int8_t)c;
        if (!attacked(b->column, row))
            ways += place(p, b, row + 1, last);
    }
    return ways;
}

/* What the queens of the rows before leave of the next row. */
static void make_masks(struct host *h, struct puzzle *p)
{
    for (int m = 0; m < 4; m++)
        p->mask[m] = host_new(h, (size_t)p->boards, sizeof *p->mask[m]);
    for (int i = 0; i < p->boards; i++) {
        const struct board *b = &p->board[i];
        for (int r = 0; r < p->set; r++) {
            unsigned queen = 1u << b->column[r];
            p->mask[0][i] |= queen;
            p->mask[1][i] |= queen << (p->set - r);
            p->mask[2][i] |= queen >> (p->set - r);
        }
        p->mask[3][i] = b->twice;
    }
}

/* A symmetric board, with its queen in the middle column, is counted with its mirror image. */
static void make_boards(struct host *h, struct puzzle *p)
{
    struct board b = {0};
    const long boards = place(p, &b, 0, p->set);
    p->board = host_new(h, (size_t)boards, sizeof *p->board);
    place(p, &b, 0, p->set);
    rng_shuffle(&h->rng, p->board, (size_t)boards, sizeof *p->board);
    make_masks(h, p);
}

/* solutions[k]: of the k-th CTA, all launches in a row */
static bool check(struct host *h, const struct puzzle *p, const unsigned *solutions, size_t ctas,
                  struct err *e)
{
    int *found = host_new(h, ctas, sizeof *found), *expected = host_new(h, ctas, sizeof *expected);
    struct puzzle count = {.queens = p->queens};
    long total = 0;
    for (int i = 0; i < p->boards; i++) {
        struct board b = p->board[i];
        long ways = place(&count, &b, p->set, p->queens);
        expected[i / CTA] += (int)(b.twice ? 2 * ways : ways);
    }
    for (size_t k = 0; k < ctas; k++)
        total += found[k] = (int)solutions[k];
    if (total != published[p->queens])
        return err_set(e, "nqu: %ld solutions, expected %ld", total, published[p->queens]);
    return host_same_ints(h, "solutions", found, expected, ctas, e);
}

static bool count_boards(const struct puzzle *p, const CUdeviceptr mask[4], CUdeviceptr solutions,
                         CUfunction kernel, struct err *e)
{
    int rows = p->queens - p->set, queens = p->queens;
    const unsigned shared = (4 * STACK_ROWS + 1) * CTA * (unsigned)sizeof(unsigned);
    for (int done = 0; done < p->boards; done += CTAS * CTA) {
        CUdeviceptr at[4], to = solutions + (unsigned)done / CTA * sizeof(unsigned);
        int boards = p->boards - done;
        for (int m = 0; m < 4; m++)
            at[m] = mask[m] + (unsigned)done * sizeof(unsigned);
        void *args[] = {&to, &at[0], &at[1], &at[2], &at[3], &boards, &queens, &rows};
        TRY(cuLaunchKernel(kernel, CTAS, 1, 1, CTA, 1, 1, shared, NULL, args, NULL));
    }
    return true;
}

static bool body(struct host *h, struct err *e)
{
    struct puzzle p = {.queens = (int)h->in->size->param[0], .set = (int)h->in->size->param[1]};
    make_boards(h, &p);
    const size_t launches = host_ctas((size_t)p.boards, CTAS * CTA), ctas = launches * CTAS;
    unsigned *found = host_new(h, ctas, sizeof *found);
    CUdeviceptr mask[4], solutions;
    CUfunction kernel;
    if (!host_kernel(h, "nqu_count", &kernel, e) ||
        !host_array(&solutions, NULL, ctas * sizeof *found, e))
        return false;
    for (int m = 0; m < 4; m++)
        if (!host_array(&mask[m], p.mask[m], (size_t)p.boards * sizeof(unsigned), e))
            return false;
    if (!count_boards(&p, mask, solutions, kernel, e))
        return false;
    TRY(cuMemcpyDtoH(found, solutions, ctas * sizeof *found));
    return !h->in->verify || check(h, &p, found, ctas, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_nqu_ptx[];
extern const struct workload workload_nqu;
const struct workload workload_nqu = {
    .name = "nqu",
    .suite = "Kayiran",
    .title = "solutions of the N queens puzzle, a board a thread",
    .paper_class = "not enough parallelism",
    .size = {{"small", {9, 3}, "9 queens, 3 of them set by the host"},
             {"medium", {12, 4}, "12 queens, 4 of them set by the host"},
             {"paper", {10, 3}, "10 queens, 256 CTAs of 96 threads (ISPASS 2009)"}},
    .ptx = workload_nqu_ptx,
    .run = run,
};
