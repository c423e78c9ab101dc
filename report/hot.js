"use strict";
/* hot.js -- `run --hot`: which instructions the cycles go to. */
const hot = (() => {
    const {el, number, percent, details} = dom;
    const most = 20; /* lines that are shown at once */

    /* The cycles of a line by cause, as a bar as long as they are of the most of any line. */
    function bar(line, longest) {
        const parts = charts.causes.map(([cause, , name]) =>
            [cause, name, cause === "issued" ? line.cycles - sum(line.stalled) : line.stalled[cause]]).filter(([, , v]) => v > 0);
        const text = parts.map(([, name, v]) => `${name}: ${percent(v / line.cycles)}`).join(", ");
        return el("span", {class: "bar", role: "img", title: text, "aria-label": text},
            parts.map(([cause, , v]) => el("span", {style: `width: ${(100 * v / longest).toFixed(2)}%; background: ${charts.colour(cause)}`})));
    }

    const sum = (of) => Object.values(of).reduce((a, b) => a + b, 0);
    const ratio = (part, whole) => whole ? {v: part / whole, path: null} : null;

    function row(base, kernel, line, longest) {
        const at = `${base}/lines/${kernel.lines.indexOf(line)}`;
        const of = (name) => data.cell(`${at}/${name}`);
        return [line.line ? number(of("line")) : "", number(ratio(line.cycles, kernel.sched_cycles), percent), bar(line, longest),
            el("code", null, line.instruction), number(of("issued")), line.transactions ? number(ratio(line.transactions, line.accesses)) : "",
            line.l1d_accesses ? number(ratio(line.l1d_misses, line.l1d_accesses), percent) : "",
            line.conflict_cycles ? number(of("conflict_cycles")) : "", line.source];
    }

    const head = [{text: "line"}, {text: "cycles"}, {text: "of these by cause", left: true},
        {text: "instruction", left: true}, {text: "issued"}, {text: "transactions an access"}, {text: "L1D misses"},
        {text: "bank conflicts, cycles"}, {text: "source", left: true}];

    function table(base, kernel, lines, label) {
        const longest = Math.max(...lines.map((l) => l.cycles));
        const rows = lines.map((l) => row(base, kernel, l, longest));
        const used = head.map((_, i) => i < 5 || rows.some((r) => r[i] !== ""));
        return dom.table(label, head.filter((_, i) => used[i]), rows.map((r) => r.filter((_, i) => used[i])));
    }

    function ofKernel(i, launches) {
        const base = `/hot/${i}`, kernel = data.get(base);
        const lines = [...kernel.lines].filter((l) => l.cycles).sort((a, b) => b.cycles - a.cycles || a.line - b.line);
        if (!lines.length)
            return null;
        const causes = charts.causes.filter(([cause]) => cause === "issued" || lines.some((l) => l.stalled[cause]));
        return [el("p", null, "Shares are of all scheduler cycles, ", number(data.cell(`${base}/sched_cycles`)),
                launches && launches.v > kernel.launches
                    ? [", in ", number(data.cell(`${base}/launches`)), " of its ", number(launches), " launches, those that were simulated"]
                    : kernel.launches > 1 ? [" in ", number(data.cell(`${base}/launches`)), " launches"] : "",
                ". Where no instruction waits, no warp is there or all have ended."),
            charts.legend(causes.map(([cause, , name]) => [charts.colour(cause), name])),
            table(base, kernel, lines.slice(0, most), `Hot spots of ${kernel.kernel}`),
            lines.length > most ? details(`All ${lines.length} instructions`, table(base, kernel, lines, `All instructions of ${kernel.kernel}`)) : null];
    }

    /* e.hot: indices in the result's array `hot`. */
    return {of: (e) => (e.hot || []).map((i) => ofKernel(i, e.launches))};
})();
