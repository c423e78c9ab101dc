/* The core as a whole: its life, a cycle, replies, CTAs. */
#include "sim/sm/sm.h"

#include "sim/sm/core.h"

#include <stdlib.h>
#include <string.h>

/* ---- Life ---- */
static void pools_init(struct sm *s)
{
    const struct collector_cfg *c = &s->cfg->collector;
    s->list_free_n = (uint32_t)(c->issue_mem + c->mem_units + c->exec_mem + 2);
    s->list = xcalloc(s->list_free_n, sizeof *s->list);
    s->list_free = xcalloc(s->list_free_n, sizeof *s->list_free);
    for (uint32_t i = 0; i < s->list_free_n; i++)
        s->list_free[i] = i;
}

/* Instructions in flight are few, but latencies and MSHRs come from the configuration: the pool
 * doubles when it runs dry. */
void op_pool_grow(struct sm *s)
{
    const uint32_t size = s->ops ? s->ops * 2 : 64;
    s->op = xrealloc(s->op, size * sizeof *s->op);
    s->op_free = xrealloc(s->op_free, size * sizeof *s->op_free);
    for (uint32_t i = size; i-- > s->ops;)
        s->op_free[s->op_free_n++] = i;
    s->ops = size;
}

static void schedulers_init(struct sm *s)
{
    s->core_state = xcalloc(1, s->policy->core_bytes + 1);
    for (int i = 0; i < s->cfg->schedulers; i++) {
        struct scheduler *c = &s->sched[i];
        c->cause = CAUSE_NONE;
        c->state = xcalloc(1, s->policy->bytes + 1);
        c->view = (struct sched_view){.cfg = s->cfg,
                                      .scheduler = i,
                                      .age = s->age,
                                      .warp = s->warp,
                                      .set = &s->set,
                                      .l1d = s->ldst.l1d,
                                      .core = s->core_state};
        for (int w = i; w < s->warps; w += s->cfg->schedulers)
            c->view.owned |= 1ull << w;
        if (s->policy->init)
            s->policy->init(c->state, &c->view);
    }
}

static void schedulers_launch(struct sm *s, const struct kernel *k, const void *analysis)
{
    sched_counts_of_launch(s, &s->counted);
    for (int i = 0; i < s->cfg->schedulers; i++) {
        struct scheduler *c = &s->sched[i];
        c->blamed = NULL;
        c->view.kernel = k;
        c->view.meta = s->meta;
        c->view.analysis = analysis;
        c->view.warps_per_cta = s->warps_per_cta;
        if (s->policy->launch)
            s->policy->launch(c->state, &c->view);
    }
}

struct sm *sm_new(const struct sm_env *env, int id)
{
    struct sm *s = xaligned(64, (sizeof *s + 63) & ~(size_t)63);
    memset(s, 0, sizeof *s);
    s->env = *env;
    s->cfg = env->cfg;
    s->id = id;
    s->policy = sm_warp_scheduler(s->cfg);
    s->warps = s->cfg->max_threads / WARP_SIZE;
    s->wake = CYCLE_NEVER;
    s->fetch_slot = -1;
    s->prefetch_below = sm_prefetch_below(s->cfg);
    s->acct_state = CORE_IDLE;
    for (int i = 0; i < MAX_WARPS; i++) {
        s->owner[i] = (uint8_t)(1u << i % s->cfg->schedulers);
        s->bank0[i] = (uint8_t)(i % s->cfg->reg_banks);
    }
    fifo_init(&s->cluster, (uint32_t)s->cfg->cluster_buffer);
    pools_init(s);
    collector_init(&s->oc, s->cfg);
    exec_init(&s->exec, s->cfg);
    ldst_init(s);
    schedulers_init(s);
    return s;
}

static void ctas_free(struct sm *s)
{
    for (int i = 0; i < MAX_WARPS; i++) {
        if (s->cta[i].cta)
            s->source->cta_free(s->cta[i].cta);
        s->cta[i].cta = NULL;
        s->cta[i].warps_left = 0;
    }
    free(s->board);
    s->board = NULL;
}

void sm_free(struct sm *s)
{
    if (!s)
        return;
    ctas_free(s);
    for (int i = 0; i < MAX_WARPS; i++)
        line_set_fini(&s->cta[i].lines);
    ldst_fini(s);
    exec_fini(&s->exec);
    collector_fini(&s->oc);
    fifo_fini(&s->cluster);
    free(s->op);
    free(s->op_free);
    free(s->list);
    free(s->list_free);
    free(s->bases);
    for (int i = 0; i < s->cfg->schedulers; i++)
        free(s->sched[i].state);
    free(s->core_state);
    free(s);
}

