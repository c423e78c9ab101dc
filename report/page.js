"use strict";
/* page.js -- the page: what was asked, the application, its kernels as rows that unfold. */
(() => {
    const {el, number, percent} = dom;

    /* Columns of a table of entries: {text, cell(entry)}; those that no entry fills are left out. */
    function columns(list) {
        const n = (of) => (e) => of(e) && of(e).v ? number(of(e)) : null;
        const all = [
            {text: "time", cell: (e) => e.share ? share(e) : null},
            {text: "launches", cell: n((e) => e.launches)},
            {text: "n", cell: n((e) => e.run)},
            {text: "fit", cell: n((e) => e.most)},
            {text: "chosen n", cell: n((e) => e.chosen)},
            {text: "best n", cell: n((e) => e.optimum)},
            {text: "IPC", cell: (e) => e.stats && e.stats("ipc") ? number(e.stats("ipc")) : null},
            {text: "gain", cell: (e) => e.gain && e.gain[0] ? number(e.gain[0], dom.gain) : null},
            {text: "80 % lie in", cell: interval},
            {text: "kept", cell: (e) => e.kept ? number(e.kept, percent) : null},
            {text: "bound by", cell: (e) => e.bound && e.chosen ? e.bound[e.chosen.v - 1] : null, left: true},
        ];
        return all.filter((c) => list.some((e) => c.cell(e) !== null));
    }

    function share(e) {
        return el("span", {class: "share", style: `--share: ${(100 * e.share.v).toFixed(2)}%`}, number(e.share, percent));
    }

    function interval(e) {
        const [, low, high] = e.gain || [];
        return low && low.v !== null && high
            ? el("span", null, number(low, dom.gain), " \u2026 ", number(high, dom.gain)) : null;
    }

    let panels = 0;

    /* A row, and below it one that its button unfolds; filled when first seen. */
    function unfolding(e, shown) {
        const id = `panel-${++panels}`, width = shown.length + 1;
        const inside = el("div", {class: "panel"});
        const below = el("tr", {id, class: "below", hidden: true}, el("td", {colspan: width}, inside));
        const button = el("button", {type: "button", class: "unfold", "aria-expanded": "false", "aria-controls": id},
            el("span", {class: "name"}, e.title), e.block ? el("span", {class: "block"}, `[${e.block}]`) : null);
        const open = (on) => {
            below.hidden = !on;
            button.setAttribute("aria-expanded", String(on));
            if (on && !inside.hasChildNodes())
                inside.append(...sections.of(e, "h3"), ...(e.children.length > 1 ? [kernels(e.children, "h3")] : []));
        };
        button.addEventListener("click", () => open(below.hidden));
        button.open = open;
        const row = el("tr", null, el("th", {scope: "row", class: "left", "data-label": ""}, button),
            shown.map((c) => {
                const cell = c.cell(e);
                return el("td", {"data-label": c.text, class: c.left ? "left" : null}, cell === null ? "\u2013" : cell);
            }));
        return [row, below];
    }

    /* Those that take most time first, where that is known. */
    function byTime(list) {
        return list.every((e) => e.share) ? [...list].sort((a, b) => b.share.v - a.share.v) : list;
    }

    function kernels(all, level, title) {
        const list = byTime(all), shown = columns(list);
        return dom.section(level, title || (list.length > 1 ? `Kernels (${list.length})` : "Kernel"),
            el("table", {class: "list"},
                el("thead", null, el("tr", null, el("th", {scope: "col", class: "left"}, "name"),
                    shown.map((c) => el("th", {scope: "col", class: c.left ? "left" : null}, c.text)))),
                el("tbody", null, list.map((e) => unfolding(e, shown)))));
    }

    function header(names) {
        const about = data.about;
        const of = names.length > 1 ? `${names.length} targets` : names[0];
        document.title = `${of} \u2013 mdpredict ${about.command}`;
        return el("header", null, el("h1", null, of),
            el("p", {class: "gpu"}, `on GPU ${about.gpu}`, about.set.length ? `, with ${about.set.join(", ")}` : ""),
            el("pre", {class: "command"}, el("code", {tabindex: 0}, about.command_line)));
    }

    function notes() {
        const r = data.result, all = [];
        if (r.stopped)
            all.push(`Stopped: ${r.stopped}; what follows was measured until then.`);
        if (r.exit_code)
            all.push(`The program ended with exit code ${r.exit_code}.`);
        if (r.faults)
            all.push(`Launches that failed: ${r.faults}.`);
        if (r.missing)
            all.push(`Missing: ${r.missing}.`);
        for (const k of r.rejected || [])
            all.push(`Launches of ${k.kernel} rejected: ${k.launches}, ${k.reason}.`);
        return all.map((text) => el("p", {class: "note", role: "note"}, text));
    }

    function price() {
        const r = data.result;
        if (Array.isArray(r) || r.answer_seconds === undefined)
            return null;
        const at = (name) => number(data.cell(`/${name}`));
        return el("p", {class: "price"}, "This answer took ", at("answer_seconds"), " s of CPU time; one simulation at the default n takes ",
            at("simulation_seconds"), r.simulation_seconds_estimated ? " s (estimated)." : " s.");
    }

    function footer() {
        return el("footer", null, el("p", null, `mdpredict (${data.about.revision}). Charts: Observable Plot and D3. `,
            "n: CTAs at once on each core; IPC: thread instructions a core cycle, whole GPU."),
        document.getElementById("licences"));
    }

    function body(list) {
        if (list.length > 1)
            return [kernels(list, "h2", "Targets")];
        const [e] = list;
        return [...sections.of(e, "h2"), price(), e.children.length > 1 || e.program ? kernels(e.children, "h2") : null];
    }

    /* By keyboard past the charts, to the first list of what unfolds. */
    function skip(page) {
        const rows = page.querySelector(".list");
        if (!rows)
            return;
        rows.id = "rows";
        page.prepend(el("a", {class: "skip", href: "#rows"}, "Skip to the kernels"));
    }

    /* On paper every kernel is unfolded; afterwards those that were not are folded again. */
    function printing() {
        let folded = [];
        addEventListener("beforeprint", () => {
            for (let b; (b = document.querySelector("button.unfold[aria-expanded=false]"));) {
                b.open(true);
                folded.push(b);
            }
            charts.drawAll();
        });
        addEventListener("afterprint", () => {
            for (const b of folded)
                b.open(false);
            folded = [];
        });
    }

    const list = schedulers.are() ? [] : data.entries();
    const page = document.getElementById("page");
    page.append(
        header(schedulers.are() ? schedulers.targets() : list.map((e) => e.title)), ...notes(),
        ...(schedulers.are() ? schedulers.sections() : body(list)).filter((x) => x), footer());
    skip(page);
    printing();
})();
