"use strict";
/* Every page of a folder in a headless Chromium: page.js CHROMIUM FOLDER. Beside NAME.html is NAME.json, what
 * the command printed in the same run. Prints "FAIL: ..." a line, and exits with 1, where something does not hold. */
const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const {pathToFileURL} = require("node:url");
const {chromium} = require("playwright-core");

const [program, folder] = process.argv.slice(2);
let browser, bad = 0;

async function check(what, body) {
    try {
        await body();
    } catch (e) {
        bad++;
        console.log(`FAIL: ${what}: ${String(e.message).slice(0, 600)}`);
    }
}

/* A page, and all that it complained of or asked for. */
async function open(name, options) {
    const context = await browser.newContext({viewport: {width: 1000, height: 800}, offline: true, ...options});
    const page = await context.newPage();
    page.trouble = [];
    page.on("console", (m) => page.trouble.push(`console: ${m.text()}`));
    page.on("pageerror", (e) => page.trouble.push(`error: ${e.message}`));
    page.on("request", (r) => page.trouble.push(`request: ${r.url().slice(0, 200)}`));
    await page.goto(pathToFileURL(path.join(folder, `${name}.html`)).href);
    await page.waitForFunction(() => document.querySelector("#page footer"));
    await page.waitForFunction(() => [...document.querySelectorAll(".plot")].every((p) => !p.clientWidth || p.querySelector("svg")));
    page.trouble.shift(); /* of the page itself */
    return page;
}

async function unfoldAll(page) {
    for (const button of await page.$$("button.unfold"))
        if (await button.isVisible() && await button.getAttribute("aria-expanded") === "false")
            await button.click();
    await page.evaluate(() => { for (const d of document.querySelectorAll("details")) d.open = true; });
    await page.waitForTimeout(100);
}

const at = (json, pointer) => pointer.split("/").slice(1).reduce((v, key) => v[key], json);

/* What text says: a number, a percentage as a ratio. */
function read(text) {
    const plain = text.replace(/\u202f/g, "").replace("\u2212", "-").replace("+", "");
    return plain.endsWith(" %") ? Number(plain.slice(0, -2)) / 100 : Number(plain);
}

async function numbersAreThoseOfTheJson(name, page, json) {
    const shown = await page.$$eval("data", (all) => all.map((d) =>
        ({path: d.dataset.path, value: d.value, text: d.textContent})));
    assert(shown.length > (name === "functional" ? 4 : 20), `only ${shown.length} numbers`);
    const own = shown.filter((d) => d.path !== undefined);
    assert(own.length > shown.length / 2, `only ${own.length} of ${shown.length} numbers are of the JSON`);
    for (const d of own)
        assert.strictEqual(Number(d.value), at(json, d.path), `${d.path} is ${d.value}`);
    for (const d of shown) { /* four digits, or a tenth of a per cent */
        const v = Number(d.value), error = Math.abs(read(d.text) - v);
        assert(error <= 5.1e-4 * Math.abs(v) || (d.text.endsWith("%") && error <= 5.01e-4),
            `${d.path}: ${d.value} is shown as ${d.text}`);
    }
}

