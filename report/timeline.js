"use strict";
/* timeline.js -- `run --interval N`: statistics over time. Launches follow one another on the axis;
 * where intervals are more than a screen can show, neighbours are drawn as one, by their mean. */
const timeline = (() => {
    const most = 400; /* steps drawn */

    /* A step for each interval: start, end, its counters and rates. */
    function steps(base) {
        const of = (name) => data.get(`${base}/${name}`);
        const launch = of("launch"), length = of("cycles");
        const names = Object.keys(data.get(base)).filter((k) => Array.isArray(of(k)));
        let now = 0;
        return launch.map((l, i) => {
            const s = {start: now, end: now + length[i], launch: l};
            for (const name of names)
                s[name] = of(name)[i];
            now = s.end;
            return s;
        });
    }

    const usedCauses = (all) => charts.usedCauses((cause) => all.map((s) => ({v: s[`sched_${cause}`]})));
    const share = (s, cause) => s.sched_cycles ? s[`sched_${cause}`] / s.sched_cycles : 0;

    const counter = (name) => name.startsWith("sched_") || name === "cycles" || name === "thread_insts";

    function joined(group) {
        const s = {...group[0], end: group[group.length - 1].end};
        const time = s.end - s.start;
        for (const name of Object.keys(s)) {
            if (["start", "end", "launch", "cycle"].includes(name))
                continue;
            s[name] = group.reduce((sum, g) => sum + (counter(name) ? g[name] : (g[name] || 0) * (g.end - g.start)), 0);
            if (!counter(name))
                s[name] = time ? s[name] / time : 0;
        }
        s.ipc = s.cycles ? s.thread_insts / s.cycles : 0;
        return s;
    }

    function thinned(all) {
        const by = Math.ceil(all.length / most), out = [];
        for (let i = 0; i < all.length; i += by)
            out.push(joined(all.slice(i, i + by)));
        return out;
    }

    /* Both ends of each step, so that a line or an area has its corners. */
    const corners = (all, value) => all.flatMap((s) => [{x: s.start, v: value(s)}, {x: s.end, v: value(s)}]);

    function starts(all) {
        const at = all.filter((s, i) => i > 0 && all[i - 1].launch !== s.launch).map((s) => s.start);
        return at.length > 40 ? [] : at;
    }

    const frame = (all, width, y, marks, height) => charts.plotted({
        width, height: height || 150, marginTop: 26,
        x: {domain: [0, all.length ? all[all.length - 1].end : 1], label: "core cycles", tickFormat: (x) => x ? d3.format("~s")(x) : "0",
            ticks: Math.max(3, Math.floor(width / 90))},
        y, marks: [...marks, Plot.ruleX(starts(all), {strokeOpacity: 0.35, strokeDasharray: "2 3"}), Plot.ruleY([0])],
    });

    function line(all, caption, label, value, percent) {
        return charts.figure(caption, null, (width) => frame(all, width,
            {label, zero: true, grid: true, nice: true, ticks: 4, percent},
            [Plot.areaY(corners(all, value), {x: "x", y1: 0, y2: "v", fill: "var(--measured)", fillOpacity: 0.15}),
                Plot.lineY(corners(all, value), {x: "x", y: "v", stroke: "var(--measured)", strokeWidth: 1.5})]));
    }

    function stalls(all) {
        const used = usedCauses(all);
        const rows = used.flatMap(([cause]) => corners(all, (s) => share(s, cause)).map((c, i) => ({...c, i, cause})));
        return charts.figure("What the cycles of the warp schedulers go to, over time",
            charts.legend(used.map(([cause, , name]) => [charts.colour(cause), name])),
            (width) => frame(all, width, {label: "scheduler cycles, %", percent: true, domain: [0, 100], ticks: 5},
                used.length ? [stack(rows, used)] : [], 220));
    }

    /* Two points may have one x, at a corner: they are stacked by their number, not by x. */
    function stack(rows, used) {
        const sum = [], drawn = [];
        for (const [cause] of used)
            for (const r of rows.filter((x) => x.cause === cause)) {
                const low = sum[r.i] || 0;
                sum[r.i] = low + r.v;
                drawn.push({...r, low, high: sum[r.i]});
            }
        return Plot.areaY(drawn, {x: "x", y1: "low", y2: "high", z: "cause", fill: (d) => charts.colour(d.cause)});
    }

    function table(all) {
        const used = usedCauses(all);
        const head = [{text: "cycles", left: true}, {text: "launch"}, {text: "IPC"}, {text: "DRAM"}, {text: "latency"},
            {text: "CTAs a core"}, ...used.map(([, , text]) => ({text}))];
        return dom.table("Statistics over time", head, all.map((s) => [
            `${dom.text(s.start)} \u2013 ${dom.text(s.end)}`, dom.text(s.launch), dom.text(s.ipc),
            dom.percent(s.dram_utilization), dom.text(s.mf_latency), dom.text(s.mean_resident),
            ...used.map(([cause]) => dom.percent(share(s, cause)))]));
    }

    /* Nothing where there are no intervals. */
    function figures(e) {
        const whole = e.intervals ? steps(e.intervals) : [], all = thinned(whole);
        if (!all.length)
            return [];
        const every = data.get(`${e.intervals}/every`);
        return [dom.el("p", null, `Statistics of every ${dom.text(every)} core cycles`,
                all.length < whole.length
                    ? `, ${Math.ceil(whole.length / most)} together in each step.` : "."),
            line(all, "IPC", "IPC", (s) => s.ipc),
            stalls(all),
            line(all, "DRAM data bus in use", "%", (s) => s.dram_utilization, true),
            line(all, "Latency of a read", "core cycles", (s) => s.mf_latency),
            line(all, "CTAs on a core, mean", "CTAs", (s) => s.mean_resident),
            dom.details("Numbers", table(all))];
    }

    return {figures};
})();