/* Kernels lie one behind the other, in the order of their first launch. */
static addr_t code_of(struct sm *s, const struct kernel *k)
{
    uint64_t next = 0;
    for (int i = 0; i < s->nbases; i++) {
        if (s->bases[i].kernel == k && s->bases[i].id == k->id)
            return SM_CODE_BASE + s->bases[i].first * SM_INST_BYTES;
        next = s->bases[i].end;
    }
    s->bases = xrealloc(s->bases, (size_t)(s->nbases + 1) * sizeof *s->bases);
    s->bases[s->nbases++] = (struct kernel_base){k, k->id, next, next + k->ninst};
    return SM_CODE_BASE + next * SM_INST_BYTES;
}

void sm_code_build(struct sm_code *c, const struct kernel *k, const struct sm_cfg *cfg)
{
    const struct warp_scheduler_ops *policy = sm_warp_scheduler(cfg);
    c->meta = meta_build(k, cfg);
    c->analysis = policy->analyse ? policy->analyse(&(struct sched_code){k, c->meta, cfg}) : NULL;
    c->note = policy->note ? policy->note(c->analysis) : NULL;
}

void sm_code_free(struct sm_code *c)
{
    free(c->meta);
    free(c->analysis);
    *c = (struct sm_code){0};
}

void sm_launch(struct sm *s, struct launch *l, const struct sm_code *code, int cta_limit,
               bool trace_working_set)
{
    BUG_ON(s->resident_ctas, "a launch while %d CTAs run", s->resident_ctas);
    ctas_free(s);
    s->launch = l;
    s->source = inst_source_of(l);
    s->meta = code->meta;
    s->counts = code->counts;
    s->code = code_of(s, l->kernel);
    s->warps_per_cta = launch_warps(l);
    s->cta_limit = cta_limit;
    s->trace = trace_working_set;
    s->fault = NULL;
    s->polls = s->polling = s->cta_poll_cycles = 0;
    s->cta_polls = 0;
    s->board_words = (uint32_t)l->kernel->nregnum / 64 + 1;
    s->board = xcalloc((size_t)s->warps * s->board_words, sizeof *s->board);
    for (int i = 0; i < s->warps; i++)
        s->warp[i].board = s->board + (size_t)i * s->board_words;
    schedulers_launch(s, l->kernel, code->analysis);
}

static void hold(struct l1_cache *c, const struct cache_cfg *cfg, addr_t from, uint64_t bytes)
{
    for (addr_t a = from; c && a < from + bytes; a += (addr_t)cfg->line)
        l1_hold(c, a);
}

void sm_ran_before(struct sm *s, uint64_t code_since)
{
    const struct mem_cfg *mem = s->env.mem;
    const struct kernel *k = s->launch->kernel;
    hold(s->ldst.l1c, &mem->l1c, 0, k->param_bytes);
    if (code_since <= (uint64_t)mem->l1i.size)
        hold(s->l1i, &mem->l1i, s->code, (uint64_t)k->ninst * SM_INST_BYTES);
}

/* ---- CTAs ---- */
bool sm_can_start_cta(const struct sm *s)
{
    return s->resident_ctas < s->cta_limit && !s->fault;
}

static struct scheduler *scheduler_of(struct sm *s, int slot)
{
    return &s->sched[slot % s->cfg->schedulers];
}

static void warp_start(struct sm *s, int slot, int cta_slot, cycle_t now)
{
    struct warp_slot *ws = &s->warp[slot];
    const uint64_t bit = 1ull << slot;
    const int warp = slot - cta_slot * s->warps_per_cta;
    ws->w = s->source->warp(s->cta[cta_slot].cta, warp, &ws->at);
    ws->head = NULL;
    ws->second = false;
    ws->fetch_pc = ws->at.pc;
    ws->cta = (uint8_t)cta_slot;
    s->age[slot] = s->next_age++;
    s->issued[slot] = now;
    s->set.resident |= bit;
    s->set.empty |= bit;
    mark_dirty(s, slot);
    if (s->policy->warp_started)
        s->policy->warp_started(scheduler_of(s, slot)->state, &scheduler_of(s, slot)->view, slot);
}