async function showsAll(name) {
    const page = await open(name), json = JSON.parse(fs.readFileSync(path.join(folder, `${name}.json`)));
    await unfoldAll(page);
    await check(`${name}: JSON`, async () =>
        assert.deepStrictEqual(JSON.parse(await page.$eval("#result", (e) => e.textContent)), json));
    await check(`${name}: numbers`, () => numbersAreThoseOfTheJson(name, page, json));
    await check(`${name}: charts`, async () => {
        const empty = await page.$$eval(".plot", (all) =>
            all.filter((p) => p.clientWidth && !p.querySelector("svg path, svg rect, svg circle")).length);
        assert.strictEqual(empty, 0, `${empty} charts are empty`);
        const unnamed = await page.$$eval(".plot svg", (all) => all.filter((s) => !s.getAttribute("aria-label")).length);
        assert.strictEqual(unnamed, 0, "charts without a name");
    });
    await check(`${name}: tables of the charts`, async () => {
        const bare = await page.$$eval("section", (all) => all.filter((s) => s.querySelector(".plot")
            && !s.querySelector("table")).map((s) => s.firstChild.textContent));
        assert.deepStrictEqual(bare, [], "charts whose numbers are nowhere");
        const cores = await page.$$eval("[aria-label='Scheduler cycles by core'] tbody tr", (all) => all.length);
        assert.strictEqual(cores, (json.cores || []).length);
    });
    await check(`${name}: colours of a legend`, async () => {
        const same = await page.$$eval(".legend", (all) => all.map((l) => [...l.querySelectorAll(".swatch:not(.band)")]
            .map((s) => getComputedStyle(s).backgroundColor)).filter((c) => new Set(c).size < c.length));
        assert.deepStrictEqual(same, []);
    });
    await check(`${name}: kernels by their share of time`, async () => {
        const lists = await page.$$eval(".list", (all) => all.map((l) => [...l.querySelectorAll(".share data")].map((d) => Number(d.value))));
        for (const share of lists)
            assert.deepStrictEqual(share, [...share].sort((x, y) => y - x));
    });
    await check(`${name}: trouble`, () => assert.deepStrictEqual(page.trouble, []));
    await page.context().close();
}

/* At 400 pixels nothing is wider than the screen but what scrolls in its own box, and text is no
 * smaller than 12 pixels. */
async function fitsAPhone(name) {
    const page = await open(name, {viewport: {width: 400, height: 800}});
    await unfoldAll(page);
    await check(`${name}: 400 pixels`, async () => {
        assert.strictEqual(await page.evaluate(() => document.documentElement.scrollWidth), 400);
        const [out, small] = await page.evaluate(() => {
            const seen = [...document.querySelectorAll("#page *")].filter((e) => e.getClientRects().length);
            const own = seen.filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()));
            const name = (e) => `${e.tagName} ${e.textContent.slice(0, 30)}`;
            return [own.filter((e) => !e.closest(".scroll, svg") && e.getBoundingClientRect().right > 400.5).map(name),
                own.filter((e) => parseFloat(getComputedStyle(e).fontSize) < 12).map(name)];
        });
        assert.deepStrictEqual(out, [], "text beyond the right edge");
        assert.deepStrictEqual(small, [], "small text");
        const tables = await page.$$eval(".scroll", (all) => all.filter((e) => e.getClientRects().length
            && (e.getBoundingClientRect().width > 400 || e.tabIndex !== 0 || !e.getAttribute("aria-label"))).length);
        assert.strictEqual(tables, 0, "tables that cannot be scrolled by keyboard");
    });
    await page.context().close();
}

/* The first thing that Tab reaches leads past the charts; the kernels are next then. */
async function chartsCanBeSkipped() {
    const page = await open("hot_kernels");
    await check("hot_kernels: skip link", async () => {
        await page.keyboard.press("Tab");
        assert.strictEqual(await page.evaluate(() => document.activeElement.className), "skip");
        assert(await page.evaluate(() => document.activeElement.getBoundingClientRect().left >= 0), "it is not seen");
        await page.keyboard.press("Enter");
        await page.keyboard.press("Tab");
        assert.strictEqual(await page.evaluate(() => document.activeElement.className), "unfold");
        assert.deepStrictEqual(page.trouble, []);
    });
    await page.context().close();
}

/* By keyboard alone: a kernel's row opens, shows its charts and its line to paste, and closes. */
async function keyboard(name) {
    const page = await open(name);
    await check(`${name}: keyboard`, async () => {
        for (let i = 0; i < 30; i++) {
            await page.keyboard.press("Tab");
            if (await page.evaluate(() => document.activeElement.matches("button.unfold")))
                break;
        }
        const state = () => page.evaluate(() => {
            const b = document.activeElement, panel = document.getElementById(b.getAttribute("aria-controls"));
            return [b.matches("button.unfold"), b.getAttribute("aria-expanded"), !panel.hidden, panel.querySelectorAll("svg").length > 0];
        });
        assert.deepStrictEqual(await state(), [true, "false", false, false]);
        const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
        assert.notStrictEqual(outline, "none", "the focus cannot be seen");
        await page.keyboard.press("Enter");
        await page.waitForFunction(() => document.querySelector(".panel svg"));
        assert.deepStrictEqual(await state(), [true, "true", true, true]);
        await page.keyboard.press("Space");
        assert.deepStrictEqual((await state()).slice(0, 3), [true, "false", false]);
    });
    await page.context().close();
}

