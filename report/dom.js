"use strict";
/* dom.js -- elements, numbers as text, tables. Text is put in as text only, never as markup. */
const dom = (() => {
    /* el("td", {class: "n"}, child, "text", ...); null children are left out. */
    function el(name, attributes, ...children) {
        const e = document.createElement(name);
        for (const [key, value] of Object.entries(attributes || {}))
            if (typeof value === "function")
                e.addEventListener(key, value);
            else if (value !== null && value !== undefined && value !== false)
                e.setAttribute(key, value === true ? "" : value);
        for (const child of children.flat(Infinity))
            if (child !== null && child !== undefined)
                e.append(child);
        return e;
    }

    const digits = 4;

    function grouped(whole) {
        return whole.length < 5 ? whole : whole.replace(/\B(?=(\d{3})+$)/g, "\u202f");
    }

    /* Whole numbers in full, others with four digits. */
    function text(v) {
        if (v === null || v === undefined)
            return "\u2013";
        if (typeof v !== "number")
            return String(v);
        if (Number.isInteger(v) && Math.abs(v) < 1e15)
            return (v < 0 ? "\u2212" : "") + grouped(String(Math.abs(v)));
        if (Math.abs(v) >= 10 ** digits && Math.abs(v) < 1e15)
            return text(Math.round(v));
        return v.toPrecision(digits).replace("-", "\u2212");
    }

    function percent(v) {
        return v === null || v === undefined ? "\u2013" : `${(100 * v).toFixed(1).replace("-", "\u2212")} %`;
    }

    function gain(v) {
        return v === null || v === undefined ? "\u2013" : (v > 0 ? "+" : "") + percent(v);
    }

    /* A value of the JSON: what is read is rounded, `value` is not; data-path says where it stands. */
    function number(cell, format) {
        if (!cell)
            return "\u2013";
        const shown = (format || text)(cell.v);
        if (typeof cell.v !== "number")
            return shown;
        return el("data", {value: cell.v, "data-path": cell.path, title: String(cell.v)}, shown);
    }

    /* head: [{text, left, wide}]; rows: arrays of nodes or text, a cell each; marks: a class a row. */
    function table(label, head, rows, marks) {
        const body = rows.map((row, i) => el("tr", {class: marks && marks[i]},
            row.map((cell, k) => el(k ? "td" : "th", {
                scope: k ? null : "row", class: head[k].left ? "left" : null, "data-label": head[k].text,
            }, cell))));
        return el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": label},
            el("table", null,
                el("thead", null, el("tr", null, head.map((h) =>
                    el("th", {scope: "col", class: h.left ? "left" : null}, h.text)))),
                el("tbody", null, body)));
    }

    function details(title, ...inside) {
        return el("details", null, el("summary", null, title), inside);
    }

    /* level: of its heading, "h2" or "h3". Nothing in it: null. */
    function section(level, title, ...inside) {
        const found = inside.flat(Infinity).filter((x) => x !== null && x !== undefined);
        return found.length ? el("section", null, el(level, null, title), found) : null;
    }

    return {el, text, percent, gain, number, table, details, section};
})();