/* Warp instructions since sm_new(). */
static uint64_t sm_issued_ever(const struct sm *s)
{
    return s->reported.warp_insts + s->st.warp_insts;
}

void sm_start_cta(struct sm *s, uint64_t linear_id, cycle_t now)
{
    int c = 0;
    while (s->cta[c].warps_left)
        c++;
    BUG_ON(c >= s->cta_limit, "no free CTA slot of %d", s->cta_limit);
    struct cta_slot *slot = &s->cta[c];
    if (!slot->cta)
        slot->cta = s->source->cta_new(s->launch);
    const struct inst_place p = {.linear = linear_id, .core = s->id, .cores = s->env.cores};
    if (!s->source->cta_start(slot->cta, &p)) {
        s->fault = s->source->fault(slot->cta);
        return;
    }
    slot->warps_left = s->warps_per_cta;
    slot->start = now;
    slot->order = s->next_age;
    slot->warp_insts = 0;
    slot->before = sm_issued_ever(s);
    for (int i = 0; i < s->cfg->schedulers; i++)
        s->sched[i].view.now = now;
    for (int i = 0; i < s->warps_per_cta; i++)
        warp_start(s, c * s->warps_per_cta + i, c, now);
    if (!s->resident_ctas++ && now > s->oc.empty_since)
        s->oc.idle += now - s->oc.empty_since;
    s->dirty = ~0u;
    s->wake = now + 1;
}

static void cta_ended(struct sm *s, struct cta_slot *c, cycle_t now)
{
    if (--s->resident_ctas == 0)
        s->oc.empty_since = now + 1;
    s->ended[s->ended_n++] = (struct sm_cta_end){.start = c->start,
                                                 .warp_insts = c->warp_insts,
                                                 .core_insts = sm_issued_ever(s) - c->before};
    s->st.ctas++;
    s->st.cta_cycles_sum += now - c->start;
    if (s->trace) {
        s->st.working_set_sum += c->lines.n;
        s->st.traced_ctas++;
        line_set_clear(&c->lines);
    }
}

void sm_warp_left(struct sm *s, int slot, cycle_t now)
{
    const uint64_t bit = 1ull << slot;
    struct cta_slot *c = &s->cta[s->warp[slot].cta];
    s->set.resident &= ~bit;
    s->set.leaving &= ~bit;
    s->set.done &= ~bit;
    s->set.paused &= ~bit;
    held_changed(&s->set);
    if (s->policy->warp_left) {
        struct scheduler *sched = scheduler_of(s, slot);
        sched->view.now = now;
        s->policy->warp_left(sched->state, &sched->view, slot);
    }
    s->dirty = ~0u;
    if (--c->warps_left == 0)
        cta_ended(s, c, now);
}

int sm_resident_ctas(const struct sm *s)
{
    return s->resident_ctas;
}

int sm_ended_ctas(const struct sm *s)
{
    return s->ended_n;
}

bool sm_ended_cta(const struct sm *s, int i, struct sm_cta_end *end)
{
    if (i >= s->ended_n)
        return false;
    *end = s->ended[i];
    return true;
}

void sm_forget_ended(struct sm *s)
{
    s->ended_n = 0;
}

/* CTA slots of which the warps are older than those of `c`. */
static int older(const struct sm *s, int c)
{
    int n = 0;
    for (int i = 0; i < s->cta_limit; i++)
        n += s->cta[i].warps_left && s->cta[i].order < s->cta[c].order;
    return n;
}

void sm_run_oldest(struct sm *s, int n, cycle_t patience)
{
    uint64_t paused = 0;
    s->patience = patience;
    if (s->resident_ctas > n)
        for (int c = 0; c < s->cta_limit; c++)
            if (s->cta[c].warps_left && older(s, c) >= n)
                paused |= ((1ull << (s->warps_per_cta - 1)) * 2 - 1) << (c * s->warps_per_cta);
    paused &= s->set.resident;
    if (paused == s->set.paused)
        return;
    s->set.paused = paused;
    s->dirty = ~0u;
    if (s->wake > s->last_tick + 1)
        s->wake = s->last_tick + 1;
}

/* ---- Memory ---- */
static void count_packet(struct run_stats *st, const struct mem_req *r)
{
    st->mem_reads += r->kind == REQ_GLOBAL_READ || r->kind == REQ_LOCAL_READ;
    st->mem_writes += r->write;
    st->mem_atomics += r->kind == REQ_ATOMIC;
}