async function chosenIsMarked() {
    const page = await open("sample"), json = JSON.parse(fs.readFileSync(path.join(folder, "sample.json")));
    await check("sample: the answer", async () => {
        const svg = page.locator("figure", {hasText: "IPC against n"}).locator("svg");
        const dots = await svg.locator("circle").evaluateAll((all) => all.map((c) => +c.getAttribute("cx")));
        assert.strictEqual(dots.length, json.n_max, "a dot a degree");
        const place = async (text) => svg.getByText(text, {exact: true}).evaluate((t) =>
            +t.getAttribute("transform").match(/translate\(([\d.]+)/)[1]);
        assert(Math.abs(await place("chosen") - dots[json.chosen_n - 1]) < 12, "not at the chosen n");
        assert(Math.abs(await place("default") - dots[json.n_max - 1]) < 12, "not at the default n");
        assert.strictEqual(await page.textContent(".choice strong"), String(json.chosen_n));
        assert.strictEqual(await page.textContent(".paste code"), json.explain.paste.join("\n"));
        const band = await svg.locator("[aria-label=area] path").getAttribute("d");
        assert(band.length > 20, "no interval");
    });
    await page.context().close();
}

/* The lines that a kernel's own n is set by: those of the run at that n. */
async function linesAreOfTheKernelsOwnN() {
    const page = await open("perturbed"), json = JSON.parse(fs.readFileSync(path.join(folder, "perturbed.json")));
    await unfoldAll(page);
    await check("perturbed: lines to paste", async () => {
        const whole = await page.textContent("#page > .answer .choice strong");
        const means = json.map((r) => r.mean_ipc);
        assert.strictEqual(Number(whole), means.indexOf(Math.max(...means)) + 1);
        const panels = await page.$$eval(".panel", (all) => all.map((p) => [p.querySelector(".choice strong").textContent,
            [...p.querySelectorAll(".paste code")].map((c) => c.textContent).join("\n")]));
        panels.forEach(([n, lines], k) => {
            const at = json[n - 1].kernels[k];
            const ipc = json.map((r) => r.kernels[k].ipc).slice(0, at.n_max);
            assert.strictEqual(Number(n), ipc.indexOf(Math.max(...ipc)) + 1);
            assert.strictEqual(lines, [at.paste.join("\n"), at.carveout, at.one_more.join("\n")].filter((t) => t).join("\n"));
        });
        assert.strictEqual(panels.length, 2);
    });
    await page.context().close();
}

async function timelineIsWhole() {
    const page = await open("run"), json = JSON.parse(fs.readFileSync(path.join(folder, "run.json")));
    await unfoldAll(page);
    await check("run: over time", async () => {
        const captions = await page.$$eval("figcaption", (all) => all.map((c) => c.textContent));
        for (const what of ["IPC", "What the cycles of the warp schedulers go to, over time", "DRAM data bus in use",
            "Latency of a read", "CTAs on a core, mean"])
            assert(captions.includes(what), `no chart "${what}"`);
        const rows = await page.$$eval("[aria-label='Statistics over time'] tbody tr", (all) =>
            all.map((r) => [...r.cells].map((c) => c.textContent)));
        assert.strictEqual(rows.length, json.intervals.ipc.length);
        rows.forEach((r, i) => assert(Math.abs(read(r[2]) - json.intervals.ipc[i]) <= 5.1e-4 * json.intervals.ipc[i], `step ${i}`));
    });
    await page.context().close();
    const many = await open("launches");
    await check("launches: steps are joined", async () => {
        const of = JSON.parse(fs.readFileSync(path.join(folder, "launches.json")));
        await unfoldAll(many);
        const rows = await many.$$eval("[aria-label='Statistics over time'] tbody tr", (all) => all.map((r) => r.cells[0].textContent));
        const by = Math.ceil(of.intervals.ipc.length / 400);
        assert.strictEqual(rows.length, Math.ceil(of.intervals.ipc.length / by));
        assert(by > 1 && read(rows.at(-1).split(" \u2013 ")[1]) === of.cycles, "the last step does not end with the run");
    });
    await many.context().close();
}

/* The instructions of each kernel, those with the most cycles first. */
async function hotSpotsAreTheJsons() {
    for (const name of ["hot", "hot_kernels", "p_hot", "p_devices"]) {
        const page = await open(name), json = JSON.parse(fs.readFileSync(path.join(folder, `${name}.json`)));
        await unfoldAll(page);
        await check(`${name}: hot spots`, async () => {
            assert(json.hot.length > 0, "none in the JSON");
            for (const k of json.hot) {
                const all = k.lines.filter((l) => l.cycles).sort((a, b) => b.cycles - a.cycles || a.line - b.line);
                const rows = await page.$$eval(`[aria-label=${JSON.stringify(`Hot spots of ${k.kernel}`)}] tbody tr`, (found) =>
                    found.map((r) => ({cells: [...r.cells].map((c) => c.textContent), bar: r.querySelector(".bar").title})));
                assert.strictEqual(rows.length, Math.min(20, all.length), k.kernel);
                rows.forEach(({cells, bar}, i) => {
                    assert.strictEqual(cells[3], all[i].instruction);
                    assert(Math.abs(read(cells[1]) - all[i].cycles / k.sched_cycles) < 6e-4, `${cells[1]} of line ${all[i].line}`);
                    assert.strictEqual(read(cells[4]), all[i].issued);
                    assert.strictEqual(bar.includes("waits for memory"), all[i].stalled.mem_dep > 0, bar);
                });
            }
        });
        await page.context().close();
    }
}

/* Kernels of one name and two block sizes have a bar each; which launches were counted is said. */
async function blocksAreApart() {
    const page = await open("p_blocks");
    await check("p_blocks: a bar for each block size", async () => {
        const names = await page.$$eval(".plot", (plots) => [...plots[0].querySelectorAll('[aria-label="y-axis tick label"] text')].map((t) => t.textContent));
        assert.deepStrictEqual(names, ["hot [32\u00d71\u00d71]", "hot [16\u00d71\u00d71]"]);
        await unfoldAll(page);
        assert((await page.textContent("#page")).includes("in 1 of its 2 launches, those that were simulated"), "not said");
    });
    await page.context().close();
}

async function whatIsMissingIsSaid() {
    for (const [name, text] of [["p_rejected", "Launches of scale rejected: 3, invalid configuration argument"], ["stopped", "Stopped: "]]) {
        const page = await open(name);
        await check(`${name}: notes`, async () => assert((await page.textContent(".note")).startsWith(text)));
        await page.context().close();
    }
}

async function lightAndDark() {
    const ground = async (scheme) => {
        const page = await open("compare", {colorScheme: scheme});
        const of = await page.evaluate(() => [getComputedStyle(document.documentElement).backgroundColor,
            getComputedStyle(document.body).color].map((c) => c.match(/\d+/g).reduce((a, b) => a + +b, 0) / 3));
        await page.context().close();
        return of;
    };
    await check("light and dark", async () => {
        const [light, ink] = await ground("light"), [dark, chalk] = await ground("dark");
        assert(light - ink > 180 && chalk - dark > 180, `contrast: ${light} ${ink}, ${dark} ${chalk}`);
    });
}

async function printed() {
    const page = await open("compare");
    await check("print", async () => {
        await page.emulateMedia({media: "print"});
        await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
        const [rows, drawn, empty] = await page.evaluate(() => [document.querySelectorAll("tr.below").length,
            document.querySelectorAll("tr.below:not([hidden])").length,
            [...document.querySelectorAll(".plot")].filter((p) => !p.querySelector("svg")).length]);
        assert(rows > 1 && rows === drawn && empty === 0, `${drawn} of ${rows} rows, ${empty} charts missing`);
        const pdf = await page.pdf({format: "A4"});
        assert(pdf.length > 20000, "the PDF is empty");
        await page.evaluate(() => dispatchEvent(new Event("afterprint")));
        assert.strictEqual(await page.$$eval("tr.below:not([hidden])", (all) => all.length), 0, "unfolded still after printing");
    });
    await page.context().close();
    await onPaper("sample");
    await onPaper("schedulers");
    await onPaper("p_hot");
}

/* On paper all is dark on light, whatever the screen's scheme, nothing is cut at a sheet's edge, and the heading of
 * a list stands once. A4 less its margins of 15 mm is 680 pixels wide. */
async function onPaper(name) {
    const page = await open(name, {colorScheme: "dark", viewport: {width: 680, height: 900}});
    await check(`${name}: on paper`, async () => {
        await page.emulateMedia({media: "print", colorScheme: "dark"});
        await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
        const [dark, cut, repeated] = await page.evaluate(() => {
            const light = (c) => c.match(/[\d.]+/g).slice(0, 3).reduce((a, b) => a + +b, 0) / 3;
            const ground = (e) => {
                const c = getComputedStyle(e).backgroundColor;
                return c === "rgba(0, 0, 0, 0)" && e.parentElement ? ground(e.parentElement) : light(c);
            };
            const seen = [...document.querySelectorAll("#page *")].filter((e) => e.getClientRects().length && !e.closest("svg")
                && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()));
            const say = (e) => `${e.tagName} ${e.textContent.slice(0, 30)}`;
            return [seen.filter((e) => ground(e) - light(getComputedStyle(e).color) < 90).map(say),
                seen.filter((e) => e.getBoundingClientRect().right > innerWidth + 0.5).map(say),
                [...document.querySelectorAll(".list > thead")].filter((e) => getComputedStyle(e).display === "table-header-group").length];
        });
        assert.deepStrictEqual(dark, [], "text that cannot be read");
        assert.deepStrictEqual(cut, [], "text beyond the edge");
        assert.strictEqual(repeated, 0, "a list's heading on each sheet");
    });
    await page.context().close();
}

