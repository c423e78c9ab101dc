"use strict";
/* charts.js -- the charts, by Observable Plot. Colours are the style's variables, so that light and
 * dark need no second drawing; a chart is drawn anew when its room changes. */
const charts = (() => {
    const {el} = dom;

    const causes = [ /* of a scheduler cycle: suffix of sched_, of a sample, what it is called */
        ["issued", "issue", "issued"],
        ["mem_dep", "mem_dep", "waits for memory"],
        ["mem_unit", "mem_unit", "LD/ST unit taken"],
        ["alu_dep", "alu_dep", "waits for arithmetic"],
        ["alu_unit", "alu_unit", "arithmetic unit taken"],
        ["fetch", "fetch", "no instruction"],
        ["barrier", "barrier", "barrier"],
        ["policy", null, "held by the scheduler"],
        ["idle", "idle", "no warp"],
    ];
    const colour = (cause) => `var(--${cause.replace("_", "-")})`;

    const figures = [];

    /* A figure that draws itself as wide as it is. draw(width) gives an SVG element. */
    function figure(caption, legend, draw) {
        const room = el("div", {class: "plot"});
        let drawn = 0;
        const redraw = () => {
            const wide = Math.floor(room.clientWidth);
            if (wide < 1 || wide === drawn)
                return;
            drawn = wide;
            const svg = draw(wide);
            svg.setAttribute("role", "img");
            svg.setAttribute("aria-label", caption);
            room.replaceChildren(svg);
        };
        new ResizeObserver(redraw).observe(room);
        figures.push(redraw);
        return el("figure", null, el("figcaption", null, caption), legend, room);
    }

    /* items: [colour, text, class of the swatch] */
    function legend(items) {
        return el("ul", {class: "legend"}, items.map(([fill, name, kind]) =>
            el("li", null, el("span", {class: `swatch ${kind || ""}`, style: `--swatch: ${fill}`}), name)));
    }

    const axis = "n, CTAs at once on each core";
    const plotted = (options) => Plot.plot({
        height: 240, marginLeft: 52, marginRight: 12, marginTop: 34, marginBottom: 40,
        style: {background: "none", color: "inherit", fontSize: "13px", fontFamily: "inherit"}, ...options,
    });

    /* What n is called where it is more than a number: "chosen", "chosen, default", ... */
    function marked(e) {
        const at = new Map();
        const add = (cell, name) => {
            if (cell && cell.v)
                at.set(cell.v, [...(at.get(cell.v) || []), name]);
        };
        add(e.chosen, "chosen");
        add(e.optimum, "best");
        add(e.deflt, "default");
        return [...at].map(([n, names]) => ({n, text: names.join(", "), first: names[0]}));
    }

    function marks(e, n) {
        const all = marked(e);
        const anchor = (d) => n < 3 ? "middle" : d.n > n - 2 ? "end" : d.n < 2 ? "start" : "middle";
        return [
            Plot.ruleX(all, {x: "n", stroke: (d) => d.first === "chosen" ? "var(--accent)" : "currentColor",
                strokeWidth: (d) => d.first === "chosen" ? 2 : 1, strokeDasharray: "4 3",
                strokeOpacity: (d) => d.first === "chosen" ? 1 : 0.6}),
            all.map((d) => Plot.text([d], {x: "n", text: "text", frameAnchor: "top", dy: -14,
                dx: anchor(d) === "end" ? 10 : anchor(d) === "start" ? -10 : 0,
                fontWeight: 600, textAnchor: anchor(d),
                fill: d.first === "chosen" ? "var(--accent)" : "currentColor"})),
        ];
    }

    const degreesTo = (n) => Array.from({length: n}, (_, i) => i + 1);
    /* Not every n has its number where they are many. */
    const ticks = (n, width) => {
        const step = Math.ceil(n / Math.max(2, Math.floor((width - 64) / 26)));
        return degreesTo(n).filter((i) => i === 1 || i === n || (i % step === 0 && n - i >= step / 2));
    };
    const points = (all) => (all || []).map((c, i) => ({n: i + 1, v: c.v}))
        .filter((p) => p.v !== null && p.v !== undefined);

    function ipc(e) {
        const n = e.most.v, measured = points(e.measured), predicted = points(e.predicted);
        const band = e.low ? e.low.map((c, i) => ({n: i + 1, low: c.v, high: e.high[i].v}))
            .filter((p) => p.low !== null) : [];
        const names = [];
        if (measured.length)
            names.push(["var(--measured)", "simulated", "line"]);
        if (predicted.length)
            names.push(["var(--predicted)", "predicted", "line"]);
        if (band.length)
            names.push(["var(--predicted)", "80 % interval", "band"]);
        return figure("IPC against n", legend(names), (width) => plotted({
            width, x: {type: "point", domain: degreesTo(n), ticks: ticks(n, width), label: axis},
            y: {label: "IPC", zero: true, grid: true, nice: true},
            marks: [
                Plot.areaY(band, {x: "n", y1: "low", y2: "high", fill: "var(--predicted)", fillOpacity: 0.2}),
                Plot.ruleX(band, {x: "n", y1: "low", y2: "high", stroke: "var(--predicted)", strokeOpacity: 0.5}),
                marks(e, n),
                Plot.lineY(predicted, {x: "n", y: "v", stroke: "var(--predicted)", strokeWidth: 2}),
                Plot.dot(predicted, {x: "n", y: "v", fill: "var(--predicted)", r: 3.5}),
                Plot.lineY(measured, {x: "n", y: "v", stroke: "var(--measured)", strokeWidth: 2}),
                Plot.dot(measured, {x: "n", y: "v", fill: "var(--measured)", r: 3.5,
                    title: (d) => `n = ${d.n}: IPC ${dom.text(d.v)}`}),
                Plot.ruleY([0]),
            ],
        }));
    }

    const causeLegend = (used) => legend(used.map(([cause, , name]) => [colour(cause), name]));

    /* The causes that take any cycle. of(cause): a series. */
    const usedCauses = (of) => causes.filter(([cause]) => of(cause) && of(cause).some((c) => c.v > 0));

    function causesByDegree(e) {
        const of = (cause) => e.degrees(`sched_${cause}`), all = e.degrees("sched_cycles");
        const used = usedCauses(of), n = all.length;
        const rows = used.flatMap(([cause, , name]) => of(cause).map((c, i) =>
            ({n: i + 1, cause, name, share: all[i].v ? c.v / all[i].v : 0})));
        return figure("What the cycles of the warp schedulers go to, against n", causeLegend(used),
            (width) => plotted({
                width, x: {type: "band", domain: degreesTo(n), ticks: ticks(n, width), label: axis},
                y: {label: "scheduler cycles, %", percent: true, domain: [0, 100]},
                marks: [
                    Plot.barY(rows, {x: "n", y: "share", fill: (d) => colour(d.cause), z: "cause",
                        order: used.map(([cause]) => cause), insetLeft: 0.5, insetRight: 0.5,
                        title: (d) => `n = ${d.n}, ${d.name}: ${dom.percent(d.share)}`}),
                    marks(e, n)[1],
                    Plot.ruleY([0]),
                ],
            }));
    }

    /* Bars side by side: rows of {name, of(cause): cell}. */
    const cut = (text, room) => text.length > room ? `${text.slice(0, room - 2)}\u2026` : text;

    function causesOf(caption, bars) {
        const cells = (cause) => bars.map((b) => b.of(cause) || {v: 0});
        const used = usedCauses(cells);
        const rows = bars.flatMap((b, i) => { /* two may have one name */
            const sum = used.reduce((s, [cause]) => s + (b.of(cause) ? b.of(cause).v : 0), 0);
            return used.map(([cause, , name]) => ({bar: i, of: b.name, cause, name,
                share: sum && b.of(cause) ? b.of(cause).v / sum : 0}));
        });
        const longest = Math.max(...bars.map((b) => b.name.length));
        return figure(caption, causeLegend(used), (width) => {
            const left = Math.min(12 + 7 * longest, Math.floor(width / 3));
            return plotted({
                width, height: 60 + 26 * bars.length, marginLeft: left, marginTop: 8,
                x: {label: "scheduler cycles, %", percent: true, domain: [0, 100]},
                y: {type: "band", domain: bars.map((_, i) => i), label: null, tickFormat: (i) => cut(bars[i].name, Math.floor(left / 7))},
                marks: [Plot.barX(rows, {y: "bar", x: "share", fill: (d) => colour(d.cause), z: "cause",
                    order: used.map(([cause]) => cause), insetTop: 1, insetBottom: 1,
                    title: (d) => `${d.of}, ${d.name}: ${dom.percent(d.share)}`})],
            });
        });
    }

    /* Seven colours, then the same paler, and paler still. */
    const tints = [100, 60, 30];
    function palette(k) {
        const tint = tints[Math.floor(k / 7) % tints.length], of = `var(--s${k % 7 + 1})`;
        return tint === 100 ? of : `color-mix(in srgb, ${of} ${tint}%, var(--bg))`;
    }

    /* lines: [name, series]; percent: they are shares. */
    function lines(caption, e, all, label, percent) {
        const n = e.most.v;
        const rows = all.flatMap(([name, of], k) => points(of).map((p) => ({...p, name, fill: palette(k)})));
        const names = all.length > 1 ? legend(all.map(([name], k) => [palette(k), name, "line"])) : null;
        return figure(caption, names, (width) => plotted({
            width, height: 200, x: {type: "point", domain: degreesTo(n), ticks: ticks(n, width), label: axis},
            y: {label, zero: true, grid: true, percent, nice: true, ticks: 5},
            marks: [
                marks(e, n),
                Plot.lineY(rows, {x: "n", y: "v", z: "name", stroke: "fill", strokeWidth: 2}),
                Plot.dot(rows, {x: "n", y: "v", fill: "fill", r: 3,
                    title: (d) => `n = ${d.n}, ${d.name}: ${percent ? dom.percent(d.v) : dom.text(d.v)}`}),
                Plot.ruleY([0]),
            ],
        }));
    }

    /* Parts that add up, by n. */
    function stacked(caption, e, all, label) {
        const n = e.most.v;
        const rows = all.flatMap(([name, of], k) => points(of).map((p) => ({...p, name, fill: palette(k)})));
        return figure(caption, legend(all.map(([name], k) => [palette(k), name])), (width) => plotted({
            width, height: 220, x: {type: "band", domain: degreesTo(n), ticks: ticks(n, width), label: axis},
            y: {label, grid: true, nice: true, ticks: 5},
            marks: [
                Plot.barY(rows, {x: "n", y: "v", z: "name", fill: "fill", order: all.map(([name]) => name),
                    insetLeft: 0.5, insetRight: 0.5,
                    title: (d) => `n = ${d.n}, ${d.name}: ${dom.text(d.v)}`}),
                marks(e, n)[1],
                Plot.ruleY([0]),
            ],
        }));
    }

    function drawAll() {
        for (const redraw of figures)
            redraw();
    }

    return {drawAll, causes, colour, figure, legend, plotted, palette, ipc, causesByDegree, causesOf, usedCauses, lines, stacked};
})();