bool sm_send(struct sm *s, struct mem_req *r, cycle_t now)
{
    const struct icnt_cfg *c = s->env.icnt_cfg;
    const int room = icnt_request_room(c, r, s->cfg->header_needs_room);
    if (!s->env.icnt->can_push(s->env.req_net, s->id, room))
        return false;
    r->flits = icnt_packet_flits(c, r);
    r->stamp[STAGE_ICNT_IN] = now;
    count_packet(&s->st, r);
    s->env.icnt->push(s->env.req_net, s->id, r->partition, r);
    return true;
}

/* A request goes from stage to stage, never back; stages that it did not pass have no stamp. */
static void check_stamps(const cycle_t *t)
{
    cycle_t last = 0;
    for (int i = 0; i < STAGE_COUNT; i++) {
        BUG_ON(t[i] < last, "stage %d of a read is stamped %llu, an earlier one %llu", i,
               (unsigned long long)t[i], (unsigned long long)last);
        last = t[i] == CYCLE_NEVER ? last : t[i];
    }
}

/* A read that the L2 answered, or that joined one on its way to DRAM, has no stamps from there. */
static void count_stages(struct run_stats *st, const cycle_t *t)
{
    check_stamps(t);
    st->read_l1_sum += t[STAGE_ICNT_IN] - t[STAGE_CREATED];
    st->read_request_sum += t[STAGE_PARTITION] - t[STAGE_ICNT_IN];
    st->read_reply_sum += t[STAGE_CORE] - t[STAGE_REPLY_IN];
    if (t[STAGE_DRAM_DONE] == CYCLE_NEVER) {
        st->read_partition_sum += t[STAGE_REPLY_IN] - t[STAGE_PARTITION];
        return;
    }
    st->read_partition_sum += t[STAGE_DRAM_QUEUE] - t[STAGE_PARTITION];
    st->read_dram_queue_sum += t[STAGE_DRAM_BANK] - t[STAGE_DRAM_QUEUE];
    st->read_dram_sum += t[STAGE_DRAM_DONE] - t[STAGE_DRAM_BANK];
    st->read_return_sum += t[STAGE_REPLY_IN] - t[STAGE_DRAM_DONE];
}

static bool is_data(const struct mem_req *r)
{
    return r->kind == REQ_GLOBAL_READ || r->kind == REQ_LOCAL_READ || r->kind == REQ_ATOMIC ||
           r->kind == REQ_TEX_READ;
}

/* GPGPU-Sim's averagemflatency: from the acceptance by the cache that sent it to here. */
static void count_latency(struct run_stats *st, const struct mem_req *r)
{
    const uint64_t latency = r->stamp[STAGE_CORE] - r->stamp[STAGE_CREATED];
    st->mem_latency_sum += latency;
    st->mem_latency_count++;
    st->replies_from_dram += r->stamp[STAGE_DRAM_DONE] != CYCLE_NEVER && is_data(r);
    if (r->kind != REQ_GLOBAL_READ && r->kind != REQ_LOCAL_READ)
        return;
    count_stages(st, r->stamp);
    st->mf_latency_sum += latency;
    st->mf_latency_count++;
    st->mf_latency_max = latency > st->mf_latency_max ? latency : st->mf_latency_max;
}

static void inst_reply(struct sm *s, struct mem_req *r, cycle_t now)
{
    if (s->l1i) {
        l1_fill(s->l1i, r, now);
        s->l1i_works = true;
        return;
    }
    const uint64_t bit = 1ull << r->warp;
    s->set.fetching &= ~bit;
    s->set.fetched |= bit;
    s->set.empty |= bit;
    mark_dirty(s, r->warp);
    req_put(s->env.pool, r);
}

/* One packet leaves the buffer in front of the core, then one enters it. */
bool sm_replies(struct sm *s, cycle_t now)
{
    bool moved = false;
    struct mem_req *r = fifo_peek(&s->cluster, now);
    if (r && (r->kind == REQ_INST_READ || !fifo_full(&s->ldst.responses))) {
        fifo_pop(&s->cluster, now);
        r->stamp[STAGE_CORE] = now;
        if (r->kind == REQ_INST_READ) {
            inst_reply(s, r, now);
        } else {
            count_latency(&s->st, r);
            fifo_push(&s->ldst.responses, r, now);
            s->ldst.holds = true;
        }
        s->wake = s->wake < now ? s->wake : now;
        moved = true;
    }
    if (fifo_full(&s->cluster))
        return moved;
    r = s->env.icnt->pop(s->env.reply_net, s->id);
    if (r)
        fifo_push(&s->cluster, r, now + 1);
    return moved || r;
}

