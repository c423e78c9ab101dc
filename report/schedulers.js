"use strict";
/* schedulers.js -- `compare --warp-schedulers ... --cta-schedulers ...`: IPC of each target under each
 * combination over that under the baseline. */
const schedulers = (() => {
    const {number} = dom;

    /* Names in the order in which they first stand there. */
    const names = (list, key) => [...new Set(list.map((r) => r[key]))];

    function chart(rows, targets, combinations) {
        const fill = (name) => charts.palette(combinations.indexOf(name));
        return charts.figure("IPC over the baseline's", charts.legend(combinations.map((name) => [fill(name), name])),
            (width) => {
                const bar = 18, left = Math.min(150, Math.floor(width / 3)), room = Math.floor(left / 7) - 2;
                return charts.plotted({
                    width, marginBottom: 8, height: 34 + targets.length * (combinations.length * bar + 14), marginLeft: left, marginTop: 24,
                    x: {label: null, zero: true, grid: true, nice: true, axis: "top"},
                    fy: {domain: targets, label: null, axis: "left", padding: 0.15,
                        tickFormat: (t) => t.length > room ? `${t.slice(0, room)}\u2026` : t},
                    y: {domain: combinations, axis: null, padding: 0.1},
                    marks: [
                        Plot.barX(rows, {fy: "target", y: "combination", x: "v", fill: (d) => fill(d.combination),
                            title: (d) => `${d.target}, ${d.combination}: ${dom.text(d.v)}`}),
                        Plot.ruleX([1], {strokeDasharray: "3 2"}), Plot.ruleX([0]),
                    ],
                });
            });
    }

    function table(targets, combinations) {
        const {runs, means} = data.result;
        const head = [{text: "target", left: true}, /* may break behind the slash */
            ...combinations.map((name) => ({text: name.replace("/", "/\u200b")}))];
        const row = (name, cell) => [name, ...combinations.map((c) => number(cell(c)))];
        const run = (target) => (c) =>
            data.cell(`/runs/${runs.findIndex((r) => r.target === target && r.combination === c)}/normalised`);
        const mean = (kind) => (c) => data.cell(`/means/${means.findIndex((m) => m.combination === c)}/${kind}`);
        return dom.table("IPC over the baseline's", head, [...targets.map((t) => row(t, run(t))),
            row("geometric mean", mean("geometric_mean")), row("arithmetic mean", mean("arithmetic_mean"))]);
    }

    function runs(list) {
        const head = [{text: "target", left: true}, {text: "combination", left: true}, {text: "n"}, {text: "cycles"}, {text: "IPC"}];
        const at = (i, name) => number(data.cell(`/runs/${i}/${name}`));
        return dom.table("Every run", head, list.map((r, i) =>
            [r.target, r.combination, at(i, "n"), at(i, "cycles"), at(i, "ipc")]));
    }

    /* What the page has under its heading. */
    function sections() {
        const {runs: list, means, baseline} = data.result;
        const targets = names(list, "target"), combinations = names(list, "combination");
        const rows = list.map((r) => ({target: r.target, combination: r.combination, v: r.normalised}));
        for (const m of targets.length > 1 ? means : [])
            rows.push({target: "geometric mean", combination: m.combination, v: m.geometric_mean});
        return [dom.section("h2", "Schedulers", dom.el("p", null, `The baseline is ${baseline}.`),
            chart(rows, names(rows, "target"), combinations), table(targets, combinations),
            dom.details("Every run", runs(list)))];
    }

    return {sections, are: () => "baseline" in data.result, targets: () => names(data.result.runs, "target")};
})();