async function hostileNamesAreText(name) {
    const page = await open(name);
    await unfoldAll(page);
    await check(`${name}: nothing of a name is markup`, async () => {
        const [hit, marked] = await page.evaluate(() => [window.hit, document.querySelectorAll("img, b, [onerror], [onmouseover]").length]);
        assert.strictEqual(hit, undefined);
        assert.strictEqual(marked, 0);
        const of = await page.evaluate(() => [document.querySelector("h1").textContent, JSON.parse(document.getElementById("result").textContent)]);
        assert.strictEqual(of[0], Array.isArray(of[1]) ? of[1][0].target : of[1].target);
        assert.deepStrictEqual(page.trouble, []);
    });
    await page.context().close();
}

async function main() {
    browser = await chromium.launch({executablePath: program, args: ["--no-sandbox", "--disable-dev-shm-usage"]});
    const names = fs.readdirSync(folder).filter((f) => f.endsWith(".html")).map((f) => f.slice(0, -5));
    for (const name of names)
        await showsAll(name);
    for (const name of ["run", "search", "sample", "schedulers", "compare", "hot", "p_sample", "p_run", "p_blocks", "hostile"])
        await fitsAPhone(name);
    for (const name of ["compare", "kernels", "p_sample", "p_search", "p_run"])
        await keyboard(name);
    await chartsCanBeSkipped();
    await chosenIsMarked();
    await linesAreOfTheKernelsOwnN();
    await timelineIsWhole();
    await hotSpotsAreTheJsons();
    await blocksAreApart();
    await whatIsMissingIsSaid();
    await lightAndDark();
    await printed();
    for (const name of names.filter((n) => n.startsWith("hostile")))
        await hostileNamesAreText(name);
    await browser.close();
    process.exit(bad ? 1 : 0);
}

main();
