"use strict";
/* sections.js -- what the page says of one entry: the answer, then a section a question. A section
 * for which the result has nothing is left out. */
const sections = (() => {
    const {el, number, percent, details} = dom;

    let level = "h2"; /* of headings: what unfolds lies one below */
    const section = (title, ...inside) => dom.section(level, title, ...inside);

    /* ---- The answer ---- */
    function fact(name, ...value) {
        return el("div", {class: "fact"}, el("dt", null, name), el("dd", null, value));
    }

    function gainText(e) {
        const [mean, low, high] = e.gain;
        const over = [" over n = ", number(e.deflt)];
        if ((e.chosen || e.optimum).v === e.deflt.v)
            return [e.forecast ? "none: no other degree promises enough more" : "none: it is the default"];
        if (!low || low.v === null)
            return [number(mean, dom.gain), over];
        return [number(mean, dom.gain), over, "; ", number(low, dom.gain), " to ", number(high, dom.gain),
            " with a probability of 80 %"];
    }

    function sureText(e) {
        const n = e.chosen || e.optimum;
        if (e.deviation)
            return ["every degree was simulated, perturbed as well: runs of this n differ by ",
                percent(e.deviation[n.v - 1].v / e.measured[n.v - 1].v)];
        if (e.measured)
            return e.kept ? ["every degree was simulated: the choice keeps ", number(e.kept, percent), " of the best"]
                : ["every degree was simulated"];
        const known = e.low && e.low.some((c) => c.v !== null);
        const open = e.undecided.length
            ? `; n = ${e.undecided.join(", ")} may be better still` : "";
        return [known ? `predicted: IPC lies in the band below with a probability of 80 %${open}`
            : `predicted: how far off is not known${open}`];
    }

    function copyable(lines, label) {
        const code = el("code", {tabindex: 0}, lines.join("\n"));
        const select = () => getSelection().selectAllChildren(code);
        const button = el("button", {type: "button", class: "copy", "aria-label": `Copy: ${label}`, click: () => {
            const done = () => { button.textContent = "Copied"; };
            select();
            if (navigator.clipboard)
                navigator.clipboard.writeText(lines.join("\n")).then(done, () => {});
        }}, "Copy");
        return el("div", {class: "paste"}, el("pre", null, code), button);
    }

    function setting(e) {
        const n = (e.chosen || e.optimum || e.run || e.most).v;
        if (e.paste && e.paste.length)
            return [el("p", null, `For n = ${n}, paste:`), copyable(e.paste, "the lines that set n")];
        if (!e.how)
            return [];
        return [el("p", null, e.how.startsWith("as it is") ? "Nothing is to be set." : `For n = ${n}: ${e.how}.`)];
    }

    function howTo(e) {
        const all = setting(e);
        if (e.carveout)
            all.push(el("p", null, "On a GPU whose shared memory and L1 are one store, before it:"),
                copyable([e.carveout], "the carve-out"));
        if (e.more && e.more.length)
            all.push(el("p", null, `Registers set the limit. For n = ${e.most.v + 1}, of which nothing is known here, the compiler is told to use fewer:`),
                copyable(e.more, "the launch bounds"));
        if (!e.program && e.children.length > 1)
            all.push(el("p", null, "Each kernel has lines of its own: see Kernels, below."));
        return all.length ? el("div", {class: "how"}, all) : null;
    }

    function answer(e) {
        const n = e.chosen || e.optimum;
        if (!n || !n.v)
            return e.run && e.paste && e.paste.length ? el("div", {class: "answer"}, howTo(e)) : null;
        const what = e.chosen ? "Chosen" : "Best";
        const bounds = e.bound ? e.bound[n.v - 1] : null;
        return el("div", {class: "answer"},
            el("p", {class: "choice"}, `${what}: n = `, el("strong", null, number(n)),
                e.most ? [" of ", number(e.most), " that fit"] : null),
            el("dl", null,
                e.gain && e.gain[0] ? fact("gain", gainText(e)) : null,
                bounds ? fact("bound by", bounds) : null,
                e.limit ? fact("limit set by", e.limit.v) : null,
                e.measured || e.predicted ? fact("how sure", sureText(e)) : null,
                fact("holds for", `GPU ${data.about.gpu}`,
                    data.about.set.length ? `, with ${data.about.set.join(", ")}` : "")),
            howTo(e));
    }

    /* ---- By n ---- */
    const column = (text, of, format) => of ? {head: {text}, of, format} : null;

    /* A row for each n; columns that are null are left out. */
    function byDegree(label, e, columns, bound) {
        const used = columns.filter((c) => c);
        const head = [{text: "n"}, ...used.map((c) => c.head), ...(bound ? [{text: "bound by", left: true}] : [])];
        const rows = [], marks = [];
        for (let i = 0; i < e.most.v; i++) {
            rows.push([String(i + 1), ...used.map((c) => number(c.of[i], c.format)), ...(bound ? [bound[i]] : [])]);
            marks.push(e.chosen && e.chosen.v === i + 1 ? "chosen" : null);
        }
        return dom.table(label, head, rows, marks);
    }

    /* Charts against n, their numbers below; where there is one n alone, the numbers. */
    function against(e, title, drawn, table) {
        return e.most.v > 1 ? [drawn, details(title, table)] : table;
    }

    function ipc(e) {
        if (!e.measured && !e.predicted)
            return null;
        return section("IPC", against(e, "Numbers", charts.ipc(e), byDegree("IPC by n", e, [
            column("simulated", e.measured), column("deviation", e.deviation), column("predicted", e.predicted),
            column("from", e.low), column("to", e.high)], e.bound)));
    }

    const loads = [
        ["issue", "issue slots"], ["units", "arithmetic units"], ["port", "LD/ST unit"],
        ["fetch", "instruction cache"], ["dram", "DRAM"], ["l2", "L2 and network"],
        ["issue_load", "issue slots"], ["dram_load", "DRAM"], ["memory_share", "waits for memory"],
    ];

    function modelled(e) {
        if (!e.explain)
            return null;
        const of = (name) => data.series(`${e.explain}/${name}`);
        const drawn = loads.filter(([name]) => of(name) && of(name).some((c) => c.v > 0));
        const told = Object.keys(data.get(e.explain)).filter((name) =>
            !["bound", "dynamic_shared_bytes", "paste", "one_more"].includes(name) && of(name));
        return against(e, "The model's numbers",
            drawn.length ? charts.lines("What n CTAs ask of each resource, as the model sees it", e,
                drawn.map(([name, text]) => [text, of(name)]), "%", true) : null,
            byDegree("The model by n", e, told.map((name) => column(name, of(name))), e.bound));
    }

    function sampled(e) {
        if (!e.sample)
            return null;
        const at = (name) => data.cell(`${e.sample}/${name}_cycles`);
        const keys = new Map(charts.causes.map(([cause, own]) => [cause, own]));
        return [charts.causesOf("What the cycles of the warp schedulers go to, one CTA alone on a core",
            [{name: "n = 1", of: (cause) => keys.get(cause) ? at(keys.get(cause)) : null}]),
        details("Numbers", dom.table("Scheduler cycles of one CTA alone",
            [{text: "cause", left: true}, {text: "scheduler cycles"}],
            charts.causes.filter(([, own]) => own && at(own)).map(([, own, text]) => [text, number(at(own))])))];
    }

    function causesByDegree(e) {
        if (!e.degrees || !e.degrees("sched_cycles"))
            return null;
        const used = charts.usedCauses((cause) => e.degrees(`sched_${cause}`));
        return [charts.causesByDegree(e), details("Numbers", byDegree("Scheduler cycles by n", e, [
            column("scheduler cycles", e.degrees("sched_cycles")),
            ...used.map(([cause, , text]) => column(text, e.degrees(`sched_${cause}`)))]))];
    }

    function bounds(e) {
        return section("What bounds each n", causesByDegree(e), modelled(e), sampled(e));
    }

    const parts = [["read_l1", "L1 miss queue"], ["read_request", "request network"],
        ["read_partition", "L2 and queues"], ["read_dram_queue", "DRAM queue"], ["read_dram", "DRAM bank"],
        ["read_return", "way back"], ["read_reply", "reply network"]];
    const misses = [["l1d_miss_rate", "L1D"], ["l2_miss_rate", "L2"], ["l1i_miss_rate", "L1I"],
        ["texture_miss_rate", "texture cache"]];

    function measuredMemory(e) {
        const of = e.degrees;
        if (!of || !of("cycles"))
            return null;
        const rates = misses.filter(([name]) => of(name) && of(name).some((c) => c.v > 0));
        const latency = parts.filter(([name]) => of(name) && of(name).some((c) => c.v > 0));
        return against(e, "Numbers", el("div", {class: "grid"},
            rates.length ? charts.lines("Misses, of the accesses of each cache", e,
                rates.map(([name, text]) => [text, of(name)]), "%", true) : null,
            charts.lines("DRAM data bus in use", e, [["DRAM", of("dram_utilization")]], "%", true),
            charts.lines("DRAM reads of a CTA", e, [["reads", of("dram_reads_per_cta")]], "requests"),
            latency.length ? charts.stacked("Latency of a read, by where it waits", e,
                latency.map(([name, text]) => [text, of(name)]), "core cycles") : null,
            charts.lines("A CTA's time", e, [["cycles", of("cta_cycles")]], "core cycles")),
        byDegree("Caches, DRAM and latency by n", e, [
            ...misses.map(([name, text]) => column(`${text} misses`, of(name), percent)),
            column("DRAM in use", of("dram_utilization"), percent),
            column("DRAM reads a CTA", of("dram_reads_per_cta")),
            column("latency", of("mf_latency")),
            ...parts.map(([name, text]) => column(text, of(name))),
            column("CTA cycles", of("cta_cycles"))]));
    }

    function predictedMemory(e) {
        const of = (name) => data.series(`${e.base}/predicted_${name}`);
        if (!of("miss_rate"))
            return null;
        return against(e, "Numbers", el("div", {class: "grid"},
            charts.lines("Accesses that L1D does not serve", e, [["misses", of("miss_rate")]], "%", true),
            charts.lines("DRAM reads of a CTA", e, [["reads", of("dram_reads_per_cta")]], "requests"),
            charts.lines("Latency of a read", e, [["latency", of("mf_latency")]], "core cycles"),
            charts.lines("A CTA's time", e, [["cycles", of("cta_cycles")]], "core cycles")),
        byDegree("Predicted caches, DRAM and latency by n", e, [
            column("misses", of("miss_rate"), percent), column("DRAM reads a CTA", of("dram_reads_per_cta")),
            column("latency", of("mf_latency")), column("CTA cycles", of("cta_cycles"))]));
    }

    function memory(e) {
        return section("Caches, DRAM, latency", measuredMemory(e) || predictedMemory(e));
    }

    /* ---- Occupancy ---- */
    const resources = [
        ["CTA slots", null, "core_ctas", "fit_slots"],
        ["threads", "threads_per_cta", "core_threads", "fit_threads"],
        ["registers", "registers_per_thread", "core_registers", "fit_registers"],
        ["shared memory", "shared_bytes_per_cta", "core_shared_bytes", "fit_shared"],
    ];

    function occupancy(e) {
        if (!e.occupancy)
            return null;
        const at = (name) => name ? data.cell(`${e.occupancy}/${name}`) : null;
        const limit = data.get(`${e.occupancy}/limit`);
        const unit = {registers: " a thread", "shared memory": " bytes"};
        return section("What limits n",
            el("p", null, `n is at most ${dom.text(e.most.v)}, set by `, el("strong", null, limit), "."),
            dom.table("Occupancy", [{text: "", left: true}, {text: "a CTA takes"}, {text: "a core has"}, {text: "CTAs that fit"}],
                resources.map(([name, own, core, fit]) => [name,
                    own ? [number(at(own)), unit[name] || ""] : "1", number(at(core)),
                    at(fit).v === null ? "any" : number(at(fit))]),
                resources.map(([name]) => name === limit ? "chosen" : null)));
    }

    /* ---- One run ---- */
    /* What the bars of charts.causesOf stand for, as numbers. */
    function causesTable(label, first, bars) {
        const used = charts.usedCauses((cause) => bars.map((b) => b.of(cause) || {v: 0}));
        return details("Numbers", dom.table(label, [{text: first, left: true}, ...used.map(([, , text]) => ({text}))],
            bars.map((b) => [b.name, ...used.map(([cause]) => number(b.of(cause)))])));
    }

    const most = 30; /* bars of kernels */

    function runCauses(e) {
        const several = e.children.length > 1 || e.program;
        const all = [e, ...(several ? e.children.slice(0, most) : [])].filter((k) => k.stats && k.stats("sched_cycles"));
        if (!all.length)
            return null;
        const bars = all.map((k) => ({name: several && k === e ? "all launches" : k.block ? `${k.title} [${k.block}]` : k.title,
            of: (cause) => k.stats(`sched_${cause}`)}));
        return section("What bounds it", charts.causesOf("What the cycles of the warp schedulers go to", bars),
            causesTable("Scheduler cycles by cause", several ? "launches of" : "run", bars));
    }

    const counted = [["ipc", "IPC"], ["cycles", "core cycles"], ["ctas", "CTAs"], ["warp_insts", "warp instructions"],
        ["l1d_miss_rate", "L1D misses", percent], ["l2_miss_rate", "L2 misses", percent],
        ["dram_utilization", "DRAM in use", percent], ["dram_reads", "DRAM reads"],
        ["mf_latency", "latency of a read, cycles"], ["cta_cycles", "a CTA's cycles"]];

    function runFacts(e) {
        if (!e.stats)
            return null;
        return el("dl", {class: "facts"}, e.run ? fact("n", number(e.run)) : null,
            counted.map(([name, text, format]) => e.stats(name) ? fact(text, number(e.stats(name), format)) : null));
    }

    function everything(e) {
        if (!e.stats)
            return null;
        const names = Object.keys(data.get(e.base)).filter((name) => typeof data.get(`${e.base}/${name}`) === "number");
        return details("Every statistic", dom.table("Every statistic", [{text: "statistic", left: true}, {text: "value"}],
            names.map((name) => [name, number(e.stats(name))])));
    }

    function cores(e) {
        if (!e.cores)
            return null;
        const all = data.get(e.cores), of = (i, name) => data.cell(`${e.cores}/${i}/${name}`);
        const bars = all.map((_, i) => ({name: `core ${i}`, of: (cause) => of(i, `sched_${cause}`)}));
        return section("By core", charts.causesOf("What the cycles of the warp schedulers go to, by core", bars),
            causesTable("Scheduler cycles by core", "core", bars));
    }

    function of(e, heading) {
        level = heading;
        return [answer(e), runFacts(e), ipc(e), section("Over time", timeline.figures(e)), runCauses(e), section("Hot spots", hot.of(e)), e.degrees || e.explain || e.sample ? bounds(e) : null,
            memory(e), occupancy(e), cores(e), everything(e)].filter((x) => x);
    }

    return {of};
})();
