"use strict";
/* data.js -- from the JSON that a command prints to entries, all of one shape whatever the command:
 * an application, and its kernels below it. A value is a cell {v, path}: path is the JSON pointer it
 * was read at; null: it was computed here, from counters that add up. */
const data = (() => {
    const read = (id) => JSON.parse(document.getElementById(id).textContent);
    const result = read("result"), about = read("about");

    function get(path) {
        let v = result;
        for (const key of path.split("/").slice(1))
            v = v === null || v === undefined ? undefined : v[key];
        return v;
    }

    function cell(path) {
        const v = get(path);
        return v === undefined ? null : {v, path};
    }

    /* The elements of an array by n; null: there is no such array. */
    function series(path) {
        const a = get(path);
        return Array.isArray(a) && a.length ? a.map((v, i) => ({v, path: `${path}/${i}`})) : null;
    }

    /* ---- Statistics: counters, and rates as base/stats.c derives them ---- */
    const rates = {
        ipc: ["thread_insts", "cycles"],
        miss_rate: ["dram_reads", "l1d_accesses"],
        l1d_miss_rate: ["l1d_misses", "l1d_accesses"],
        l2_miss_rate: ["l2_misses", "l2_accesses"],
        l1i_miss_rate: ["l1i_misses", "l1i_accesses"],
        texture_miss_rate: ["texture_misses", "texture_accesses"],
        dram_reads_per_cta: ["dram_reads", "ctas"],
        dram_utilization: ["dram_bus_cycles", "dram_cycles"],
        cta_cycles: ["cta_cycles_sum", "ctas"],
        mf_latency: ["mf_latency_sum", "mf_latency_count"],
    };
    for (const part of ["l1", "request", "partition", "dram_queue", "dram", "return", "reply"])
        rates[`read_${part}`] = [`read_${part}_sum`, "mf_latency_count"];

    /* One run's statistics, or several added up: a function from a name to a cell. */
    function statistics(paths) {
        const sum = (name) => {
            const all = paths.map((p) => get(`${p}/${name}`));
            return all.includes(undefined) ? undefined : all.reduce((a, b) => a + b, 0);
        };
        return (name) => {
            const single = paths.length === 1 ? cell(`${paths[0]}/${name}`) : null;
            if (single)
                return single;
            const [part, whole] = (rates[name] || [name]).map(sum);
            const v = !rates[name] ? part : part !== undefined && whole ? part / whole : undefined;
            return v === undefined ? null : {v, path: null};
        };
    }

    /* ... by n: a function from a name to a series. by: statistics of n = 1, 2, ... */
    function byDegree(by) {
        return (name) => {
            const all = by.map((of) => of(name));
            return all.includes(null) ? null : all;
        };
    }

    function degrees(path, n) {
        if (!get(path))
            return null;
        return byDegree(Array.from({length: n}, (_, i) => (name) => {
            const at = (key) => cell(`${path}/${key}/${i}`);
            const of = rates[name];
            return at(name) || (of && at(of[1]) && at(of[1]).v
                ? {v: at(of[0]).v / at(of[1]).v, path: null} : null);
        }));
    }

    /* ---- What commands share ---- */
    function shared(base, title) {
        return {
            title, base,
            chosen: cell(`${base}/chosen_n`),
            most: cell(`${base}/n_max`),
            predicted: series(`${base}/predicted_ipc`),
            low: series(`${base}/predicted_ipc_low`),
            high: series(`${base}/predicted_ipc_high`),
            undecided: get(`${base}/undecided`) || [],
            children: [],
        };
    }

    function placement(e, base, how) {
        e.limit = cell(`${base}/limit`) || cell(`${how}/occupancy/limit`);
        e.occupancy = get(`${base}/occupancy`) ? `${base}/occupancy`
            : get(`${how}/occupancy`) ? `${how}/occupancy` : null;
        e.how = get(`${base}/how`) || get(`${how}/how`);
        e.paste = get(`${base}/paste`) || get(`${how}/paste`);
        e.more = get(`${base}/one_more`) || get(`${how}/one_more`);
        e.carveout = get(`${base}/carveout`) || get(`${how}/carveout`);
    }

    /* Launches by the name of their kernel, in the order of the first. */
    function kernelsOf(base) {
        const at = new Map();
        (get(`${base}/kernels`) || []).forEach((k, i) =>
            at.set(k.kernel, [...(at.get(k.kernel) || []), i]));
        return at;
    }

    /* Where the kernel stands in `hot`, if it does. */
    function hotOf(name) {
        const i = (result.hot || []).findIndex((k) => k.kernel === name);
        return i < 0 ? [] : [i];
    }

    /* ---- A command each ---- */
    function fromRun(base) {
        const e = {...shared(base, get(`${base}/target`)), run: cell(`${base}/n`)};
        e.stats = statistics([base]);
        e.stopped = get(`${base}/stopped`);
        e.intervals = get(`${base}/intervals`) ? `${base}/intervals` : null;
        e.cores = get(`${base}/cores`) ? `${base}/cores` : null;
        const cycles = get(`${base}/cycles`);
        for (const [name, launches] of kernelsOf(base)) {
            const paths = launches.map((i) => `${base}/kernels/${i}`);
            const k = {...shared(paths[0], name), run: cell(`${paths[0]}/n`)};
            k.stats = statistics(paths);
            k.launches = {v: launches.length, path: null};
            k.share = cycles && k.stats("cycles") ? {v: k.stats("cycles").v / cycles, path: null} : null;
            placement(k, paths[0], paths[0]);
            k.hot = hotOf(name);
            e.children.push(k);
        }
        e.hot = e.children.length === 1 ? e.children[0].hot : [];
        return e;
    }

    /* least: with fewer at once it never ends */
    function best(measured, least = 1) {
        let at = least - 1; /* of equals the least n */
        measured.forEach((c, i) => { if (i >= least && c.v > measured[at].v) at = i; });
        return {v: at + 1, path: null};
    }

    /* What the best n gains over the default. */
    function over(e) {
        const [most, now] = [e.measured[e.optimum.v - 1].v, e.measured[e.deflt.v - 1].v];
        return [now ? {v: most / now - 1, path: null} : null, null, null];
    }

    function fromSearch() {
        const n = result.length, of = (i) => `/${i}`;
        const e = shared(of(n - 1), result[0].target);
        const by = result.map((_, i) => statistics([of(i)]));
        e.degrees = byDegree(by);
        e.measured = e.degrees("mean_ipc") || e.degrees("ipc");
        e.deviation = e.degrees("ipc_deviation");
        e.deflt = e.most;
        const least = result[0].least_n || 1;
        e.optimum = best(e.measured, least);
        e.gain = over(e);
        const kernels = kernelsOf(of(n - 1));
        for (const [name, launches] of kernels) {
            const paths = (i) => launches.map((l) => `${of(i)}/kernels/${l}`);
            const k = shared(paths(n - 1)[0], name);
            k.degrees = byDegree(result.map((_, i) => statistics(paths(i))).slice(0, k.most.v));
            k.measured = k.degrees("ipc");
            k.deflt = k.most;
            k.optimum = kernels.size > 1 ? best(k.measured, Math.min(least, k.most.v)) : e.optimum;
            k.gain = over(k);
            k.launches = {v: launches.length, path: null};
            placement(k, paths(Math.min(k.optimum.v, n) - 1)[0], "");
            e.children.push(k);
        }
        return [e];
    }

    function explained(e, base) {
        const at = `${base}/explain`;
        e.explain = get(at) ? at : null;
        e.bound = get(`${at}/bound`) || get(`${base}/bound`) || null;
        placement(e, base, at);
    }

    function forecast(base, title) {
        const e = shared(base, title);
        e.deflt = e.most;
        e.gain = ["", "_low", "_high"].map((end) => cell(`${base}/predicted_gain${end}`));
        e.forecast = true;
        explained(e, base);
        return e;
    }

    function fromSample() {
        const e = forecast("", result.target);
        e.children = result.kernels.map((k, i) => {
            const own = forecast(`/kernels/${i}`, k.part ? `${k.kernel}, group ${k.part + 1}` : k.kernel);
            own.sample = own.base;
            own.launches = cell(`${own.base}/launches`);
            return own;
        });
        const time = e.children.map((k) => get(`${k.base}/total_thread_insts`) / k.predicted[k.most.v - 1].v);
        const whole = time.reduce((a, b) => a + b, 0); /* at the default n */
        e.children.forEach((k, i) => { k.share = {v: time[i] / whole, path: null}; });
        e.children.sort((a, b) => b.share.v - a.share.v);
        if (e.children.length === 1)
            e.sample = e.children[0].base;
        return [e];
    }

    function fromCompare() {
        return result.map((r, i) => {
            const base = `/${i}`, e = shared(base, r.target);
            e.most = e.deflt = cell(`${base}/default_n`);
            e.optimum = cell(`${base}/optimum_n`);
            e.measured = series(`${base}/ipc`);
            e.gain = [cell(`${base}/gain`), null, null];
            e.kept = cell(`${base}/kept`);
            e.bound = r.bound;
            e.degrees = degrees(`${base}/degrees`, e.most.v);
            e.children = r.kernels.map((k, l) => {
                const own = shared(`${base}/kernels/${l}`, k.kernel);
                own.chosen = {v: Math.min(e.chosen.v, own.most.v), path: null};
                placement(own, own.base, "");
                return own;
            });
            return e;
        });
    }

    function fromProgramKernel(k, i) {
        const device = result.kernels.some((o) => o.device > 0) ? `, device ${k.device}` : "";
        const base = `/kernels/${i}`, e = shared(base, k.kernel + device);
        e.block = [k.block_x, k.block_y, k.block_z].join("\u00d7");
        e.launches = cell(`${base}/launches`);
        e.share = cell(`${base}/time_share`);
        e.deflt = cell(`${base}/default_n`) || e.most;
        e.optimum = cell(`${base}/optimum_n`);
        e.measured = series(`${base}/mean_ipc`) || series(`${base}/ipc`);
        e.deviation = series(`${base}/ipc_deviation`);
        e.kept = cell(`${base}/kept`);
        e.gain = ["", "_low", "_high"].map((end) => cell(`${base}/gain${end}`));
        e.forecast = e.predicted !== null && e.measured === null;
        e.sample = k.sample ? `${base}/sample` : null;
        e.degrees = degrees(`${base}/degrees`, e.most.v);
        e.run = cell(`${base}/n`);
        e.stats = e.run ? statistics([base]) : null;
        e.hot = hotOf(`${k.kernel} [${[k.block_x, k.block_y, k.block_z].join("x")}]${device}`);
        explained(e, base);
        return e;
    }

    /* IPC of all launches of the kernels that were simulated at every n, each at most at its limit:
     * the same thread instructions in the sum of their cycles. */
    function wholeProgram(e) {
        const all = e.children.filter((k) => k.measured);
        if (all.length < 2)
            return;
        const n = Math.max(...all.map((k) => k.most.v));
        const insts = all.map((k) => get(`${k.base}/total_thread_insts`));
        e.most = {v: n, path: null};
        e.deflt = e.most;
        e.measured = Array.from({length: n}, (_, i) => {
            const cycles = all.map((k, l) => insts[l] / k.measured[Math.min(i, k.most.v - 1)].v);
            return {v: insts.reduce((a, b) => a + b) / cycles.reduce((a, b) => a + b), path: null};
        });
    }

    function fromProgram() {
        const e = {...shared("", result.target), program: true};
        e.children = result.kernels.map(fromProgramKernel).sort((a, b) => b.share.v - a.share.v);
        wholeProgram(e);
        return [e];
    }

    function fromCommand() {
        if (!Array.isArray(result))
            return "exit_code" in result ? fromProgram() : about.command === "run" ? [fromRun("")] : fromSample();
        return about.command === "search" ? fromSearch() : fromCompare();
    }

    /* An application of one kernel is that kernel. */
    function entries() {
        const list = fromCommand();
        for (const e of list)
            if (e.children.length === 1 && !e.program && !e.occupancy)
                for (const name of ["limit", "occupancy", "how", "paste", "carveout", "more"])
                    e[name] = e.children[0][name];
        return list;
    }

    return {result, about, get, cell, series, entries};
})();