bool sm_replies_wait(const struct sm *s)
{
    return !fifo_empty(&s->cluster);
}

/* ---- A cycle ---- */
static cycle_t next_wake(struct sm *s, cycle_t now)
{
    const bool ldst = ldst_active(s);
    const struct collector_pipe *p = s->oc.pipe;
    if (s->dirty || ldst || s->oc.busy || p[PIPE_SP].out.n || p[PIPE_SFU].out.n ||
        p[PIPE_DP].out.n || p[PIPE_MEM].out.n || fetch_active(s))
        return now + 1;
    const cycle_t x = exec_next(&s->exec, now), l = ldst_next(s);
    return x < l ? x : l;
}

__attribute__((flatten)) bool sm_tick(struct sm *s, cycle_t now)
{
    if (s->fault) {
        s->wake = CYCLE_NEVER;
        return false;
    }
    if (s->last_tick + 1 < now)
        ldst_repeat_refusal(s, now - s->last_tick - 1);
    s->last_tick = now;
    if (s->exec.inflight)
        exec_writeback(s, now);
    exec_issue(s, now);
    ldst_tick(s, now);
    ldst_issue(s, now);
    issue_tick(s, now);
    account_core(s, now);
    decode_tick(s, now);
    fetch_tick(s, now);
    s->wake = next_wake(s, now);
    return true;
}

cycle_t sm_wake_at(const struct sm *s, cycle_t now)
{
    return s->cfg->tick_every_cycle && !s->fault ? now : s->wake;
}

bool sm_drained(const struct sm *s)
{
    return !s->resident_ctas && s->op_free_n == s->ops && fifo_empty(&s->cluster) &&
           fifo_empty(&s->ldst.responses) && !s->ldst.uncached &&
           !(s->ldst.l1d && l1_busy(s->ldst.l1d)) && !(s->ldst.l1c && l1_busy(s->ldst.l1c)) &&
           !(s->l1i && l1_busy(s->l1i)) && !(s->ldst.l1t && tex_busy(s->ldst.l1t));
}

/* ---- Trouble ---- */
const struct fault *sm_fault(const struct sm *s)
{
    return s->fault;
}

bool sm_diagnose_hang(struct sm *s)
{
    for (int i = 0; i < s->cta_limit; i++) {
        void *c = s->cta[i].cta;
        if (!s->cta[i].warps_left || !s->source->deadlocked(c))
            continue;
        s->fault = s->source->fault(c);
        return true;
    }
    return false;
}

bool sm_stuck(struct sm *s)
{
    for (int i = 0; i < s->cta_limit; i++)
        if (s->cta[i].warps_left && !(s->source->stuck && s->source->stuck(s->cta[i].cta)))
            return false;
    return true;
}

bool sm_never_ends(struct sm *s, uint64_t waiting)
{
    for (int i = 0; i < s->cta_limit; i++) {
        if (!s->cta[i].warps_left)
            continue;
        s->source->never_ends(s->cta[i].cta, waiting);
        s->fault = s->source->fault(s->cta[i].cta);
        return true;
    }
    return false;
}

bool sm_any_running(const struct sm *s, struct fault *f)
{
    const uint64_t running = s->set.resident & ~s->set.done;
    if (!running)
        return false;
    s->source->locate(s->warp[__builtin_ctzll(running)].w, f);
    return true;
}

void sm_flush_l1(struct sm *s)
{
    if (s->ldst.l1d)
        l1_flush(s->ldst.l1d);
    if (s->ldst.l1t)
        tex_flush(s->ldst.l1t);
}

static void copy_l1(struct l1_cache *to, const struct l1_cache *from)
{
    if (to)
        l1_copy(to, from);
}

void sm_copy_caches(struct sm *to, const struct sm *from)
{
    copy_l1(to->ldst.l1d, from->ldst.l1d);
    copy_l1(to->ldst.l1c, from->ldst.l1c);
    copy_l1(to->l1i, from->l1i);
    if (to->ldst.l1t)
        tex_copy(to->ldst.l1t, from->ldst.l1t);
    to->bases = xrealloc(to->bases, (size_t)from->nbases * sizeof *to->bases);
    to->nbases = from->nbases;
    memcpy(to->bases, from->bases, (size_t)from->nbases * sizeof *to->bases);
}
